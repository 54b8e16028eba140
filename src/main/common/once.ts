/**
 * Returns a function that makes a value at its first call and caches it. If `make` throws, the next call tries again.
 */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
