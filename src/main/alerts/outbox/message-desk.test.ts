import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert } from '../../../../test/support/alert-notices.ts';
import { AlertServer, asNtfy, asTelegram } from '../../../../test/support/alert-servers.ts';
import { FakeClock } from '../../../../test/support/fake-clock.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { type ChannelConfig, NO_OPTIONS } from '../../../shared/alerts/channel.ts';
import { NO_NOTES } from '../../../shared/owner-data/notes.ts';
import { COUNTED } from '../../../shared/wellness/sentence.ts';
import { EventBus } from '../../common/event-bus.ts';
import type { NodeEventMap } from '../../common/node-events.ts';
import type { DigestFacts } from '../digest/facts.ts';
import type { News } from '../news.ts';
import { NO_ALERTS } from '../state/document.ts';
import { MessageDesk } from './message-desk.ts';

const MINUTE = 60_000;
const BOT = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

let folder: string;
let clock: FakeClock;
let lines: string[];
/** The events of the desk that was opened last. */
let events: EventBus<NodeEventMap>;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  [folder, clock, lines] = [temporaryFolder(), new FakeClock(AT), []];
});
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
  removeFolder(folder);
});

async function server(...args: Parameters<typeof AlertServer.start>): Promise<AlertServer> {
  const started = await AlertServer.start(...args);
  closing.push(() => started.close());
  return started;
}

/** Opens a desk as a node does, with the clock of the test; `kept` is the state of an earlier desk. */
function open(kept: MessageDesk['kept'] | null = null): MessageDesk {
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  events = new EventBus<NodeEventMap>(log);
  const desk = new MessageDesk({
    ...{ log, clock, timeZone: 'UTC', events },
    ...{ options: () => NO_OPTIONS, language: () => 'en', units: () => ({}), liveAlert: () => null },
    ...{ persist: async () => true, onChange: () => {} },
  });
  desk.restore(folder, JSON.parse(JSON.stringify(kept ?? NO_ALERTS)), kept !== null);
  desk.start();
  return desk;
}

function write(desk: MessageDesk, target: ChannelConfig['target'], token?: string, withoutValues = false) {
  const channel = { id: null, name: '', isOn: true, maxPerHour: 20, withoutValues, target };
  return desk.write(channel, token === undefined ? {} : { token });
}

function news(change: Partial<News> = {}): News {
  const device = { id: DEVICE, name: 'Tank 1', notes: NO_NOTES };
  return {
    id: crypto.randomUUID(),
    kind: 'fired',
    at: clock.now(),
    alert: someAlert(),
    channels: 'all',
    device,
    ...change,
  };
}

