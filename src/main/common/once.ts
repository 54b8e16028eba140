/** Makes a value when it is first asked for, and keeps it. A function that throws is called again. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
