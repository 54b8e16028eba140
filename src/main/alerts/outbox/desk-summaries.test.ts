import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AT, DEVICE } from '../../../../test/support/alert-notices.ts';
import { addChannel, DeskWorld, settled } from '../../../../test/support/desk-world.ts';
import { NO_OPTIONS } from '../../../shared/alerts/channel.ts';
import { chooseLanguage, type Language } from '../../../shared/texts/languages.ts';
import { COUNTED } from '../../../shared/wellness/sentence.ts';
import type { DigestFacts } from '../digest/facts.ts';
import type { MessageDesk } from './message-desk.ts';

const MINUTE = 60_000;

let world: DeskWorld;
beforeEach(() => {
  world = new DeskWorld();
});
afterEach(() => world.dispose());

const waiting = (desk: MessageDesk) => desk.kept.outbox.deliveries;

const DIGEST: DigestFacts = {
  ...{ isWeekly: false, from: AT - 60 * MINUTE, to: AT, at: AT + 1, zone: 'UTC', alerts: [], places: [], more: 0 },
  ...{ tasks: [], tasksDue: 0, tasksDone: 0 },
  counts: Object.fromEntries(COUNTED.map((each) => [each, 0])) as DigestFacts['counts'],
};

describe('a summary', () => {
  it('waits for its channels, and is sent when it is flushed', async () => {
    const desk = world.open();
    const [one, other] = [(await addChannel(desk)).channel.id, (await addChannel(desk)).channel.id];
    const id = crypto.randomUUID();
    desk.addDigest(id, DIGEST, [other]);
    const facts = { id, kind: 'digest', at: AT + 1, severity: 'warning', alert: null, device: null, held: null };
    expect(waiting(desk)).toEqual([
      { facts: { ...facts, digest: DIGEST }, channel: other, tries: 0, nextAt: AT, isQuiet: false },
    ]);
    desk.addDigest(crypto.randomUUID(), DIGEST, 'all');
    expect(waiting(desk).map(({ channel }) => channel)).toEqual([other, one, other]);
    desk.flush();
    await settled();
    expect([world.shown.map((notice) => notice.alert), waiting(desk)]).toEqual([[null, null, null], []]);
  });

  it('is sent now to all channels that are on, each with its failure', async () => {
    const desk = world.open();
    const [one, off] = [(await addChannel(desk)).channel, (await addChannel(desk)).channel];
    await desk.write({ ...off, isOn: false }, {});
    world.shows = false;
    const sent = desk.sendDigest(DIGEST, 'all');
    await world.pass(1000);
    const failure = { at: AT, fault: 'not_shown', detail: '', isPermanent: false, isGivenUp: true };
    expect(await sent).toEqual([{ channel: one.id, failure }]);
  });

  it('is short on the desktop, and whole otherwise', async () => {
    const desk = world.open();
    await addChannel(desk);
    const place: DigestFacts['places'][number] = {
      ...{ id: DEVICE, name: 'A tank with a long name', group: null, wellness: 'well', units: {}, alerts: [] },
      ...{ silentMs: null, clockNotSet: false, sums: [], sealed: [], outlooks: [], tasks: [] },
    };
    const long = { ...DIGEST, places: new Array(100).fill(place) };
    expect(await desk.sendDigest(long, 'all')).toMatchObject([{ failure: null }]);
    expect(Buffer.byteLength(world.shown[0]!.text)).toBeLessThanOrEqual(500);
    expect(Buffer.byteLength(world.shown[0]!.text)).toBeGreaterThan(300);
    expect(desk.digestWords(long).text.length).toBeGreaterThan(1000);
  });

  it.each<[string, Language | null, Language | null, Language]>([
    ['the options', 'es', 'pt-BR', 'es'],
    ['the settings', null, 'pt-BR', 'pt-BR'],
    ['the system', null, null, chooseLanguage([new Intl.DateTimeFormat().resolvedOptions().locale])],
  ])('has the language of %s', (_name, ofOptions, ofSettings, found) => {
    world.options = { ...NO_OPTIONS, language: ofOptions, linkBase: 'https://well.example/' };
    world.language = ofSettings;
    expect(world.open().digestWords(DIGEST)).toMatchObject({
      ...{ language: found, link: 'https://well.example/#/', kind: 'digest', at: AT + 1, numbers: null },
      digest: { counts: DIGEST.counts },
    });
  });
});
