/** The value that an object has under a name itself: names from files may be `constructor`. */
export function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Gives an object a value under whatever name; `__proto__` is one like any other. */
export function setOwn<T>(values: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__')
    Object.defineProperty(values, name, { value, writable: true, enumerable: true, configurable: true });
  else values[name] = value;
}
