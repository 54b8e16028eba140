import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TaskReply, TaskRequest } from './load.ts';
import type { Tasks } from './load-tasks.ts';

type Order<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
type Result<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

/** The load generator for the benchmark. It ends with the benchmark. */
export class LoadGenerator {
  readonly #child: ChildProcess = fork(fileURLToPath(new URL('./load.ts', import.meta.url)));

  /** Runs a task. Rejects if the node failed during it. */
  async run<Name extends keyof Tasks>(name: Name, order: Order<Name>): Promise<Result<Name>> {
    const reply = await new Promise<TaskReply>((resolve, reject) => {
      const onExit = () => reject(new Error('the load generator ended'));
      this.#child.once('exit', onExit);
      this.#child.once('message', (message) => {
        this.#child.off('exit', onExit);
        resolve(message as TaskReply);
      });
      this.#child.send({ name, order } satisfies TaskRequest);
    });
    if (!reply.ok) throw new Error(reply.why);
    return reply.result as Result<Name>;
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
