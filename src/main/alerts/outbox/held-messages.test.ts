import { beforeEach, describe, expect, it } from 'vitest';
import { AT, someAlert } from '../../../../test/support/alert-notices.ts';
import { DOWN, ended, Line, newWorld, open, pass, settled, tell, world } from '../../../../test/support/outbox.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

beforeEach(newWorld);

describe('quiet hours', () => {
  beforeEach(() => {
    world.quiet = { from: '22:00', to: '07:00' };
    world.clock.set(Date.UTC(2026, 10, 22, 23, 30));
  });
  const SEVEN = Date.UTC(2026, 10, 23, 7);

  it('hold warnings until they end, but no critical messages', async () => {
    const [line] = world.lines;
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

  it('drop messages about alerts that ended within them, and send one about alerts that continue', async () => {
    const [line] = world.lines;
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

  it('report afterwards the end of an alert that was reported before them', async () => {
    const [line] = world.lines;
    world.clock.set(Date.UTC(2026, 10, 22, 21, 0));
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

  it('also hold a warning that was first tried before them, and survive a restart', async () => {
    const [line] = world.lines;
    world.clock.set(Date.UTC(2026, 10, 22, 21, 59, 58));
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

  it('report the end of an alert whose beginning was tried before them: its answer may have been lost', async () => {
    const [line] = world.lines;
    world.clock.set(Date.UTC(2026, 10, 22, 21, 59, 58));
    line!.answer = DOWN;
    const outbox = open();
    const alert = someAlert();
    tell(outbox, { alert });
    await pass(MINUTE);
    line!.answer = () => null;
    tell(outbox, { alert: ended(alert), kind: 'ended' });
    await pass(10 * HOUR);
    expect(line!.kinds).toEqual(['fired', 'fired', 'ended']);
  });

  it('do not hold a message for longer if the clock is set back', async () => {
    const [line] = world.lines;
    const outbox = open();
    tell(outbox);
    await pass(MINUTE);
    // It is quiet until the morning of the day before.
    world.clock.set(Date.UTC(2026, 10, 21, 23, 30));
    await pass(8 * HOUR);
    expect(line!.sent.map(({ at }) => at)).toEqual([Date.UTC(2026, 10, 22, 7)]);
    world.clock.set(Date.UTC(2026, 10, 22, 23, 30));
    tell(outbox);
    await pass(MINUTE);
    // It is not quiet at this time.
    world.clock.set(Date.UTC(2026, 10, 22, 15));
    await pass(MINUTE);
    expect(line!.sent).toHaveLength(2);
  });

  it('that the owner ends release the held messages', async () => {
    const outbox = open();
    tell(outbox);
    await settled();
    expect(world.lines[0]!.sent).toEqual([]);
    world.quiet = null;
    outbox.reconsider();
    await settled();
    expect(world.lines[0]!.sent).toHaveLength(1);
  });
});

describe('the bound of an hour', () => {
  const name = (text: string) => ({ id: 'ab'.repeat(32), name: text, unit: null });

  it('replaces the messages beyond it by one with their number', async () => {
    const [line] = world.lines;
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

  it('allows messages again as time passes, and counts each channel separately', async () => {
    const [tight, wide] = [world.lines[0]!, new Line()];
    world.lines.push(wide);
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

  it('counts a message once, however often it is tried', async () => {
    const [line] = world.lines;
    line!.maxPerHour = 1;
    line!.answer = DOWN;
    const outbox = open();
    tell(outbox);
    await pass(MINUTE);
    expect(line!.kinds).toEqual(['fired', 'fired', 'fired']);
    expect(outbox.state(line!.id)).toMatchObject({ held: 0, waiting: 1 });
  });

  it('does not delay critical messages for an hour', async () => {
    const [line] = world.lines;
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

  it('reports soon that a critical message was among them, whatever follows; the end of one is none', async () => {
    const [line] = world.lines;
    line!.maxPerHour = 1;
    const outbox = open();
    tell(outbox);
    tell(outbox);
    await pass(2 * MINUTE);
    const critical = someAlert({ severity: 'critical' });
    tell(outbox, { alert: ended(critical), kind: 'ended', device: name('Cellar') });
    await pass(20 * MINUTE);
    expect(line!.kinds).toEqual(['fired', 'summary']);
    tell(outbox, { alert: critical, device: name('Roof') });
    await pass(MINUTE);
    expect(line!.sent.at(-1)!.facts).toMatchObject({ severity: 'critical', held: { about: ['Roof', 'Cellar'] } });
    tell(outbox, { alert: someAlert({ severity: 'critical' }), device: name('Shed') });
    tell(outbox, { device: name('Hall') });
    await pass(10 * MINUTE);
    expect(line!.kinds).toEqual(['fired', 'summary', 'summary', 'summary']);
    expect(line!.sent.at(-1)!.facts).toMatchObject({ severity: 'critical', held: { about: ['Shed', 'Hall'] } });
  });

  it('reports them soon, too, if the clock was set back', async () => {
    const [line] = world.lines;
    line!.maxPerHour = 1;
    const outbox = open();
    tell(outbox);
    tell(outbox);
    await pass(2 * MINUTE);
    world.clock.set(AT - 24 * HOUR);
    tell(outbox);
    tell(outbox);
    await pass(2 * MINUTE);
    expect(line!.kinds).toEqual(['fired', 'summary', 'fired', 'summary']);
  });

  it('survives a restart', async () => {
    world.lines[0]!.maxPerHour = 1;
    const before = open();
    tell(before);
    tell(before);
    await settled();
    await before.stop();
    open();
    await pass(2 * MINUTE);
    expect(world.lines[0]!.kinds).toEqual(['fired', 'summary']);
  });
});
