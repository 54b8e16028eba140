/** Collects the values of an option that may be repeated, for commander. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
