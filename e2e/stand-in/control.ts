// What the tests do to the stand-in as an owner or an operating system would.

type Operation = (...values: never[]) => unknown;
const operations = new Map<string, Operation>();

/** Offers an operation to the tests. */
export function offer(name: string, operation: Operation): void {
  operations.set(name, operation);
}

/** Does what a test asks for; rejects where the stand-in offers no such thing. */
export async function operate(name: string, values: readonly unknown[]): Promise<unknown> {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`the stand-in has no operation ${name}`);
  return (operation as (...all: readonly unknown[]) => unknown)(...values);
}
