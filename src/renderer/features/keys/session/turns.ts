/** Runs jobs one after another, each after the one before has ended, well or badly. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs a job when its turn comes; settles as the job does. */
  run<T>(job: () => Promise<T>): Promise<T> {
    const result = this.#last.then(job);
    this.#last = result.catch(() => {});
    return result;
  }
}
