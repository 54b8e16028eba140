import fc from 'fast-check';
import { type Logger, pino } from 'pino';
import { expect, it } from 'vitest';
import { RANGE_RULE } from '../../../test/support/alerts.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { newWorld, open as openOutbox, settled, tell, world } from '../../../test/support/outbox.ts';
import { runs } from '../../../test/support/thorough.ts';
import { TimedAlerts } from '../../../test/support/timed-alerts.ts';
import { ChannelError } from '../alerts/channels/channel.ts';
import { ALERTS_FILE, NO_ALERTS } from '../alerts/state/document.ts';
import { NodeClock } from '../clock/node-clock.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { Pairings } from '../door/pairing/pairings.ts';
import { KnownNodes } from '../nodes/known-nodes.ts';
import { SeenFile } from '../nodes/seen-file.ts';
import { openStateFile } from './damaged-files.ts';

const RUNS = runs(15);
const log = pino({ enabled: false });
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Passing milliseconds, with fractions like those of real clocks. */
const span = fc.double({ min: 0, max: 3 * DAY, noNaN: true });
/** Names of people and devices, usual and odd ones. */
const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', '__proto__', '\ud800', 'a\u0000b', '"\\\n', '🌱'.repeat(50), '\u202egnp.exe'),
);
/** 1970, now, and the last second of the year 9999. */
const wall = fc.constantFrom(20_000, Date.UTC(2026, 10, 22), 253_402_300_799_000);

/** Runs a test with a folder and a log, and checks that nothing was logged. */
async function inFolder(run: (folder: { path: string; log: Logger }) => Promise<void>): Promise<void> {
  const path = temporaryFolder();
  const logged: string[] = [];
  try {
    await run({ path, log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }) });
    expect(logged).toEqual([]);
  } finally {
    removeFolder(path);
  }
}

type Action = (node: TimedAlerts) => unknown;
const device = (node: TimedAlerts) => node.device;
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: span.map((ms) => (node: TimedAlerts) => node.pass(ms, Math.round(ms))) },
  {
    weight: 6,
    arbitrary: fc
      .record({
        ph: fc.constantFrom(0, 4.8, 5.1234567, 6, 14, -1e9, 1e9, Number.MIN_VALUE),
        timestamp: fc.option(fc.nat()),
      })
      .map(
        ({ ph, timestamp }) =>
          (node: TimedAlerts) =>
            node.receive({ ph }, timestamp ?? node.wall),
      ),
  },
  wall.map((at) => async (node: TimedAlerts) => {
    node.wall = at;
    await node.pass(0.25, 0);
  }),
  name.map((text) => async (node: TimedAlerts) => {
    // In the form that the contract accepts.
    await node.write({ ...RANGE_RULE, name: [...text.trim()].slice(0, 40).join('').trim() });
  }),
  fc.nat(200).map((count) => (node: TimedAlerts) => {
    const blocks = Array.from({ length: count }, () => ({
      deviceId: device(node),
      cause: 'invalid_signature' as const,
    }));
    node.events.emit('refused', () => ({ store: 'private', blocks }));
  }),
  fc.double({ min: 0, max: 100, noNaN: true }).map((batteryPercent) => (node: TimedAlerts) => {
    node.events.emit('deviceSaid', () => ({ deviceId: device(node), batteryPercent, failedSensors: ['ph'] }));
  }),
  fc.boolean().map((isLost) => (node: TimedAlerts) => node.events.emit('gateState', () => ({ isLost }))),
  fc.constant((node: TimedAlerts) => {
    node.events.emit('knocked', () => ({ store: 'private', deviceId: 'cd'.repeat(32), attempts: 3 }));
  }),
  span.map((ms) => (node: TimedAlerts) => {
    node.withoutBackupSince = Math.max(0, node.wall - 3 * DAY - ms);
  }),
  fc.integer({ min: -3 * DAY, max: 3 * DAY }).map((by) => (node: TimedAlerts) => {
    node.events.emit('clockMoved', () => ({ by, from: node.wall - DAY, to: node.wall }));
  }),
  fc.constantFrom('acknowledge', 'snooze').map((kind) => async (node: TimedAlerts) => {
    const alert = (await node.live()).find(({ state }) => state !== 'pending');
    if (alert === undefined) return;
    if (kind === 'acknowledge') await node.alerts.handlers.acknowledgeAlert({ id: alert.id });
    else await node.alerts.handlers.snoozeAlert({ id: alert.id, until: 8_640_000_000_000_000 });
  }),
);

it('after any sequence of alerts, the stored state is the real one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), wall, async (actions, begin) => {
      const node = await TimedAlerts.start();
      try {
        node.wall = begin;
        for (const each of actions) await each(node);
        await node.alerts.save();
        const { rules, firings, handlers } = node.alerts;
        const options = await handlers.alertOptions({});
        const file = openStateFile(ALERTS_FILE, { path: node.stores.folder, log, now: () => 0 });
        expect(file.read()).toMatchObject({ rules: rules.all, live: firings.all, options });
        const endedIds = async () => (await node.ended()).map(({ id }) => id);
        const [before, ended] = [rules.all, await endedIds()];
        await node.alerts.stop();
        await node.start();
        expect(node.alerts.rules.all).toEqual(before);
        // A start may find further ones in the stores.
        expect(await endedIds()).toEqual(expect.arrayContaining(ended));
        expect(node.logged).toEqual([]);
      } finally {
        await node.dispose();
      }
    }),
    RUNS,
  );
});

