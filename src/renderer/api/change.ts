/**
 * Replacements for parts of what the node keeps, or a function that returns them for what is kept by then. A function
 * is for parts that another page may change too: it keeps what the other page saved meanwhile.
 */
export type Change<T> = Partial<T> | ((kept: T) => Partial<T>);

/** Returns what is kept after a change. */
export function changed<T>(kept: T, change: Change<T>): T {
  return { ...kept, ...(typeof change === 'function' ? change(kept) : change) };
}
