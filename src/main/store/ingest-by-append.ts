import type { Store } from './port.ts';
import type { BlockOutcome, NewBlock, NewReading } from './reading.ts';
import type { Verifiers } from './verifier/verifiers.ts';

/** Bounds what one transaction holds. */
const MAX_READINGS_AT_ONCE = 500;

/** The blocks of one call. */
interface Call {
  readonly blocks: readonly NewBlock[];
  /** Which signatures are good; null: that is not known yet. */
  areGood: readonly boolean[] | null;
  /** Why they could not be checked. */
  error: Error | null;
  readonly resolve: (outcomes: readonly BlockOutcome[]) => void;
}

/**
 * Makes `Store.ingest` for an engine that has only `append`: signatures are checked by the threads of the pool, and the
 * readings of the good ones are appended in the order of calls. Calls that wait at the same time are appended together.
 */
export function ingestByAppend(verifiers: Pick<Verifiers, 'check'>, append: Store['append']): Store['ingest'] {
  const calls: Call[] = [];
  let isAppending = false;

  async function appendAll(): Promise<void> {
    if (isAppending) return;
    isAppending = true;
    // A call waits for those before it: of readings with one seq the first stays.
    while (calls[0] !== undefined && isChecked(calls[0])) {
      const ready = takeReady(calls);
      const readings = ready.map((call) => call.blocks.map((block, index) => readingOf(call, block, index)));
      const outcomes = await outcomesOf(
        readings.flat().filter((reading) => reading !== null),
        append,
      );
      for (const [index, call] of ready.entries()) {
        call.resolve(
          call.blocks.map((_, at) => (readings[index]![at] === null ? unstored(call, at) : outcomes.shift()!)),
        );
      }
    }
    isAppending = false;
  }

  return (blocks) =>
    new Promise((resolve) => {
      const call: Call = { blocks, areGood: null, error: null, resolve };
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

/** Takes the calls from the front that can be appended together. */
function takeReady(calls: Call[]): Call[] {
  const ready: Call[] = [];
  for (let count = 0; calls[0] !== undefined && isChecked(calls[0]) && count < MAX_READINGS_AT_ONCE; ) {
    count += calls[0].blocks.length;
    ready.push(calls.shift()!);
  }
  return ready;
}

/** The reading of a block that is to be stored; null: there is none. */
function readingOf({ areGood }: Call, { check, reading }: NewBlock, index: number): NewReading | null {
  if (reading === null || areGood?.[index] !== true) return null;
  const { seq, timestamp, keepsSigned, ...rest } = reading;
  const deviceId = Buffer.from(check.publicKey).toString('hex');
  const signed = keepsSigned
    ? { signature: Buffer.from(check.signature, 'hex'), raw: Buffer.from(check.message, 'hex') }
    : null;
  return { deviceId, seq: BigInt(seq), timestamp: BigInt(timestamp), ...rest, signed };
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
