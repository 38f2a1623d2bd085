import type { Piscina } from 'piscina';
import { released, type CarriedError } from './carried-error.js';
import { TASKS, type TaskName, type TaskInput, type TaskOutput } from './rank-tasks.js';

/**
 * Runs rank tasks in this thread or in worker threads. Results come back in the order of the jobs, so what a command
 * gives does not depend on the number of threads.
 */
export class Workers {
  #pool: Piscina | undefined;

  /** @param threads worker threads; 1 works in the calling thread */
  constructor(readonly threads: number) {}

  /** @throws PrepError the first failure in job order */
  async run<T extends TaskName>(
    name: T,
    jobs: readonly TaskInput<T>[],
    onDone: () => void = () => {},
  ): Promise<TaskOutput<T>[]> {
    if (this.threads === 1) {
      const results: TaskOutput<T>[] = [];
      for (const job of jobs) {
        results.push((TASKS[name] as (input: TaskInput<T>) => TaskOutput<T>)(job));
        onDone();
        await nextTurn(); // for the progress bar, and a signal to stop
      }
      return results;
    }
    const pool = await this.#start();
    const settled = await Promise.all(
      jobs.map(async (job) => {
        const answer = (await pool.run(job, { name })) as { result: TaskOutput<T> } | { error: CarriedError };
        onDone();
        return answer;
      }),
    );
    return settled.map((answer) => {
      if ('error' in answer) throw released(answer.error);
      return answer.result;
    });
  }

  async close(): Promise<void> {
    await this.#pool?.destroy();
  }

  async #start(): Promise<Piscina> {
    if (this.#pool) return this.#pool;
    const { Piscina } = await import('piscina');
    const filename = new URL('./worker.js', import.meta.url).href;
    this.#pool = new Piscina({
      filename,
      minThreads: this.threads,
      maxThreads: this.threads,
      concurrentTasksPerWorker: 1,
    });
    return this.#pool;
  }
}

/** Resolves when timers and signals that are due have had their turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Deals items to at most `parts` jobs of consecutive items with about equal weight.
 * @param weights one per item
 */
export function deal<T>(items: readonly T[], weights: readonly number[], parts: number): T[][] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const dealt: T[][] = [];
  let current: T[] = [];
  let seen = 0;
  items.forEach((item, place) => {
    current.push(item);
    seen += weights[place];
    if (seen >= ((dealt.length + 1) * total) / parts && dealt.length < parts - 1) {
      dealt.push(current);
      current = [];
    }
  });
  if (current.length > 0) dealt.push(current);
  return dealt;
}
