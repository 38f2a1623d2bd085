import type { Printer } from './io.js';

/** Called with work done and work in all, and in what they are counted where that is another unit than before. */
export type OnProgress = (done: number, total: number, unit?: string) => void;

/** Runs `work` with a progress bar on stderr where that is a terminal. */
export async function withProgress<T>(
  printer: Printer,
  unit: string,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  if (!printer.interactive) return work(() => {});
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar(
    { stream: printer.io.stderr as NodeJS.WriteStream, clearOnComplete: true, format: '{bar} {value}/{total} {unit}' },
    cliProgress.Presets.shades_classic,
  );
  let started = false;
  try {
    return await work((done, total, counted = unit) => {
      if (!started) bar.start(total, 0, { unit: counted });
      started = true;
      bar.setTotal(total);
      bar.update(done, { unit: counted });
    });
  } finally {
    if (started) bar.stop();
  }
}
