import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoreRefusal } from '../../src/main/common/node-events.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { type StoreWriter, WriterThread } from '../../src/main/store/sqlite/write/writer.ts';
import { Fate, PackedBlocks } from '../../src/main/store/verifier/packed-blocks.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { ENDPOINTS, type Endpoint, removeFolder, temporaryFolder } from '../support/node-process.ts';
import { queryStore, STORE_OF, storePath } from '../support/store-file.ts';

// The last station of a block: the thread that takes checked chunks out of the lanes and commits them.

const log = pino({ level: 'silent' });
const device = new SimulatedDevice();
const publicKey = Buffer.from(device.id, 'hex');
const fields = Object.fromEntries(FIELD_NAMES.map((name) => [name, null])) as Record<
  (typeof FIELD_NAMES)[number],
  null
>;
let folder: string;
let thread: WriterThread;

beforeEach(() => {
  folder = temporaryFolder();
  thread = new WriterThread(log);
});
afterEach(async () => {
  await thread.close();
  removeFolder(folder);
});

/** A store's side of the thread, with the messages that it got about its lane. */
class Side {
  readonly writer: StoreWriter;
  readonly done: { readonly end: number; readonly refusal: StoreRefusal | null }[] = [];
  losses = 0;
  #seq = 0;

  private constructor(writer: StoreWriter) {
    this.writer = writer;
    writer.lane.listen({
      onDone: (end, refusal) => this.done.push({ end, refusal }),
      onLost: () => {
        this.losses += 1;
      },
    });
  }

  static async open(endpoint: Endpoint): Promise<Side> {
    const path = storePath(folder, endpoint);
    prepareStore(path, STORE_OF[endpoint]);
    const side = new Side(await thread.open({ path, durability: 'full', bounds: null }));
    const registration = deviceRegistration.parse(device.registration());
    await side.writer.write<'register'>({ kind: 'register', registration, createdAt: 1 });
    return side;
  }

  get lane() {
    return this.writer.lane;
  }

