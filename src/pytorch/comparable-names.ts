/**
 * Numbers for names of host nodes and host events, equal where the names mean the same op.
 *
 * The two profilers write one name differently in ways that say nothing about the op: the device trace has `/` for `\` and
 * no line breaks; it adds the overload where it was asked to (`aten::add.Tensor`); steps are counted by each for itself
 * (`ProfilerStep#6`).
 * @returns by place in `hostNames` and `eventNames`
 */
export function comparableNames(
  hostNames: readonly string[],
  eventNames: readonly string[],
): { host: Int32Array; event: Int32Array } {
  const numbers = new Map<string, number>();
  const numbered = (names: readonly string[]): Int32Array =>
    Int32Array.from(names, (name) => {
      const text = comparable(name);
      let number = numbers.get(text);
      if (number === undefined) numbers.set(text, (number = numbers.size));
      return number;
    });
  return { host: numbered(hostNames), event: numbered(eventNames) };
}

function comparable(name: string): string {
  return name
    .replace(/[\r\n]/g, '')
    .replaceAll('\\', '/')
    .replace(/^ProfilerStep#\d+$/, 'ProfilerStep#')
    .replace(/^(\w+::\w+)\.\w+$/, '$1');
}
