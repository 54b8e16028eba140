import type { Store } from './port.ts';
import type { BlockOutcome, NewBlock, NewReading, SignatureCheck } from './reading.ts';
import type { Verifiers } from './verifier/verifiers.ts';

/** Limits the size of one transaction. */
const MAX_READINGS_AT_ONCE = 500;
/**
 * A group of few blocks begins this long after the one before, so that a steady stream of lone blocks shares statements
 * and commits. A block waits half of it on average, and not at all if none came just before.
 */
const FEW_EVERY_MS = 80;
const FEW = 16;
/** The group begins earlier if no block came for this long: then the senders may be waiting for their answers. */
const PAUSE_MS = 15;
/** The block of a device that sent another one within this time does not wait: its sender posts one after the other. */
const AGAIN_MS = 1000;

/** The blocks of one call. */
interface Call {
  readonly blocks: readonly NewBlock[];
  /** The ids of their devices. */
  readonly devices: ReadonlySet<string>;
  /** Whether one of the devices sent other blocks just before. */
  readonly isAgain: boolean;
  /** Whether each signature is good; null: not checked yet. */
  areGood: readonly boolean[] | null;
  /** The error if the signatures could not be checked. */
  error: Error | null;
  readonly resolve: (outcomes: readonly BlockOutcome[]) => void;
}

/**
 * Implements `Store.ingest` for an engine that has only `append`. The threads of the pool check the signatures. The
 * readings of good blocks are appended, in the order of calls for each device. Calls that wait at the same time are
 * appended together, in at most `mostGroups` parallel groups.
 */
export function ingestByAppend(
  verifiers: Pick<Verifiers, 'check'>,
  append: Store['append'],
  mostGroups = 1,
): Store['ingest'] {
  const calls: Call[] = [];
  /** The devices of each group in progress. */
  const groups = new Set<ReadonlySet<string>>();
  const recent = new RecentDevices();
  let begunAt = Number.NEGATIVE_INFINITY;
  let cameAt = Number.NEGATIVE_INFINITY;
  let isWaiting = false;

  function appendAll(): void {
    while (groups.size < mostGroups) {
      const waitMs = Math.min(begunAt + FEW_EVERY_MS, cameAt + PAUSE_MS) - performance.now();
      if (waitMs > 0 && areFew(calls)) {
        wait(Math.ceil(waitMs));
        return;
      }
      const ready = takeReady(calls, groups);
      if (ready.length === 0) return;
      const devices = new Set(ready.flatMap((call) => [...call.devices]));
      groups.add(devices);
      begunAt = performance.now();
      void appendGroup(ready).then(() => {
        groups.delete(devices);
        appendAll();
      });
    }
  }

  function wait(ms: number): void {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      appendAll();
    }, ms);
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
      const devices = devicesOf(blocks);
      cameAt = performance.now();
      const isAgain = recent.add(devices, cameAt);
      const call: Call = { blocks, devices, isAgain, areGood: null, error: null, resolve };
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

/** Returns whether some blocks could be appended, but so few that they wait for others. */
function areFew(calls: readonly Call[]): boolean {
  let count = 0;
  for (const call of calls) {
    if (!isChecked(call)) continue;
    count += call.blocks.length;
    if (call.isAgain || count >= FEW) return false;
  }
  return count > 0;
}

/** The devices that sent blocks within `AGAIN_MS`. */
class RecentDevices {
  /** The times of their last blocks, in order. */
  readonly #sentAt = new Map<string, number>();

  /** Adds devices; returns whether one of them was there already. */
  add(devices: ReadonlySet<string>, now: number): boolean {
    for (const [device, sentAt] of this.#sentAt) {
      if (now - sentAt < AGAIN_MS) break;
      this.#sentAt.delete(device);
    }
    let wasThere = false;
    for (const device of devices) {
      // Deleted first, so that it becomes the newest.
      if (this.#sentAt.delete(device)) wasThere = true;
      this.#sentAt.set(device, now);
    }
    return wasThere;
  }
}

function isChecked({ areGood, error }: Call): boolean {
  return areGood !== null || error !== null;
}

/**
 * Removes from `calls` those that can be appended together. A call waits for earlier calls with readings of the same
 * devices: of several readings with one seq, the first is stored.
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

/** Returns the reading to store of a block, or null. */
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
