import type { Logger } from 'pino';

/** Parts that are stopped in the reverse order of their start, each even if another fails. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = [];
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step();
      } catch (error) {
        this.#log.error({ err: error }, 'a part did not stop cleanly');
      }
    }
  }
}
