import type { Store } from './port.ts';
import type { BlockOutcome, NewBlock, NewReading, SignatureCheck } from './reading.ts';
import type { Verifiers } from './verifier/verifiers.ts';

/** Bounds what one transaction holds. */
const MAX_READINGS_AT_ONCE = 500;

/** The blocks of one call. */
interface Call {
  readonly blocks: readonly NewBlock[];
  /** Their ids. */
  readonly devices: ReadonlySet<string>;
  /** Which signatures are good; null: that is not known yet. */
  areGood: readonly boolean[] | null;
  /** Why they could not be checked. */
  error: Error | null;
  readonly resolve: (outcomes: readonly BlockOutcome[]) => void;
}

/**
 * Makes `Store.ingest` for an engine that has only `append`: signatures are checked by the threads of the pool, and the
 * readings of the good ones are appended, those of one device in the order of calls. Calls that wait at the same time are
 * appended together, in at most so many groups under way.
 */
export function ingestByAppend(
  verifiers: Pick<Verifiers, 'check'>,
  append: Store['append'],
  mostGroups = 1,
): Store['ingest'] {
  const calls: Call[] = [];
  /** The devices of each group under way. */
  const groups = new Set<ReadonlySet<string>>();

  function appendAll(): void {
    while (groups.size < mostGroups) {
      const ready = takeReady(calls, groups);
      if (ready.length === 0) return;
      const devices = new Set(ready.flatMap((call) => [...call.devices]));
      groups.add(devices);
      void appendGroup(ready).then(() => {
        groups.delete(devices);
        appendAll();
      });
    }
  }

  /** Never rejects. */
  async function appendGroup(ready: readonly Call[]): Promise<void> {
    const readings = ready.map((call) => call.blocks.map((block, index) => readingOf(call, block, index)));
    const outcomes = await outcomesOf(
      readings.flat().filter((reading) => reading !== null),
      append,
    );
    let next = 0;
    for (const [index, call] of ready.entries()) {
      call.resolve(
        call.blocks.map((_, at) => (readings[index]![at] === null ? unstored(call, at) : outcomes[next++]!)),
      );
    }
  }

  return (blocks) =>
    new Promise((resolve) => {
      const call: Call = { blocks, devices: devicesOf(blocks), areGood: null, error: null, resolve };
      calls.push(call);
      void verifiers
        .check(blocks.map(({ check }) => check))
        .then(
          (areGood) => {
            call.areGood = areGood;
          },
          (error: Error) => {
            call.error = error;
          },
        )
        .then(appendAll);
    });
}

function isChecked({ areGood, error }: Call): boolean {
  return areGood !== null || error !== null;
}

/**
 * Takes calls that can be appended together. A call waits for those before it that bring readings of the same devices: of
 * readings with one seq the first stays.
 */
function takeReady(calls: Call[], groups: ReadonlySet<ReadonlySet<string>>): Call[] {
  const ready: Call[] = [];
  const busy = new Set([...groups].flatMap((devices) => [...devices]));
  let count = 0;
  for (let at = 0; at < calls.length && count < MAX_READINGS_AT_ONCE; ) {
    const call = calls[at]!;
    if (isChecked(call) && ![...call.devices].some((device) => busy.has(device))) {
      count += call.blocks.length;
      ready.push(call);
      calls.splice(at, 1);
    } else {
      for (const device of call.devices) busy.add(device);
      at += 1;
    }
  }
  return ready;
}

function devicesOf(blocks: readonly NewBlock[]): ReadonlySet<string> {
  return new Set(blocks.map(({ check }) => deviceIdOf(check)));
}

function deviceIdOf({ publicKey }: SignatureCheck): string {
  return Buffer.from(publicKey).toString('hex');
}

/** The reading of a block that is to be stored; null: there is none. */
function readingOf({ areGood }: Call, { check, reading }: NewBlock, index: number): NewReading | null {
  if (reading === null || areGood?.[index] !== true) return null;
  const { seq, timestamp, keepsSigned, ...rest } = reading;
  const signed = keepsSigned
    ? { signature: Buffer.from(check.signature, 'hex'), raw: Buffer.from(check.message, 'hex') }
    : null;
  return { deviceId: deviceIdOf(check), seq: BigInt(seq), timestamp: BigInt(timestamp), ...rest, signed };
}

async function outcomesOf(readings: readonly NewReading[], append: Store['append']): Promise<BlockOutcome[]> {
  if (readings.length === 0) return [];
  try {
    return [...(await append(readings))];
  } catch (error) {
    return readings.map(() => ({ kind: 'refused', error: error as Error }));
  }
}

function unstored({ areGood, error }: Call, index: number): BlockOutcome {
  if (error !== null) return { kind: 'refused', error };
  return { kind: areGood![index] ? 'signed' : 'bad_signature' };
}