  /** Puts in a chunk of readings that were found good, or of blocks with these fates. */
  put(count: number, fates: readonly Fate[] = Array(count).fill(Fate.GOOD)): void {
    const packed = new PackedBlocks(new ArrayBuffer(16 * 1024), 0, 16 * 1024);
    let end = 0;
    for (let index = 0; index < count; index += 1) {
      const at = end;
      this.#seq += 1;
      packed.writeCheck(at, { publicKey, signature: '00'.repeat(64), message: '' });
      const reading = {
        seq: String(this.#seq),
        timestamp: '1',
        receivedAt: 1,
        keyVersion: 0,
        clock: 0,
        fields,
        keepsSigned: false,
      };
      end = packed.writeReading(at, reading);
      packed.setFate(at, fates[index]!);
    }
    this.lane.memory.put(packed.bytes.subarray(0, end), count, true);
  }

  /** The fates of a chunk's blocks. */
  fates(ticket: number): Fate[] {
    const { blocks, count } = this.lane.memory.chunk(ticket);
    const fates: Fate[] = [];
    for (let index = 0, at = 0; index < count; index += 1, at = blocks.endOf(at)) fates.push(blocks.fateOf(at));
    return fates;
  }
}

const stored = (endpoint: Endpoint) => {
  const [row] = queryStore(folder, endpoint, 'SELECT count(*) AS count FROM readings');
  return Number(row!.count);
};

describe('outcomes of blocks', () => {
  test('are in the chunk, one for each block, after the notification', async () => {
    const side = await Side.open('local');
    const known = [Fate.GOOD, Fate.BAD_SIGNATURE, Fate.GOOD, Fate.FAILED];
    side.put(4, known);
    side.lane.bell.ring();
    await expect.poll(() => side.done.length, { timeout: 15_000 }).toBe(1);
    expect(side.done[0]).toMatchObject({ end: 1, refusal: null });
    expect(side.fates(0)).toEqual([Fate.STORED, Fate.BAD_SIGNATURE, Fate.STORED, Fate.FAILED]);
    expect(stored('local')).toBe(2);
  });

  test('are reported also if nothing was to be stored', async () => {
    const side = await Side.open('public');
    side.put(2, [Fate.BAD_SIGNATURE, Fate.BAD_SIGNATURE]);
    side.lane.bell.ring();
    await expect.poll(() => side.done, { timeout: 15_000 }).toMatchObject([{ end: 1, refusal: null }]);
    expect(stored('public')).toBe(0);
  });
});

test('the store that was opened first goes first: its blocks wait for one group of the other at most', async () => {
  const [first, second] = [await Side.open('local'), await Side.open('public')];
  let [chunks, asked, groups] = [0, 0, null as number | null];
  // A test that the machine held up asks too late: the second store is done by then, and it tries again.
  while (groups === null && asked < 100) {
    for (; second.lane.memory.hasRoom(second.lane.memory.done); chunks += 1) second.put(24);
    const begun = second.lane.memory.done;
    second.lane.bell.ring();
    await expect.poll(() => second.lane.memory.done, { interval: 1, timeout: 15_000 }).not.toBe(begun);
    first.put(1);
    asked += 1;
    groups = groupsBefore(asked, first, second, chunks);
    await expect.poll(() => [first, second].map(({ lane }) => lane.memory.done)).toEqual([asked, chunks]);
  }
  expect(groups, 'the second store was always done before the first').not.toBeNull();
  expect(groups).toBeLessThanOrEqual(1);
  expect([stored('local'), stored('public')]).toEqual([asked, chunks * 24]);
}, 60_000);

/**
 * Returns how many groups of the second store end before the first store has done its chunks; null if the second one has
 * done all of its own by then. Looks without a pause: the messages of the two stores may arrive late, and in any order.
 */
function groupsBefore(asked: number, first: Side, second: Side, chunks: number): number | null {
  let [done, groups] = [second.lane.memory.done, 0];
  first.lane.bell.ring();
  for (const until = performance.now() + 15_000; performance.now() < until; ) {
    const now = second.lane.memory.done;
    if (first.lane.memory.done === asked) return done === chunks ? null : groups;
    if (now !== done) groups += 1;
    done = now;
  }
  throw new Error('the first store did not store its chunk');
}

describe('a writer thread that dies', () => {
  test('is replaced; the new one neither answers nor writes the lanes’ chunks', async () => {
    const sides = [await Side.open('local'), await Side.open('public')];
    const dead = thread.worker!;
    await dead.terminate();
    expect(sides.map(({ losses }) => losses)).toEqual([1, 1]);
    // As a chunk that was on its way: it was checked after the thread had died.
    expect(thread.worker).toBe(dead);
    await expect.poll(() => thread.worker === dead, { timeout: 15_000 }).toBe(false);
    for (const side of sides) {
      side.put(3);
      side.lane.bell.ring();
    }
    for (const side of sides) await expect.poll(() => side.done.length, { timeout: 15_000 }).toBeGreaterThan(0);
    expect(ENDPOINTS.map(stored)).toEqual([3, 3]);
  });

  test('skips chunks that were given up, in their order', async () => {
    const side = await Side.open('local');
    const dead = thread.worker!;
    const lost = dead.terminate();
    side.put(5);
    side.put(5);
    await lost;
    side.put(2);
    await expect.poll(() => side.done.at(-1)?.end, { timeout: 15_000 }).toBe(3);
    expect(side.losses).toBe(1);
    expect([side.fates(1), side.fates(2)]).toEqual([Array(5).fill(Fate.GOOD), [Fate.STORED, Fate.STORED]]);
    expect(stored('local')).toBe(2);
  });

  test('rejects its jobs, and later ones until the next thread is there', async () => {
    const side = await Side.open('local');
    const note = () => side.writer.write<'note'>({ kind: 'note', id: device.id, notes: null, updatedAt: 1 });
    const ended = thread.worker!.terminate();
    // Expected at once: a promise that is refused while nobody looks at it is an error of its own.
    const refused = (job: Promise<unknown>) => expect(job).rejects.toMatchObject({ code: 'unreachable' });
    const under = refused(note());
    await ended;
    await Promise.all([under, refused(note())]);
    await expect
      .poll(
        () =>
          note().then(
            () => 'written',
            () => 'refused',
          ),
        { timeout: 15_000 },
      )
      .toBe('written');
  });
});
