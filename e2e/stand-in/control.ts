// The tests' actions on the stand-in, in the role of an owner or an operating system.

type Operation = (...values: never[]) => unknown;
const operations = new Map<string, Operation>();

/** Offers an operation to the tests. */
export function offer(name: string, operation: Operation): void {
  operations.set(name, operation);
}

/** Performs an operation for a test. Rejects if the stand-in does not offer it. */
export async function operate(name: string, values: readonly unknown[]): Promise<unknown> {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`the stand-in has no operation ${name}`);
  return (operation as (...all: readonly unknown[]) => unknown)(...values);
}
