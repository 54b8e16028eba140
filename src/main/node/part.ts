import type { Logger } from 'pino';

/** Something that runs for as long as the node does. */
export interface Part {
  /** For the log. */
  readonly name: string;
  /** May use the parts that come before it. Throws StartError where the node can't run. */
  start(): Promise<void> | void;
  /** Also called where its own start failed half-way. */
  stop(): Promise<void> | void;
}

/** Parts that are started in order and stopped in reverse. */
export class Parts {
  readonly #log: Logger;
  readonly #parts: readonly Part[];
  readonly #started: Part[] = [];

  constructor(log: Logger, parts: readonly Part[]) {
    this.#log = log;
    this.#parts = parts;
  }

  /** Rejects as the first part does that can't start, after stopping it and all before it. */
  async start(): Promise<void> {
    try {
      for (const part of this.#parts) {
        this.#started.push(part);
        await part.start();
      }
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Stops every part that was started, each even if another fails. */
  async stop(): Promise<void> {
    for (let part = this.#started.pop(); part !== undefined; part = this.#started.pop()) {
      try {
        await part.stop();
      } catch (error) {
        this.#log.error({ err: error, part: part.name }, 'a part did not stop cleanly');
      }
    }
  }
}
