/** Runs jobs one after another, in the order in which they were given. One that fails does not keep the next from running. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the job does. */
  run<T>(job: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves once every job that was given so far has ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
