/** Runs jobs one after another, in the order of the calls. A failed job does not prevent the next one. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects like the job. */
  run<T>(job: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves after every earlier job has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
