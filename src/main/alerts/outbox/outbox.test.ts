import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { AT, someAlert, someFacts, someNotice } from '../../../../test/support/alert-notices.ts';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import type { Alert } from '../../../shared/alerts/alert.ts';
import { ChannelError } from '../channels/channel.ts';
import type { NoticeFacts } from '../channels/notice.ts';
import { readOutbox } from './delivery.ts';
import { Outbox } from './outbox.ts';
import type { QuietHours } from './quiet-hours.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A channel of the test: what it was sent when, and how it answers. */
class Line {
  readonly id = randomUUID();
  readonly sent: { readonly at: number; readonly facts: NoticeFacts }[] = [];
  isOn = true;
  maxPerHour = 20;
  /** Asked at each message; null: it is taken. */
  answer: (facts: NoticeFacts) => ChannelError | null | Promise<null> = () => null;

  get kinds(): string[] {
    return this.sent.map(({ facts }) => facts.kind);
  }

  /** When messages came, after the first. */
  get times(): number[] {
    return this.sent.map(({ at }) => at - this.sent[0]!.at);
  }
}

const DOWN = () => new ChannelError('refused', 'ECONNREFUSED');

let clock: FakeClock;
let lines: Line[];
let quiet: QuietHours | null;
/** What is on disk. */
let disk: string;
/** What happened, in order. */
let story: string[];
let isDiskFull: boolean;

beforeEach(() => {
  clock = new FakeClock(AT);
  [lines, quiet, disk, story, isDiskFull] = [[new Line()], null, 'null', [], false];
});

/** An outbox as after a start: with what is on disk. */
function open(): Outbox {
  const outbox: Outbox = new Outbox(
    {
      ...{ log: pino({ level: 'silent' }), clock, timeZone: 'UTC' },
      channel: (id) => {
        const line = lines.find((each) => each.id === id);
        if (line === undefined) return null;
        return {
          channel: {
            send: async ({ id: notice }) => {
              const facts = known.get(notice)!;
              story.push(`sent ${facts.kind}`);
              line.sent.push({ at: clock.now(), facts });
              const error = await line.answer(facts);
              if (error !== null) throw error;
            },
          },
          isOn: line.isOn,
          maxPerHour: line.maxPerHour,
          words: (facts) => {
            known.set(facts.id, facts);
            return { ...someNotice(), id: facts.id };
          },
        };
      },
      quietHours: () => quiet,
      persist: async () => {
        if (isDiskFull) return false;
        story.push('saved');
        disk = JSON.stringify(outbox.snapshot());
        return true;
      },
      onChange: () => {},
    },
    readOutbox(JSON.parse(disk)).outbox,
  );
  outbox.start();
  return outbox;
}
const known = new Map<string, NoticeFacts>();

function tell(outbox: Outbox, change: Partial<NoticeFacts> = {}, to: readonly Line[] = lines): NoticeFacts {
  const facts = someFacts({ at: clock.now(), ...change });
  outbox.put(
    facts,
    to.map(({ id }) => id),
  );
  outbox.wake();
  return facts;
}