function tell(desk: MessageDesk, change: Partial<News> = {}): News {
  const told = news(change);
  desk.add(told);
  desk.flush();
  return told;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('with real servers', () => {
  it('a message reaches ntfy once after an outage of an hour and a restart', async () => {
    const ntfy = await server(() => ({ status: 503, json: null }));
    let desk = open();
    const { channel } = await write(desk, { kind: 'ntfy', server: ntfy.origin, topic: 'garden' });
    const { id } = tell(desk);
    const waits = [5_000, 15_000, MINUTE, 5 * MINUTE, 15 * MINUTE, 15 * MINUTE, 15 * MINUTE, 520_000];
    for (const [tries, wait] of waits.entries()) {
      // Each try is a real request: wait for its answer before time moves on.
      await expect.poll(() => desk.list()[0]!.lastFailure?.at).toBe(clock.now());
      expect(ntfy.requests).toHaveLength(tries + 1);
      if (tries === 4) {
        await desk.stop();
        desk = open(desk.kept);
      }
      if (tries === waits.length - 1) ntfy.answer = asNtfy(null);
      await clock.pass(wait, turn);
    }
    await expect.poll(() => desk.list()[0]).toMatchObject({ waiting: 0, lastSuccessAt: AT + 60 * MINUTE });
    expect(desk.list()[0]).toMatchObject({
      channel,
      lastFailure: { fault: 'server', detail: 'HTTP 503', isGivenUp: false },
    });
    const sent = ntfy.bodies as { sequence_id: string }[];
    expect(sent.map(({ sequence_id }) => sequence_id)).toEqual(new Array(9).fill(id));
    await clock.pass(120 * MINUTE, turn);
    expect(ntfy.requests).toHaveLength(9);
    await desk.stop();
  });

  it('a server that does not answer delays no other', async () => {
    const [stuck, telegram] = [await server(() => undefined), await server(asTelegram(BOT, 7))];
    const desk = open();
    await write(desk, { kind: 'webhook', url: stuck.origin });
    await write(desk, { kind: 'telegram', server: telegram.origin, chat: '7' }, BOT);
    tell(desk);
    await expect.poll(() => telegram.requests.length).toBe(1);
    tell(desk);
    await expect.poll(() => telegram.requests.length).toBe(2);
    // The server has a message before its answer arrives here.
    await expect.poll(() => desk.list().map(({ waiting }) => waiting)).toEqual([2, 0]);
    await expect.poll(() => stuck.requests.length).toBe(1);
    // Ends open requests, so that the stop does not wait for them.
    await stuck.close();
    closing.shift();
    await desk.stop();
  });

  it('a channel without values gets none, and another one gets all', async () => {
    const [quiet, full] = [await server(), await server()];
    const desk = open();
    await write(desk, { kind: 'webhook', url: quiet.origin }, undefined, true);
    await write(desk, { kind: 'webhook', url: full.origin });
    const alert = someAlert({ value: 4.8125, extreme: 4.71875, limit: 5.5625 });
    tell(desk, { alert });
    tell(desk, { alert: { ...alert, endedAt: AT, ended: 'back' }, kind: 'ended' });
    await expect.poll(() => [quiet.requests.length, full.requests.length]).toEqual([2, 2]);
    const of = (each: AlertServer) => each.requests.map(({ body }) => body).join();
    for (const number of ['4.81', '4.71', '5.56']) {
      expect(of(quiet)).not.toContain(number);
      expect(of(full)).toContain(number);
    }
    await desk.stop();
  });

  it('only the channels that a rule names get its messages', async () => {
    const [one, other] = [await server(), await server()];
    const desk = open();
    const { channel } = await write(desk, { kind: 'webhook', url: one.origin });
    await write(desk, { kind: 'webhook', url: other.origin });
    tell(desk, { channels: [channel.id, crypto.randomUUID()] });
    await expect.poll(() => one.requests.length).toBe(1);
    await desk.stop();
    expect(other.requests).toEqual([]);
    expect(desk.list().map(({ waiting }) => waiting)).toEqual([0, 0]);
  });

  it('a summary that the owner asks for goes to the chosen channels that are on', async () => {
    const [on, off, other] = [await server(), await server(), await server()];
    const desk = open();
    const written = await write(desk, { kind: 'webhook', url: on.origin });
    const { channel } = await write(desk, { kind: 'webhook', url: off.origin });
    await desk.write({ ...channel, isOn: false }, {});
    await write(desk, { kind: 'webhook', url: other.origin });
    const facts: DigestFacts = {
      ...{ isWeekly: false, from: AT - 60 * MINUTE, to: AT, at: AT, zone: 'UTC', alerts: [], places: [], more: 0 },
      ...{ tasks: [], tasksDue: 0, tasksDone: 0 },
      counts: Object.fromEntries(COUNTED.map((each) => [each, 0])) as DigestFacts['counts'],
    };
    expect(await desk.sendDigest(facts, [written.channel.id, channel.id])).toEqual([
      { channel: written.channel.id, failure: null },
    ]);
    expect([on.requests.length, off.requests.length, other.requests.length]).toEqual([1, 0, 0]);
    await desk.stop();
  });

  it('the log names the failed channel and the reason, without address or secrets', async () => {
    const server500 = await server(() => ({ status: 500, json: null }));
    const desk = open();
    await write(desk, { kind: 'telegram', server: server500.origin, chat: '4711' }, BOT);
    await write(desk, { kind: 'ntfy', server: server500.origin, topic: 'hard_to_guess' }, 'tk_hard_to_guess_too');
    tell(desk);
    await expect.poll(() => lines.filter((line) => line.includes('HTTP 500')).length).toBe(2);
    for (const private_ of [BOT, '4711', 'hard_to_guess', new URL(server500.origin).port, 'Tank 1']) {
      expect(lines.join('')).not.toContain(private_);
    }
    await desk.stop();
  });
});

describe('on the desktop', () => {
  it('each message counts as shown only if a view says so of this one', async () => {
    const desk = open();
    const shown: string[] = [];
    events.on('noticed', ({ id }) => void shown.push(id));
    const [one, other] = [await write(desk, { kind: 'desktop' }), await write(desk, { kind: 'desktop' })];
    const { id } = tell(desk, { channels: [one.channel.id] });
    tell(desk, { channels: [other.channel.id] });
    await expect.poll(() => shown).toHaveLength(2);
    desk.noticeShown(id, true);
    await clock.pass(6000, turn);
    expect(desk.list().map(({ lastSuccessAt, lastFailure }) => [lastSuccessAt, lastFailure?.fault])).toEqual([
      [AT, undefined],
      [null, 'not_shown'],
    ]);
    await desk.stop();
  });
});

describe('the secrets of a deleted channel', () => {
  const secrets = () => readFileSync(join(folder, 'alert-secrets.json'), 'utf8');

  it('are deleted after the channel is: a kill in between leaves no channel without its secrets', async () => {
    const desk = open();
    const { channel } = await write(desk, { kind: 'ntfy', server: 'http://127.0.0.1:9', topic: 'a' }, BOT);
    let atSave = '';
    await desk.delete(channel.id, async () => {
      atSave = secrets();
    });
    expect(atSave).toContain(BOT);
    expect(secrets()).not.toContain(BOT);
    await desk.stop();
  });

  it('are deleted at the next start, unless the list of channels was lost', async () => {
    const desk = open();
    await write(desk, { kind: 'ntfy', server: 'http://127.0.0.1:9', topic: 'a' }, BOT);
    await desk.stop();
    const lost = open(null);
    // It is written after what the start deletes.
    await write(lost, { kind: 'ntfy', server: 'http://127.0.0.1:9', topic: 'b' }, 'another');
    expect(secrets()).toContain(BOT);
    await lost.stop();
    await open({ ...desk.kept, channels: [] }).stop();
    await expect.poll(secrets).not.toContain(BOT);
  });
});
