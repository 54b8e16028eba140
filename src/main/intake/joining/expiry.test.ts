import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { HOME, idsOf, joiningForTest, someone } from '../../../../test/support/joining.ts';
import type { Joining } from './joining.ts';
import { PENDING_MS } from './pending-devices.ts';

const AT = 1_790_000_000_000;
const gate = joiningForTest();

/** A clock that records the delays that it is asked for. */
class RecordingClock extends FakeClock {
  readonly delays: number[] = [];

  override after(ms: number, run: () => void): () => void {
    this.delays.push(ms);
    return super.after(ms, run);
  }
}

const device = someone();
let clock: RecordingClock;
let way: Joining;
let changes: () => number;
beforeEach(async () => {
  clock = new RecordingClock(AT);
  ({ joining: way, newChanges: changes } = await gate.start(clock));
  way.open(false);
  await way.register(device, HOME);
  changes();
});

const { onDisk } = gate;
const keptIds = () => onDisk().devices.map(({ id }) => id);
const settled = () => new Promise(setImmediate);

describe('after a day', () => {
  const later = someone();
  beforeEach(async () => {
    await clock.pass(1000, settled);
    await way.register(later, HOME);
    changes();
  });

  it('each registration ends at its own time', async () => {
    expect([clock.delays, clock.timers]).toEqual([[PENDING_MS], 1]);
    await clock.pass(PENDING_MS - 1001, settled);
    expect([idsOf(way.pending), changes()]).toEqual([[device.id, later.id], 0]);
    await clock.pass(1, settled);
    expect([idsOf(way.pending), changes(), clock.delays]).toEqual([[later.id], 1, [PENDING_MS, 1000]]);
    await clock.pass(1000, settled);
    expect([way.pending, changes(), clock.timers]).toEqual([[], 1, 0]);
    await way.stop();
    expect(keptIds()).toEqual([]);
  });

  it('a registration is not listed, although no timer has ended it', () => {
    clock.set(AT + PENDING_MS);
    expect(idsOf(way.pending)).toEqual([later.id]);
  });

  it('a registration that comes again is new', async () => {
    clock.set(AT + PENDING_MS);
    expect(await way.register(device, HOME)).toBe('new');
    expect(idsOf(way.pending)).toEqual([later.id, device.id]);
  });

  it('a node that starts again leaves it out', async () => {
    clock.set(AT + PENDING_MS);
    await way.stop();
    const { joining: next, changes: news } = await gate.start(clock);
    expect([clock.delays.at(-1), news()]).toEqual([1000, 1]);
    await next.stop();
    expect(keptIds()).toEqual([later.id]);
  });
});

it('a corrected clock moves the times in the file, too', async () => {
  way.moved({ by: -5, from: AT, to: AT });
  await way.stop();
  expect(onDisk().devices[0]!.since).toBe(AT - 5);
});
