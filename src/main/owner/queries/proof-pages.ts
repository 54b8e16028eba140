import type { Input, Output } from '../../../shared/owner-api/contract.ts';
import { storeName } from '../../../shared/owner-data/values.ts';
import { isUint64Text, MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { LogSigner } from '../../proof/log-key.ts';
import { ProofLines } from '../../proof/proof-lines.ts';
import { knownDevice, type QueryScope } from './queries.ts';

/**
 * Returns a page of the lines of a proof. The cursor has the tree size of the first page, so that all pages prove the
 * same checkpoint.
 */
export async function proofPage(
  { stores, memory }: QueryScope,
  input: Input<'proofPage'>,
): Promise<Output<'proofPage'>> {
  const { entries } = await knownDevice(stores, input.id);
  const cursor = input.cursor === null ? null : parseCursor(input.cursor);
  const store = cursor?.store ?? input.store ?? entries[0]!.store;
  if (!entries.some((entry) => entry.store === store)) {
    throw new OwnerError('not_found', 'this device is not in this store');
  }
  const order = {
    store,
    device: input.id,
    from: BigInt(input.from ?? 0),
    to: input.to === null ? MAX_UINT64 : BigInt(input.to),
  };
  const proof = await ProofLines.of(stores, order.store, cursor?.size ?? null);
  const begin = cursor === null ? proof.begin(new LogSigner(memory.dataDir), order) : null;
  const page = await proof.readings(order, cursor, input.limit);
  const last = page.length < input.limit ? undefined : page.at(-1);
  return {
    begin,
    readings: page.map(({ seq, receivedAt, line }) => ({ seq: String(seq), receivedAt, line })),
    next: last === undefined ? null : `${order.store}.${proof.size}.${last.timestamp}.${last.seq}`,
  };
}

function parseCursor(text: string) {
  const [first, size, timestamp, seq, ...rest] = text.split('.');
  const store = storeName.safeParse(first).data;
  const numbers = [size, timestamp, seq].map((each) =>
    each !== undefined && isUint64Text(each) ? BigInt(each) : null,
  );
  if (store === undefined || numbers.includes(null) || rest.length > 0) {
    throw new OwnerError('invalid_input', 'cursor: not from an earlier page');
  }
  return { store, size: Number(numbers[0]), timestamp: numbers[1]!, seq: numbers[2]! };
}