it('for any answers of servers, pending messages survive a restart', async () => {
  const answer = fc.oneof(
    fc.constant(null),
    fc
      .double({ min: 0, max: 1e7, noNaN: true })
      .map((retryAfterMs) => new ChannelError('busy', 'later', { retryAfterMs })),
    name.map((detail) => new ChannelError('rejected', detail, { isPermanent: true })),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(answer, fc.nat(20 * MINUTE)), { minLength: 1, maxLength: 8 }), async (steps) => {
      await inFolder(async (folder) => {
        newWorld();
        const outbox = openOutbox();
        for (const [error, ms] of steps) {
          world.lines[0]!.answer = () => error;
          tell(outbox);
          await settled();
          await world.clock.pass(ms, settled);
        }
        await outbox.stop();
        const file = openStateFile(ALERTS_FILE, { ...folder, now: () => 0 });
        await file.write(() => ({ ...NO_ALERTS, outbox: outbox.snapshot() }));
        expect(file.read()?.outbox).toEqual(outbox.snapshot());
      });
    }),
    RUNS,
  );
});

it('pairings with any name and time survive a restart', async () => {
  const who = fc.record({ name, endsIn: fc.option(fc.integer({ min: 1, max: DAY })), wall, isAll: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(who, { minLength: 1, maxLength: 8 }), fc.nat(), async (all, revoked) => {
      await inFolder(async ({ path, log }) => {
        let now = 0;
        const clock = { ...SYSTEM_CLOCK, now: () => now, steady: () => now / 3 };
        const pairings = new Pairings(path, clock, log);
        for (const each of all) {
          now = each.wall;
          const devices = each.isAll ? null : ['ab'.repeat(32)];
          const endsAt = each.endsIn && now + each.endsIn;
          const made = {
            name: each.name,
            role: 'viewer',
            devices,
            mayUnlock: true,
            mayLog: false,
            kind: 'app',
            ownerKey: null,
            endsAt,
          } as const;
          const { token } = await pairings.add(made);
          pairings.callerOf(token, each.name);
        }
        const one = pairings.all[revoked % all.length];
        if (one !== undefined) await pairings.revoke(one.id);
        await pairings.setKeys(['cd'.repeat(32)]);
        await pairings.close();
        const again = new Pairings(path, clock, log);
        expect([again.all, again.keys]).toEqual([pairings.all, pairings.keys]);
      });
    }),
    RUNS,
  );
});

it('for any machine’s clocks, their state survives a restart', async () => {
  const look = fc.record({ ms: span, set: fc.option(fc.oneof(wall, fc.double({ min: 0, max: 4e12, noNaN: true }))) });
  await fc.assert(
    fc.asyncProperty(fc.array(look, { maxLength: 15 }), wall, async (looks, begin) => {
      await inFolder(async ({ path, log }) => {
        const machine = { wallNow: begin, steadyNow: 5.125 };
        const clocks = {
          ...SYSTEM_CLOCK,
          wall: () => machine.wallNow,
          steady: () => machine.steadyNow,
          uptime: () => machine.steadyNow + 20_000.5,
          isSynchronised: () => null,
          boot: 'boot',
        };
        const open = () => {
          const events = new EventBus<NodeEventMap>(log);
          const clock = new NodeClock({ folder: { path }, events, log, machine: clocks });
          clock.start();
          return clock;
        };
        let clock = open();
        for (const { ms, set } of looks) {
          machine.steadyNow += ms;
          machine.wallNow = set ?? machine.wallNow + ms;
          clock.look();
        }
        const known = ({ info, shifts }: NodeClock) => [info, shifts];
        const before = known(clock);
        clock.stop();
        clock = open();
        clock.stop();
        expect(known(clock)).toEqual(before);
      });
    }),
    RUNS,
  );
});

it('other nodes with any name, and their last answers, survive a restart', async () => {
  const node = fc.record({ name, heardAt: fc.option(wall), json: name });
  await fc.assert(
    fc.asyncProperty(fc.array(node, { maxLength: 6 }), async (nodes) => {
      await inFolder(async (folder) => {
        const files = { ...folder, now: () => 0.5 };
        const known = new KnownNodes(files);
        const idOf = (index: number) => index.toString(16).padStart(64, '0');
        const rest = {
          url: 'https://b',
          fingerprint: '',
          certificate: '',
          token: '',
          role: 'owner',
          addedAt: 1,
        } as const;
        await known.change(() => nodes.map((each, index) => ({ id: idOf(index), name: each.name, ...rest })));
        expect(new KnownNodes(files).all).toEqual(known.all);
        const seen = nodes.map(({ heardAt, json, name: key }, index) => {
          return { id: idOf(index), heardAt, answers: [{ key, at: heardAt ?? 0, json, from: 0.25 }] };
        });
        await new SeenFile(files).write(() => seen);
        expect(new SeenFile(files).read()).toEqual(seen);
      });
    }),
    RUNS,
  );
});
