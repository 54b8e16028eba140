import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AT, someAlert, someFacts } from '../../../../test/support/alert-notices.ts';
import { DOWN, ended, Line, newWorld, open, pass, settled, tell, world } from '../../../../test/support/outbox.ts';
import { ChannelError } from '../channels/channel.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

beforeEach(newWorld);

describe('a message', () => {
  it('is on disk before it is sent, and deleted after the answer', async () => {
    const outbox = open();
    tell(outbox);
    await settled();
    expect(world.story).toEqual(['saved', 'sent fired', 'saved']);
    expect(JSON.parse(world.disk).deliveries).toEqual([]);
    expect(outbox.state(world.lines[0]!.id)).toMatchObject({
      lastSuccessAt: AT,
      lastFailure: null,
      waiting: 0,
      held: 0,
    });
    expect(world.clock.timers).toBe(0);
  });

  it('is sent even if the disk accepts no writes', async () => {
    world.isDiskFull = true;
    tell(open());
    await settled();
    expect(world.lines[0]!.kinds).toEqual(['fired']);
  });

  it('that a channel does not accept is retried with the same id for an hour, then given up', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    const { id } = tell(outbox);
    await pass(3 * HOUR);
    const at = [0, 5, 20, 80, 380, 1280, 2180, 3080, 3600];
    expect(line!.times).toEqual(at.map((seconds) => seconds * SECOND));
    expect(new Set(line!.sent.map(({ facts }) => facts.id))).toEqual(new Set([id]));
    expect(outbox.state(line!.id)).toMatchObject({
      lastFailure: { at: AT + HOUR, fault: 'refused', detail: 'ECONNREFUSED', isGivenUp: true },
      waiting: 0,
    });
  });

  it('is delivered after an outage of almost an hour', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await pass(HOUR - 1);
    expect(outbox.state(line!.id)).toMatchObject({ waiting: 1, lastFailure: { isGivenUp: false } });
    line!.answer = () => null;
    await pass(1);
    expect(outbox.state(line!.id)).toMatchObject({ waiting: 0, lastSuccessAt: AT + HOUR });
  });

  it('with a permanent refusal is not retried, and the next is sent', async () => {
    const [line] = world.lines;
    line!.answer = () => new ChannelError('unauthorized', 'HTTP 401', { isPermanent: true });
    const outbox = open();
    tell(outbox);
    await pass(2 * HOUR);
    line!.answer = () => null;
    tell(outbox);
    await settled();
    expect(line!.sent).toHaveLength(2);
    expect(outbox.state(line!.id).lastFailure).toMatchObject({ isPermanent: true, isGivenUp: true });
  });

  it('waits as long as the server asks', async () => {
    const [line] = world.lines;
    line!.answer = () => new ChannelError('busy', 'HTTP 429', { retryAfterMs: 35 * SECOND });
    tell(open());
    await pass(36 * SECOND);
    expect(line!.times).toEqual([0, 35 * SECOND]);
  });

  it('waits for an hour at most, whatever the server asks', async () => {
    const [line] = world.lines;
    line!.answer = () => new ChannelError('busy', 'HTTP 429', { retryAfterMs: 24 * HOUR });
    tell(open());
    await pass(HOUR);
    expect(line!.times).toEqual([0, HOUR]);
  });

  it('survives a restart, with its number of retries', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const before = open();
    const { id } = tell(before);
    await pass(2 * MINUTE);
    await before.stop();
    const after = open();
    expect(after.state(line!.id).lastFailure).toMatchObject({ fault: 'refused' });
    await pass(2 * HOUR);
    expect(line!.sent).toHaveLength(9);
    expect(line!.sent.every(({ facts }) => facts.id === id)).toBe(true);
  });

  it('whose answer was lost in a crash is sent again with the same id; an answered one is not', async () => {
    const [line] = world.lines;
    const answered = Promise.withResolvers<null>();
    line!.answer = () => answered.promise;
    const { id } = tell(open());
    await settled();
    // The first outbox ends without saving, as after a crash.
    const first = world.lines[0]!;
    first.answer = () => null;
    open();
    await settled();
    expect(first.sent.map(({ facts }) => facts.id)).toEqual([id, id]);
    open();
    await pass(HOUR);
    expect(first.sent).toHaveLength(2);
  });

  it('in flight at a stop is awaited', async () => {
    const answered = Promise.withResolvers<null>();
    world.lines[0]!.answer = () => answered.promise;
    const outbox = open();
    tell(outbox);
    await settled();
    const stopped = outbox.stop();
    answered.resolve(null);
    await stopped;
    expect(JSON.parse(world.disk).deliveries).toEqual([]);
  });

  it('that a stop cuts off was not tried: it is sent at the next start', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const [line] = world.lines;
      line!.answer = (_facts, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(DOWN())));
      const outbox = open();
      tell(outbox);
      await settled();
      const stopped = outbox.stop();
      vi.advanceTimersByTime(5000);
      await stopped;
      expect(JSON.parse(world.disk).deliveries).toMatchObject([{ tries: 0 }]);
      line!.answer = () => null;
      open();
      await settled();
      expect(line!.kinds).toEqual(['fired', 'fired']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('channels', () => {
  it('do not wait for each other', async () => {
    const [stuck, other] = [world.lines[0]!, new Line()];
    world.lines.push(other);
    stuck.answer = () => new Promise(() => {});
    const outbox = open();
    for (let count = 0; count < 3; count += 1) tell(outbox);
    await settled();
    expect([stuck.sent.length, other.sent.length]).toEqual([1, 3]);
  });

  it('that are off get nothing, and lose waiting messages when they are turned off or deleted', async () => {
    const [off, later, deleted] = [world.lines[0]!, new Line(), new Line()];
    world.lines.push(later, deleted);
    off.isOn = false;
    later.answer = DOWN;
    deleted.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await settled();
    later.isOn = false;
    world.lines = [off, later];
    outbox.forget(deleted.id);
    outbox.reconsider();
    await pass(HOUR);
    expect([off.sent.length, later.sent.length, deleted.sent.length]).toEqual([0, 1, 1]);
    expect(JSON.parse(JSON.stringify(outbox.snapshot().deliveries))).toEqual([]);
  });

  it('that are deleted or off keep no message of theirs, and the others keep all', () => {
    const [kept, deleted, off] = [world.lines[0]!, new Line(), new Line()];
    world.lines.push(deleted, off);
    off.isOn = false;
    const outbox = open();
    tell(outbox);
    const channels = () => outbox.snapshot().deliveries.map(({ channel }) => channel);
    expect(channels()).toEqual([kept.id, deleted.id]);
    outbox.forget(deleted.id);
    expect(channels()).toEqual([kept.id]);
    kept.isOn = false;
    outbox.reconsider();
    expect(channels()).toEqual([]);
  });

  it('that are deleted leave nothing, also if an answer comes later', async () => {
    const [line] = world.lines;
    const answered = Promise.withResolvers<null>();
    line!.answer = () => answered.promise;
    const outbox = open();
    tell(outbox);
    await settled();
    world.lines = [];
    outbox.forget(line!.id);
    answered.resolve(null);
    await settled();
    expect(outbox.snapshot()).toEqual({ deliveries: [], records: {} });
  });

  it('are tested once, regardless of limit and quiet hours', async () => {
    const [line] = world.lines;
    world.quiet = { from: '00:00', to: '23:59' };
    line!.maxPerHour = 1;
    line!.answer = DOWN;
    const outbox = open();
    tell(outbox, { alert: someAlert({ severity: 'critical' }) });
    await settled();
    const test = someFacts({ kind: 'test', alert: null });
    expect(await outbox.sendOnce(test, line!.id)).toMatchObject({ fault: 'refused' });
    expect(outbox.state(line!.id).lastFailure).toMatchObject({ isGivenUp: true });
    line!.answer = () => null;
    expect(await outbox.sendOnce(test, line!.id)).toBeNull();
    expect(outbox.state(line!.id).lastSuccessAt).toBe(AT);
  });
});

describe('messages about one alert', () => {
  it('are sent in their order, with any number of retries', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await pass(MINUTE);
    tell(outbox, { alert: ended(alert), kind: 'ended' });
    tell(outbox);
    await pass(SECOND);
    // A message about another alert does not wait.
    expect(line!.sent.at(-1)!.facts.alert!.id).not.toBe(alert.id);
    line!.answer = () => null;
    await pass(20 * MINUTE);
    expect(line!.kinds.slice(-2)).toEqual(['fired', 'ended']);
    expect(outbox.state(line!.id).waiting).toBe(0);
  });

  it('are not repeated while the first one still waits', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await pass(2 * SECOND);
    tell(outbox, { alert, kind: 'repeated' });
    expect(outbox.state(line!.id).waiting).toBe(1);
  });

  it('are queued once, however often they are found', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    const facts = tell(outbox);
    await settled();
    tell(outbox, facts);
    expect(outbox.state(line!.id).waiting).toBe(1);
  });

  it('that were not sent yet are withdrawn when the owner has seen the alert', async () => {
    world.quiet = { from: '09:00', to: '10:00' };
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await settled();
    outbox.withdraw(alert.id);
    await pass(HOUR);
    expect(world.lines[0]!.sent).toEqual([]);
  });

  it('are withdrawn while they are written to the disk, too', async () => {
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    outbox.withdraw(alert.id);
    await settled();
    expect(world.story).not.toContain('sent fired');
    expect(outbox.state(world.lines[0]!.id).waiting).toBe(0);
  });

  it('that a server may have got are not withdrawn', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await settled();
    outbox.withdraw(alert.id);
    line!.answer = () => null;
    await pass(MINUTE);
    expect(line!.kinds).toEqual(['fired', 'fired']);
  });

  it('wait for those of their own channel only', async () => {
    const [down, up] = [world.lines[0]!, new Line()];
    world.lines.push(up);
    down.answer = DOWN;
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await settled();
    tell(outbox, { alert: ended(alert), kind: 'ended' });
    await settled();
    expect([down.kinds, up.kinds]).toEqual([['fired'], ['fired', 'ended']]);
  });
});

describe('a clock that is set', () => {
  it('back by a day delays no message by a day', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await pass(10 * SECOND);
    world.clock.set(AT - 24 * HOUR);
    line!.answer = () => null;
    await pass(2 * MINUTE);
    expect(outbox.state(line!.id).waiting).toBe(0);
  });

  it('forward by a day drops no message', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await pass(10 * SECOND);
    world.clock.set(AT + 24 * HOUR);
    await pass(MINUTE);
    expect(outbox.state(line!.id).waiting).toBe(1);
    line!.answer = () => null;
    await pass(20 * MINUTE);
    expect(outbox.state(line!.id)).toMatchObject({ waiting: 0, lastFailure: { isGivenUp: false } });
  });

  it('back keeps no channel at its limit', async () => {
    const [line] = world.lines;
    line!.maxPerHour = 1;
    const outbox = open();
    tell(outbox);
    await settled();
    world.clock.set(AT - 24 * HOUR);
    tell(outbox);
    await settled();
    expect(line!.kinds).toEqual(['fired', 'fired']);
  });
});
