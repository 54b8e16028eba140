import { beforeEach, describe, expect, it } from 'vitest';
import { AT, someFacts } from '../../../../test/support/alert-notices.ts';
import { DOWN, Line, newWorld, open, pass, settled, tell, world } from '../../../../test/support/outbox.ts';

// What an outbox says of its work: to the owner, and in the log; and that it is silent once it stopped.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

beforeEach(newWorld);

describe('the owner', () => {
  it('sees of each channel how many messages wait, and its last success beside a later failure', async () => {
    const [line, other] = [world.lines[0]!, new Line()];
    world.lines.push(other);
    const outbox = open();
    tell(outbox, {}, [line]);
    await pass(MINUTE);
    line.answer = DOWN;
    other.answer = DOWN;
    tell(outbox, {}, [line]);
    for (let count = 0; count < 2; count += 1) tell(outbox, {}, [other]);
    await settled();
    expect(outbox.state(line.id)).toMatchObject({
      ...{ waiting: 1, lastSuccessAt: AT },
      lastFailure: { at: AT + MINUTE, isGivenUp: false },
    });
    expect(outbox.state(other.id)).toMatchObject({ waiting: 2, lastSuccessAt: null });
    expect(outbox.state('unknown')).toEqual({ waiting: 0, held: 0, lastSuccessAt: null, lastFailure: null });
  });

  it('gets an event for each change', async () => {
    const outbox = open();
    outbox.put(
      someFacts(),
      world.lines.map(({ id }) => id),
    );
    expect(world.changes).toBe(1);
    outbox.wake();
    await settled();
    expect(world.changes).toBe(3);
    await outbox.sendOnce(someFacts({ kind: 'test', alert: null }), world.lines[0]!.id);
    expect(world.changes).toBe(4);
  });

  it('can’t test a channel that does not exist', async () => {
    const error = await open().sendOnce(someFacts({ kind: 'test', alert: null }), 'unknown');
    expect(error).toMatchObject({ fault: 'not_found', detail: 'there is no such channel' });
  });

  it('gets summaries and tests in quiet hours, and summaries beyond the bound of an hour', async () => {
    const [line] = world.lines;
    world.quiet = { from: '00:00', to: '23:59' };
    line!.maxPerHour = 1;
    const outbox = open();
    tell(outbox, { kind: 'test', alert: null });
    tell(outbox, { kind: 'digest', alert: null });
    tell(outbox, { kind: 'digest', alert: null });
    tell(outbox);
    await settled();
    expect(line!.kinds).toEqual(['test', 'digest', 'digest']);
    expect(outbox.state(line!.id)).toMatchObject({ waiting: 1, held: 0 });
  });
});

describe('a stopped outbox', () => {
  it('sends nothing, and sets no timer', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    for (let count = 0; count < 2; count += 1) {
      tell(outbox);
      await settled();
    }
    expect(world.clock.timers).toBe(1);
    await outbox.stop();
    expect(world.clock.timers).toBe(0);
    tell(outbox);
    await pass(HOUR);
    expect([line!.kinds, world.clock.timers]).toEqual([['fired', 'fired'], 0]);
  });

  it('does not send what was being written when it stopped', async () => {
    const outbox = open();
    tell(outbox);
    const stopped = outbox.stop();
    await settled();
    await stopped;
    expect([world.lines[0]!.kinds, outbox.snapshot().deliveries.length]).toEqual([[], 1]);
  });
});

describe('the log', () => {
  it('has each failure with its channel and message, and no secret', async () => {
    const [line] = world.lines;
    line!.answer = DOWN;
    const outbox = open();
    const { id } = tell(outbox);
    await settled();
    const failure = { channel: line!.id, notice: id, fault: 'refused', detail: 'ECONNREFUSED' };
    const again = 'an alert message was not taken, and is tried again';
    expect(world.logged).toEqual([{ level: 30, ...failure, tries: 1, msg: again }]);
    await pass(HOUR);
    expect(world.logged).toHaveLength(9);
    expect(world.logged[8]).toEqual({ level: 40, ...failure, tries: 9, msg: 'an alert message was given up' });
  });

  it('has only the name of an error that is a defect, and the message is tried again', async () => {
    const [line] = world.lines;
    line!.answer = () => {
      throw new RangeError('a secret');
    };
    const outbox = open();
    const { id } = tell(outbox);
    await settled();
    expect(world.logged[0]).toEqual({
      ...{ level: 50, fault: 'RangeError', notice: id },
      msg: 'an alert message could not be sent',
    });
    expect(JSON.stringify(world.logged)).not.toContain('a secret');
    expect(outbox.state(line!.id)).toMatchObject({
      waiting: 1,
      lastFailure: { fault: 'unreachable', detail: 'a fault of Wellhouse', isPermanent: false, isGivenUp: false },
    });
  });

  it('has what stops the sending, and the next message is sent', async () => {
    world.upToDate = () => {
      throw new Error('no facts');
    };
    const outbox = open();
    tell(outbox);
    await settled();
    expect(world.logged).toMatchObject([
      { level: 50, channel: world.lines[0]!.id, err: { message: 'no facts' }, msg: 'sending alerts failed' },
    ]);
    world.upToDate = (facts) => facts;
    tell(outbox);
    await settled();
    expect(world.lines[0]!.kinds).toEqual(['fired', 'fired']);
  });

  it('has the messages beyond the bound of an hour', async () => {
    world.lines[0]!.maxPerHour = 1;
    const outbox = open();
    tell(outbox);
    const { id } = tell(outbox);
    await settled();
    expect(world.logged).toEqual([
      {
        ...{ level: 30, channel: world.lines[0]!.id, notice: id },
        msg: 'too many alert messages in an hour: told together later',
      },
    ]);
  });
});
