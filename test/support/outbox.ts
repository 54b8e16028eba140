import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { ChannelError } from '../../src/main/alerts/channels/channel.ts';
import type { NoticeFacts } from '../../src/main/alerts/channels/notice.ts';
import { EMPTY_OUTBOX, keptOutbox } from '../../src/main/alerts/outbox/delivery.ts';
import { Outbox } from '../../src/main/alerts/outbox/outbox.ts';
import type { QuietHours } from '../../src/main/alerts/outbox/quiet-hours.ts';
import type { Alert } from '../../src/shared/alerts/alert.ts';
import { AT, someFacts, someNotice } from './alert-notices.ts';
import { FakeClock } from './fake-clock.ts';

/** A channel of the test: its received messages with their times, and its answer. */
export class Line {
  readonly id = randomUUID();
  readonly sent: { readonly at: number; readonly facts: NoticeFacts }[] = [];
  isOn = true;
  maxPerHour = 20;
  /** Called for each message; null accepts it. `signal` aborts when the outbox stops waiting. */
  answer: (facts: NoticeFacts, signal: AbortSignal) => ChannelError | null | Promise<ChannelError | null> = () => null;

  get kinds(): string[] {
    return this.sent.map(({ facts }) => facts.kind);
  }

  /** The times of the messages since the first. */
  get times(): number[] {
    return this.sent.map(({ at }) => at - this.sent[0]!.at);
  }
}

/** The surroundings of an outbox under test, new for each test. */
class World {
  readonly clock = new FakeClock(AT);
  lines = [new Line()];
  quiet: QuietHours | null = null;
  /** The contents on disk. */
  disk = 'null';
  /** The events, in order. */
  readonly story: string[] = [];
  /** The lines of the log. */
  readonly logged: Record<string, unknown>[] = [];
  /** The number of changes of what the owner sees. */
  changes = 0;
  isDiskFull = false;
  upToDate = (facts: NoticeFacts): NoticeFacts => facts;
}
export let world = new World();

export function newWorld(): void {
  world = new World();
}

/** Returns the error of a channel whose server does not run. */
export const DOWN = () => new ChannelError('refused', 'ECONNREFUSED');

/** Opens an outbox as after a start, with the contents on disk. */
export function open(): Outbox {
  const { logged } = world;
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const outbox: Outbox = new Outbox(
    {
      ...{ log, clock: world.clock, timeZone: () => 'UTC' },
      channel: (id) => {
        const line = world.lines.find((each) => each.id === id);
        if (line === undefined) return null;
        return {
          channel: {
            send: async ({ id: notice }, signal) => {
              const facts = known.get(notice)!;
              world.story.push(`sent ${facts.kind}`);
              line.sent.push({ at: world.clock.now(), facts });
              const error = await line.answer(facts, signal);
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
      upToDate: (facts) => world.upToDate(facts),
      quietHours: () => world.quiet,
      persist: async () => {
        if (world.isDiskFull) return false;
        world.story.push('saved');
        world.disk = JSON.stringify(outbox.snapshot());
        return true;
      },
      onChange: () => {
        world.changes += 1;
      },
    },
    keptOutbox.parse(JSON.parse(world.disk) ?? EMPTY_OUTBOX),
  );
  outbox.start();
  return outbox;
}
const known = new Map<string, NoticeFacts>();

export function tell(
  outbox: Outbox,
  change: Partial<NoticeFacts> = {},
  to: readonly Line[] = world.lines,
): NoticeFacts {
  const facts = someFacts({ at: world.clock.now(), ...change });
  outbox.put(
    facts,
    to.map(({ id }) => id),
  );
  outbox.wake();
  return facts;
}

/** Waits until running work has ended. It waits only for promises here. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
/** Lets time pass. */
export const pass = (ms: number) => world.clock.pass(ms, settled);

/** Returns an alert after its end. */
export function ended(alert: Alert): Alert {
  return { ...alert, endedAt: world.clock.now(), ended: 'back' };
}
