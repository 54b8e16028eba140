import { describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert, someFacts } from '../../../../test/support/alert-notices.ts';
import { LANGUAGES, type Language } from '../../../shared/texts/languages.ts';
import { COUNTED } from '../../../shared/wellness/sentence.ts';
import type { DigestFacts, DigestPlace } from '../digest/facts.ts';
import type { Wording } from './wording.ts';
import { wordsOf } from './words.ts';

const DAY = 86_400_000;
const languages = Object.keys(LANGUAGES) as Language[];
const WORDING: Wording = {
  ...{ language: 'en', systemLocale: 'en-GB', timeZone: 'Asia/Kathmandu', units: {} },
  ...{ linkBase: null, withoutValues: false, mostBytes: Number.POSITIVE_INFINITY },
};
const NONE = Object.fromEntries(COUNTED.map((each) => [each, 0])) as DigestFacts['counts'];

function place(change: Partial<DigestPlace> = {}): DigestPlace {
  return {
    ...{ id: DEVICE, name: 'Tank', group: null, wellness: 'well', units: {}, alerts: [], silentMs: null },
    ...{ clockNotSet: false, sums: [], sealed: [], outlooks: [], tasks: [] },
    ...change,
  };
}

function digest(places: readonly DigestPlace[], change: Partial<DigestFacts> = {}): DigestFacts {
  const counts = { ...NONE };
  for (const { wellness } of places) counts[wellness] += 1;
  return {
    ...{ isWeekly: false, from: AT - DAY, to: AT, at: AT, zone: 'UTC', counts, alerts: [], places: [...places] },
    ...{ more: 0, tasks: [], tasksDue: 0, tasksDone: 0 },
    ...change,
  };
}

const say = (facts: DigestFacts, wording: Partial<Wording> = {}) =>
  wordsOf(someFacts({ kind: 'digest', alert: null, device: null, digest: facts }), { ...WORDING, ...wording });

const FULL = digest(
  [
    place({
      ...{ name: 'Tank <1>', group: 'North & south', wellness: 'needsYou' },
      alerts: [someAlert({ field: 'waterLevel', side: 'high', value: 520, since: AT - 3_600_000 })],
      units: { waterLevel: { tank: { empty: 600, full: 100 } } },
      sums: [
        { field: 'ph', inRange: 0.937, least: 5.4, greatest: 6.2 },
        { field: 'waterLevel', inRange: null, least: 300, greatest: 520 },
      ],
      outlooks: [{ field: 'waterLevel', perDay: -3.1, what: 'empty', left: { from: 4.2, to: 5.9 } }],
      sealed: ['humidity'],
      tasks: [{ task: { title: '', act: { kind: 'solutionChanged' } }, lateDays: 2 }],
    }),
    place({ name: 'Roof', group: 'North & south', wellness: 'waiting', clockNotSet: true, silentMs: 7_200_000 }),
  ],
  {
    alerts: [someAlert({ kind: 'diskLow', field: null, device: null, since: AT - DAY })],
    tasks: [{ task: { title: 'Order seeds' }, lateDays: 0 }],
    ...{ tasksDue: 2, tasksDone: 1 },
  },
);

describe('a summary', () => {
  it('describes all devices, and per place the time in range, minimum and maximum, forecasts and tasks', () => {
    const { title, text } = say(FULL);
    expect(title).toBe('Daily summary: 1 of 2 needs you: Tank <1>, Water level 16.0 % full.');
    expect(text.split('\n')).toEqual([
      '1 of 2 needs you: Tank <1>, Water level 16.0 % full.',
      '21 Nov 2026, 09:30 to 22 Nov 2026, 09:30',
      '1 without a reading yet · 2 tasks are due',
      '1 task done',
      '',
      'The node',
      '· The disk is nearly full, since 21 Nov 2026, 09:30',
      '',
      'All places',
      '· Due today: Order seeds',
      '',
      'North & south:',
      'Tank <1>: Needs you',
      '· Water level below its range since 08:30',
      '· pH: in range 94 %, from 5.40 to 6.20',
      '· Water level: from 16.0 % full to 60.0 % full',
      '· Sealed, so the node can’t read it: Humidity',
      '· Level falls 3.1 % a day: empty in 4 to 6 days.',
      '· 2 days late: Change the solution',
      '',
      'Roof: Waiting',
      '· No reading for 2 hr',
      '· Its clock is not set, so its values are not summed up.',
    ]);
  });

  it.each(languages)('has the same content as an HTML page in %s, without external resources', (language) => {
    const { text, html } = say(FULL, { language, linkBase: 'https://well.example/ui/' });
    const marks: Readonly<Record<string, string>> = {
      '&lt;': '<',
      '&gt;': '>',
      '&amp;': '&',
      '&quot;': '"',
      '&#39;': "'",
    };
    const said = html!
      .replace(/<head>.*<\/head>/s, '')
      .replaceAll(/<[^>]*>/g, '\n')
      .replaceAll(/&(?:lt|gt|amp|quot|#39);/g, (mark) => marks[mark]!);
    const words = (all: string) =>
      all
        .split('\n')
        .map((line) => line.replace(/^· |:$/g, ''))
        .filter((line) => line !== '');
    expect(words(said)).toEqual([...words(text), 'https://well.example/ui/#/']);
    expect(html).not.toContain('<1>');
    expect(html!.replaceAll('https://well.example', '')).not.toMatch(/https?:|src=|url\(|<style|<script|<link/);
  });

  it.each(languages)('without values has no numbers in %s except those in names', (language) => {
    for (const isWeekly of [true, false]) {
      const {
        title,
        text,
        html,
        digest: shown,
        numbers,
      } = say({ ...FULL, isWeekly }, { language, withoutValues: true });
      const bare = [title, text, html!.replaceAll(/ style="[^"]*"|<head>.*?<\/head>|<\/?h[123]/gs, '')].join('\n');
      expect(bare.replaceAll(/Tank (?:<1>|&lt;1&gt;)/g, '')).not.toMatch(/\d/);
      expect(bare).not.toMatch(/Order seeds|pH/);
      expect([shown!.counts, numbers]).toEqual([null, null]);
      expect(shown!.isWell).toBe(false);
    }
  });

  it('is one line if all is well, and names a single device', () => {
    expect(say(digest([place()])).title).toBe('Daily summary: Tank is well.');
    const weekly = say({ ...digest([place(), place({ name: 'Roof' })]), isWeekly: true });
    expect(weekly.title).toBe('Weekly summary: All 2 are well.');
    expect(weekly.digest).toMatchObject({ isWell: true, isWeekly: true });
    expect(say(digest([])).title).toBe('Daily summary: No device is in use.');
    expect(say(digest([place()]), { withoutValues: true }).text).toBe('All is well.\n\nTank: Well');
    const unwatched = digest([place({ wellness: 'unwatched' })]);
    expect(say(unwatched, { withoutValues: true }).text).toBe('Nothing needs you.\n\nTank: Not watched');
  });

  it('fits the channel: it counts the entries that are left out', () => {
    const many = digest(
      Array.from({ length: 40 }, (_, index) => place({ name: `Tank ${index}` })),
      { more: 260 },
    );
    const short = say(many, { mostBytes: 500 }).text;
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(500);
    const told = short.split('\n').filter((line) => line.startsWith('Tank')).length;
    expect(told).toBeGreaterThan(5);
    expect(short.endsWith(`And ${300 - told} more.`)).toBe(true);
    expect(say(many).text.endsWith('And 260 more.')).toBe(true);
  });
});
