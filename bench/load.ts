import { type Tasks, tasks } from './load-tasks.ts';

/** The load generator: a process of its own, forked by the benchmark, that runs one task after the other. */

/** Asks for a task. */
export interface TaskRequest {
  readonly name: keyof Tasks;
  readonly order: unknown;
}

/** The task's result with the share of a core that the load generator took, or why there is none. */
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