/** What is under way has come to its end: nothing here waits for anything but promises. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
const pass = (ms: number) => clock.pass(ms, settled);

describe('a message', () => {
  it('is on disk before it is sent, and off it after the answer', async () => {
    const outbox = open();
    tell(outbox);
    await settled();
    expect(story).toEqual(['saved', 'sent fired', 'saved']);
    expect(JSON.parse(disk).deliveries).toEqual([]);
    expect(outbox.state(lines[0]!.id)).toMatchObject({ lastSuccessAt: AT, lastFailure: null, waiting: 0, held: 0 });
    expect(clock.timers).toBe(0);
  });

  it('is sent all the same where the disk takes nothing', async () => {
    isDiskFull = true;
    tell(open());
    await settled();
    expect(lines[0]!.kinds).toEqual(['fired']);
  });

  it('that a channel does not take is tried again with the same id, over an hour, then given up', async () => {
    const [line] = lines;
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

  it('comes through a channel that was down for an hour less a moment', async () => {
    const [line] = lines;
    line!.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await pass(HOUR - 1);
    expect(outbox.state(line!.id)).toMatchObject({ waiting: 1, lastFailure: { isGivenUp: false } });
    line!.answer = () => null;
    await pass(1);
    expect(outbox.state(line!.id)).toMatchObject({ waiting: 0, lastSuccessAt: AT + HOUR });
  });

  it('that is refused for good is not tried again, and the next is sent', async () => {
    const [line] = lines;
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

  it('waits for as long as the other side asks', async () => {
    const [line] = lines;
    line!.answer = () => new ChannelError('busy', 'HTTP 429', { retryAfterMs: 35 * SECOND });
    tell(open());
    await pass(36 * SECOND);
    expect(line!.times).toEqual([0, 35 * SECOND]);
  });

  it('survives a start in between, with its tries', async () => {
    const [line] = lines;
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

  it('whose answer a crash lost is sent again with the same id, and one whose answer came is not', async () => {
    const [line] = lines;
    const answered = Promise.withResolvers<null>();
    line!.answer = () => answered.promise;
    const { id } = tell(open());
    await settled();
    // The first outbox is gone without a word.
    const first = lines[0]!;
    first.answer = () => null;
    open();
    await settled();
    expect(first.sent.map(({ facts }) => facts.id)).toEqual([id, id]);
    open();
    await pass(HOUR);
    expect(first.sent).toHaveLength(2);
  });

  it('that is being sent when the node stops is waited for', async () => {
    const answered = Promise.withResolvers<null>();
    lines[0]!.answer = () => answered.promise;
    const outbox = open();
    tell(outbox);
    await settled();
    const stopped = outbox.stop();
    answered.resolve(null);
    await stopped;
    expect(JSON.parse(disk).deliveries).toEqual([]);
  });

  it('in a kept outbox that can’t be read keeps no other from being sent', async () => {
    const outbox = open();
    lines[0]!.answer = DOWN;
    tell(outbox);
    await settled();
    const kept = JSON.parse(disk);
    disk = JSON.stringify({ ...kept, deliveries: [{ from: 'a later version' }, ...kept.deliveries] });
    expect(readOutbox(JSON.parse(disk))).toMatchObject({ wrong: 1, outbox: { deliveries: [{ tries: 1 }] } });
    expect(readOutbox('nonsense')).toMatchObject({ wrong: 1, outbox: { deliveries: [] } });
    expect(readOutbox(undefined).wrong).toBe(0);
  });
});

describe('channels', () => {
  it('don’t wait for each other', async () => {
    const [stuck, other] = [lines[0]!, new Line()];
    lines.push(other);
    stuck.answer = () => new Promise(() => {});
    const outbox = open();
    for (let count = 0; count < 3; count += 1) tell(outbox);
    await settled();
    expect([stuck.sent.length, other.sent.length]).toEqual([1, 3]);
  });

  it('that are off are sent nothing, and one that is turned off or deleted loses what waits', async () => {
    const [off, later, deleted] = [lines[0]!, new Line(), new Line()];
    lines.push(later, deleted);
    off.isOn = false;
    later.answer = DOWN;
    deleted.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await settled();
    later.isOn = false;
    lines = [off, later];
    outbox.forget(deleted.id);
    outbox.reconsider();
    await pass(HOUR);
    expect([off.sent.length, later.sent.length, deleted.sent.length]).toEqual([0, 1, 1]);
    expect(JSON.parse(JSON.stringify(outbox.snapshot().deliveries))).toEqual([]);
  });

  it('are tested past bound and quiet hours, once', async () => {
    const [line] = lines;
    quiet = { from: '00:00', to: '23:59' };
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
  it('are told in their order, whatever the tries', async () => {
    const [line] = lines;
    line!.answer = DOWN;
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await pass(MINUTE);
    tell(outbox, { alert: ended(alert), kind: 'ended' });
    tell(outbox);
    await pass(SECOND);
    // One of another alert does not wait.
    expect(line!.sent.at(-1)!.facts.alert!.id).not.toBe(alert.id);
    line!.answer = () => null;
    await pass(20 * MINUTE);
    expect(line!.kinds.slice(-2)).toEqual(['fired', 'ended']);
    expect(outbox.state(line!.id).waiting).toBe(0);
  });

  it('are not repeated while the first still waits', async () => {
    const [line] = lines;
    line!.answer = DOWN;
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await pass(2 * SECOND);
    tell(outbox, { alert, kind: 'repeated' });
    expect(outbox.state(line!.id).waiting).toBe(1);
  });

  it('that nobody was told yet are taken back when the owner has seen it', async () => {
    quiet = { from: '09:00', to: '10:00' };
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await settled();
    outbox.withdraw(alert.id);
    await pass(HOUR);
    expect(lines[0]!.sent).toEqual([]);
  });
});

describe('quiet hours', () => {
  beforeEach(() => {
    quiet = { from: '22:00', to: '07:00' };
    clock.set(Date.UTC(2026, 10, 22, 23, 30));
  });
  const SEVEN = Date.UTC(2026, 10, 23, 7);

  it('hold warnings back until they end, and never what is critical', async () => {
    const [line] = lines;
    const outbox = open();
    tell(outbox);
    tell(outbox, { alert: someAlert({ severity: 'critical' }) });
    await pass(0);
    expect(line!.sent.map(({ facts }) => facts.severity)).toEqual(['critical']);
    expect(outbox.state(line!.id).waiting).toBe(1);
    await pass(9 * HOUR);
    expect(line!.sent.map(({ at, facts }) => [facts.severity, at])).toEqual([
      ['critical', Date.UTC(2026, 10, 22, 23, 30)],
      ['warning', SEVEN],
    ]);
  });

  it('say nothing of what began and ended in them, and once what goes on', async () => {
    const [line] = lines;
    const outbox = open();
    const [over, on] = [someAlert(), someAlert()];
    tell(outbox, { alert: over });
    tell(outbox, { alert: on });
    await pass(HOUR);
    tell(outbox, { alert: on, kind: 'repeated' });
    tell(outbox, { alert: ended(over), kind: 'ended' });
    await pass(9 * HOUR);
    expect(line!.sent.map(({ facts }) => [facts.alert!.id, facts.kind])).toEqual([[on.id, 'fired']]);
  });

  it('tell afterwards that something ended which was told before them', async () => {
    const [line] = lines;
    clock.set(Date.UTC(2026, 10, 22, 21, 0));
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await pass(2 * HOUR);
    tell(outbox, { alert, kind: 'repeated' });
    await pass(HOUR);
    tell(outbox, { alert: ended(alert), kind: 'ended' });
    await pass(9 * HOUR);
    expect(line!.kinds).toEqual(['fired', 'ended']);
    expect(line!.sent[1]!.at).toBe(SEVEN);
  });

  it('also hold back a warning whose tries began before them, and survive a start', async () => {
    const [line] = lines;
    clock.set(Date.UTC(2026, 10, 22, 21, 59, 58));
    line!.answer = DOWN;
    const before = open();
    tell(before);
    await pass(MINUTE);
    expect(line!.sent).toHaveLength(1);
    await before.stop();
    line!.answer = () => null;
    open();
    await pass(10 * HOUR);
    expect(line!.sent.map(({ at }) => at)).toEqual([Date.UTC(2026, 10, 22, 21, 59, 58), SEVEN]);
  });

  it('that the owner ends let out what they held', async () => {
    const outbox = open();
    tell(outbox);
    await settled();
    expect(lines[0]!.sent).toEqual([]);
    quiet = null;
    outbox.reconsider();
    await settled();
    expect(lines[0]!.sent).toHaveLength(1);
  });
});

describe('the bound of an hour', () => {
  const name = (text: string) => ({ id: 'ab'.repeat(32), name: text, unit: null });

  it('is told of in one message beyond it', async () => {
    const [line] = lines;
    const outbox = open();
    for (let count = 0; count < 50; count += 1) {
      tell(outbox, { device: name(`Tank ${count % 33}`) });
      await pass(SECOND);
    }
    expect(line!.sent).toHaveLength(20);
    expect(outbox.state(line!.id)).toMatchObject({ held: 30, waiting: 0 });
    await pass(59 * MINUTE);
    expect(line!.kinds.slice(20)).toEqual(['summary']);
    const { held, severity } = line!.sent.at(-1)!.facts;
    expect(severity).toBe('warning');
    expect(held!.count).toBe(30);
    expect(held!.about).toContain('Tank 20');
    expect(held!.about.length).toBeLessThanOrEqual(10);
  });

  it('lets messages through again as the hour goes by, and counts each channel for itself', async () => {
    const [tight, wide] = [lines[0]!, new Line()];
    lines.push(wide);
    tight.maxPerHour = 2;
    const outbox = open();
    for (let count = 0; count < 7; count += 1) {
      tell(outbox);
      await pass(20 * MINUTE);
    }
    expect(wide.sent).toHaveLength(7);
    expect(tight.sent.filter(({ facts }) => facts.kind === 'fired').map(({ at }) => (at - AT) / MINUTE)).toEqual([
      0, 20, 60, 80, 120,
    ]);
  });

  it('does not keep what is critical for an hour', async () => {
    const [line] = lines;
    line!.maxPerHour = 1;
    const outbox = open();
    tell(outbox);
    tell(outbox);
    await pass(2 * MINUTE);
    expect(line!.kinds).toEqual(['fired', 'summary']);
    tell(outbox);
    await pass(MINUTE);
    tell(outbox, { alert: someAlert({ severity: 'critical' }), device: name('Roof') });
    await pass(10 * MINUTE);
    expect(line!.kinds).toEqual(['fired', 'summary', 'summary']);
    expect(line!.sent.at(-1)!.facts).toMatchObject({
      severity: 'critical',
      held: { count: 2, about: ['Roof', expect.any(String)] },
    });
  });

  it('holds over a start', async () => {
    lines[0]!.maxPerHour = 1;
    const before = open();
    tell(before);
    tell(before);
    await settled();
    await before.stop();
    open();
    await pass(2 * MINUTE);
    expect(lines[0]!.kinds).toEqual(['fired', 'summary']);
  });
});

describe('a clock that is set', () => {
  it('back by a day keeps no message for a day', async () => {
    const [line] = lines;
    line!.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await pass(10 * SECOND);
    clock.set(AT - 24 * HOUR);
    line!.answer = () => null;
    await pass(2 * MINUTE);
    expect(outbox.state(line!.id).waiting).toBe(0);
  });

  it('forward by a day gives no message up', async () => {
    const [line] = lines;
    line!.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await pass(10 * SECOND);
    clock.set(AT + 24 * HOUR);
    await pass(MINUTE);
    expect(outbox.state(line!.id).waiting).toBe(1);
    line!.answer = () => null;
    await pass(20 * MINUTE);
    expect(outbox.state(line!.id)).toMatchObject({ waiting: 0, lastFailure: { isGivenUp: false } });
  });

  it('back keeps no channel at its bound', async () => {
    const [line] = lines;
    line!.maxPerHour = 1;
    const outbox = open();
    tell(outbox);
    await settled();
    clock.set(AT - 24 * HOUR);
    tell(outbox);
    await settled();
    expect(line!.kinds).toEqual(['fired', 'fired']);
  });
});

function ended(alert: Alert): Alert {
  return { ...alert, endedAt: clock.now(), ended: 'back' };
}
