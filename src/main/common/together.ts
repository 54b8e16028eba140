/**
 * Lets one run answer all calls that arrive during the previous run: at most two runs wait for the database. The result
 * of a call is always read after that call.
 */
export function together<T>(run: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const begun = run();
    underWay = begun;
    const ended = () => {
      if (underWay === begun) underWay = null;
    };
    begun.then(ended, ended);
    return begun;
  };
  return () => {
    if (underWay === null) return begin();
    next ??= underWay.then(begin, begin);
    return next;
  };
}
