import { type Tasks, tasks } from './load-tasks.ts';

/** The load generator: a separate process, forked by the benchmark, that runs one task after another. */

/** The request for a task. */
export interface TaskRequest {
  readonly name: keyof Tasks;
  readonly order: unknown;
}

/** The result of the task and the share of a core that the load generator used, or the error. */
export type TaskReply = { readonly ok: true; readonly result: unknown } | { readonly ok: false; readonly why: string };

process.on('message', async ({ name, order }: TaskRequest) => {
  try {
    const task = tasks[name] as (order: unknown) => Promise<unknown>;
    process.send!({ ok: true, result: (await task(order)) ?? null } satisfies TaskReply);
  } catch (error) {
    process.send!({ ok: false, why: `${name}: ${(error as Error).message}` } satisfies TaskReply);
  }
});
process.on('disconnect', () => process.exit());
