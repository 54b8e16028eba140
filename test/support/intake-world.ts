import { pino } from 'pino';
import { EventBus } from '../../src/main/common/event-bus.ts';
import type { NodeEventMap } from '../../src/main/common/node-events.ts';
import { DeviceDirectory } from '../../src/main/intake/device-directory.ts';
import { Intake } from '../../src/main/intake/intake.ts';
import { Load } from '../../src/main/intake/load.ts';
import type { ReadingOnDisk } from '../../src/main/intake/stored-reading.ts';
import type { UnregisteredDevice } from '../../src/main/store/counts.ts';
import type { Registered, RegisteredDevice, SharedLimits, Store } from '../../src/main/store/port.ts';
import type { BlockOutcome, BlockReading, NewBlock } from '../../src/main/store/reading.ts';
import { Disposition, PublishTo } from '../../src/shared/protocol/codes.ts';
import { FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { type BlockInput, SimulatedDevice } from '../../src/simulator/device.ts';
import { FakeClock } from './fake-clock.ts';

export const AT = 1_790_000_000_000;
export const DEVICE = new SimulatedDevice();
export const STRANGER = new SimulatedDevice();
/** Registered, but the store keeps none of its readings. */
export const ELSEWHERE = new SimulatedDevice();
/** Its pH may not be stored. */
export const SHY = new SimulatedDevice();

type Events = 'batch' | 'refused' | 'knocked' | 'registered' | 'stored';

/** The surroundings of an intake, new for each test. */
export let world = makeWorld();
export let intake: Intake;

/** Makes new surroundings, and an intake in them. */
export function newIntake({ isShared = false } = {}): void {
  world = { ...makeWorld(), isShared };
  open();
}

function makeWorld() {
  const log = pino({ level: 'silent' });
  return {
    ...{ log, clock: new FakeClock(AT), load: new Load(), events: new EventBus<NodeEventMap>(log) },
    registered: new Map([DEVICE, ELSEWHERE, SHY].map(({ id }) => [id, 1])),
    /** Says what the store does with a block; null: as a sound store does. */
    answers: (_block: NewBlock, _at: number): BlockOutcome | null => null,
    /** The readings that the store was given, and the ids that only had their signature checked. */
    ingested: [] as (BlockReading | null)[][],
    onRegister: (): Registered => 'created',
    registrations: [] as unknown[],
    counted: [] as unknown[],
    over: new Set<string>(),
    budget: [] as string[],
    onDisk: [] as (readonly [string, ReadingOnDisk])[],
    told: [] as (readonly [Events, unknown])[],
    isShared: false,
  };
}

/** Opens the intake as after a start, with the unregistered devices that its store remembers. */
export function open(known: readonly UnregisteredDevice[] = []): void {
  const { registered } = world;
  const store = {
    name: 'private' as const,
    ...(world.isShared && { shared: {} as SharedLimits }),
    device: async (id: string) => (registered.has(id) ? deviceOf(id, registered.get(id)!) : null),
    register: async (...given: unknown[]) => {
      world.registrations.push(given);
      return world.onRegister();
    },
    ingest: async (blocks: readonly NewBlock[]): Promise<readonly BlockOutcome[]> => {
      world.ingested.push(blocks.map(({ reading }) => reading));
      return blocks.map((block, at) => {
        const { reading } = block;
        const sound = reading === null ? { kind: 'signed' as const } : { kind: 'stored' as const, receivedAt: AT };
        return world.answers(block, at) ?? sound;
      });
    },
    addCounts: async (counts: unknown) => void world.counted.push(counts),
  } satisfies Partial<Store> as unknown as Store;
  const { events, clock } = world;
  for (const name of ['batch', 'refused', 'knocked', 'registered', 'stored'] as const) {
    events.on(name, (payload) => void world.told.push([name, payload]));
  }
  intake = new Intake({
    store,
    devices: new DeviceDirectory({ store, nodePublicKey: 'cc'.repeat(32), events }),
    unregistered: known,
    onStored: (id, reading) => void world.onDisk.push([id, reading]),
    budget: {
      refused: [{ id: 'x', since: 1, lastAt: 2, refused: 3 }],
      isOver: (id) => world.over.has(id),
      note: (id) => void world.budget.push(`refused ${id}`),
      stored: (id) => void world.budget.push(`stored ${id}`),
      registered: () => void world.budget.push('registered'),
      close: () => void world.budget.push('closed'),
    },
    load: world.load,
    rawBinding: 'known',
    clock: { ...bound(clock), arrival: () => ({ receivedAt: clock.now(), clock: 3 }) },
    ...{ events, log: world.log },
  });
}

const bound = (clock: FakeClock) => ({
  now: () => clock.now(),
  steady: () => clock.steady(),
  after: (ms: number, run: () => void) => clock.after(ms, run),
});

function deviceOf(id: string, registration: number): RegisteredDevice {
  const registered = new SimulatedDevice().registration();
  const privacyPolicy =
    id === SHY.id
      ? { ...registered.privacyPolicy, ph: { default_disposition: Disposition.OMIT } }
      : registered.privacyPolicy;
  const publishTo = id === ELSEWHERE.id ? PublishTo.PUBLIC : PublishTo.BOTH;
  return { id, publishTo, privacyPolicy, ...(world.isShared && { registration }) } as unknown as RegisteredDevice;
}

/** Returns a block as a device sends it. */
export const block = (seq: number, device = DEVICE) => device.block({ seq, timestamp: AT, plain: { ph: 6, ec: 1500 } });
export const tampered = (seq: number): BlockInput => ({ ...block(seq), signature: 'ab' });
/** Returns what was told since the last call. */
export const heard = () => world.told.splice(0);
/** Returns the reading that is stored of `block(seq)`. */
export const readingOf = (seq: number) => ({
  ...{ seq: String(seq), timestamp: String(AT), receivedAt: AT, keyVersion: 0, clock: 3, keepsSigned: true },
  fields: { ...Object.fromEntries(FIELD_NAMES.map((name) => [name, null])), ph: 6, ec: 1500 },
  registration: undefined,
});
export const outcomes = () =>
  Object.fromEntries(intake.pendingCounts.outcomes.map(({ outcome, count }) => [outcome, count]));
/** Waits for what runs in the background. */
export const settled = () => new Promise((resolve) => setImmediate(resolve));
