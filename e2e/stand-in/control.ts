// What the tests do to the stand-in as an owner or an operating system would, over the channel of the child process.

type Operation = (...values: never[]) => unknown;
const operations = new Map<string, Operation>();

/** Offers an operation to the tests. */
export function offer(name: string, operation: Operation): void {
  operations.set(name, operation);
}

interface Request {
  readonly id: number;
  readonly name: string;
  readonly values: readonly unknown[];
}

process.on('message', async ({ id, name, values }: Request) => {
  try {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`the stand-in has no operation ${name}`);
    process.send?.({ id, value: (await (operation as (...all: readonly unknown[]) => unknown)(...values)) ?? null });
  } catch (error) {
    process.send?.({ id, error: String(error) });
  }
});
// The test ended without a word: nothing of it is left behind.
process.on('disconnect', () => process.exit(1));
