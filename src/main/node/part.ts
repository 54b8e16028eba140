import type { Logger } from 'pino';

/** A component that starts and stops with the node. */
export interface Part {
  /** The name in the log. */
  readonly name: string;
  /** Starts the part, which may use the parts before it. Throws StartError if the node can't run. */
  start(): Promise<void> | void;
  /** Stops the part. Also called after its own start failed. */
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

  /** Starts all parts in order. If one fails, stops it and all before it, and rejects with its error. */
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

  /** Stops every started part, even if another one fails. */
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
