import { describe, expect, it } from 'vitest';
import { AT, DEVICE, someAlert, someFacts } from '../../../../test/support/alert-notices.ts';
import { BUILT_IN, BUILT_IN_KINDS } from '../../../shared/alerts/built-in.ts';
import { deviceName } from '../../../shared/display-text.ts';
import { LANGUAGES, type Language } from '../../../shared/texts/languages.ts';
import { NOTICE_KINDS, type NoticeFacts } from '../channels/notice.ts';
import type { Wording } from './wording.ts';
import { wordsOf } from './words.ts';

const WORDING: Wording = {
  ...{ language: 'en', systemLocale: 'en-GB', timeZone: 'UTC', units: {} },
  ...{ linkBase: null, withoutValues: false, mostBytes: 4000 },
};
const languages = Object.keys(LANGUAGES) as Language[];

function told(facts: Parameters<typeof someFacts>[0], wording: Partial<Wording> = {}): [string, string] {
  const { title, text } = wordsOf(someFacts({ device: { id: DEVICE, name: 'Tank', unit: null }, ...facts }), {
    ...WORDING,
    ...wording,
  });
  return [title, text];
}

describe('a message', () => {
  it('names the value out of range, by how much and since when', () => {
    expect(told({})).toEqual([
      'Tank: pH below its range',
      '4.80 now; at least 5.50 is right. Out of range since 09:20. Worst since then: 4.70.\nRule: Lettuce',
    ]);
    const warm = someAlert({ field: 'tempWater', side: 'high', value: 26.5, limit: 24, extreme: 27, name: '' });
    expect(told({ alert: warm })).toEqual([
      'Tank: Water temperature above its range',
      '26.50 °C now; at most 24.00 °C is right. Out of range since 09:20. Worst since then: 27.00 °C.',
    ]);
    expect(told({ alert: warm, kind: 'repeated' })).toEqual([
      'Tank: Water temperature still above its range',
      '26.50 °C, at worst 27.00 °C. Out of range for 10 min, since 09:20.',
    ]);
    const back = { ...warm, endedAt: AT + 3_600_000, ended: 'back' as const };
    expect(told({ alert: back, kind: 'ended', at: AT + 3_600_000 })).toEqual([
      'Tank: Water temperature back in its range',
      'It was out of range for 1 hr 10 min, from 09:20 to 10:30; at worst 27.00 °C.',
    ]);
  });

  it('names a critical severity first, but not when it is over', () => {
    const alert = someAlert({ severity: 'critical', name: '' });
    expect(told({ alert })[0]).toBe('Critical: Tank: pH below its range');
    expect(told({ alert: { ...alert, ended: 'back', endedAt: AT }, kind: 'ended' })[0]).toBe(
      'Tank: pH back in its range',
    );
  });

  it('has the owner’s unit for the device, else the one for all', () => {
    const warm = someAlert({ field: 'tempWater', side: 'high', value: 26.5, limit: 24, extreme: 26.5, name: '' });
    const units = { temperature: 'fahrenheit' } as const;
    expect(told({ alert: warm }, { units })[1]).toBe(
      '79.7 °F now; at most 75.2 °F is right. Out of range since 09:20.',
    );
    const celsius: NoticeFacts['device'] = { id: DEVICE, name: 'Tank', unit: { shown: 'celsius' } };
    expect(told({ alert: warm, device: celsius }, { units })[1]).toMatch(/^26\.50 °C now; at most 24\.00 °C/);
    const level = someAlert({ field: 'waterLevel', side: 'high', value: 365, limit: 330, extreme: 372, name: '' });
    const tank = { id: DEVICE, name: 'Tank', unit: { tank: { empty: 400, full: 50 } } };
    const notice = wordsOf(someFacts({ alert: level, device: tank }), WORDING);
    // A level far from the sensor means little water.
    expect(notice.title).toMatch(/: Water level below its range$/);
    expect(notice.text).toMatch(/^10\.0 % now; at least 20\.0 % is right\. .* Worst since then: 8\.0 %\.$/);
    expect(notice.alert?.side).toBe('low');
    expect(notice.numbers).toEqual({ value: 10, limit: 20, extreme: 8, unit: '%' });
  });

  it('keeps the digits that distinguish devices with one long name', () => {
    const notes = { displayName: null };
    const name = deviceName({ id: DEVICE, name: 'Greenhouse '.repeat(9), notes, hasNamesake: true });
    expect(told({ device: { id: DEVICE, name, unit: null } })[0]).toMatch(
      /^Greenhouse .*… \(abab\): pH below its range$/,
    );
  });

  it('calls a level beyond the owner’s distances empty or full, and marks it', () => {
    const tank = { id: DEVICE, name: 'Tank', unit: { tank: { empty: 400, full: 50 } } };
    const empty = someAlert({ field: 'waterLevel', side: 'high', value: 488, limit: 330, extreme: 488, name: '' });
    expect(told({ alert: empty, device: tank })[1]).toBe(
      '0.0 % (below the empty mark) now; at least 20.0 % is right. Out of range since 09:20.',
    );
    const full = { ...empty, side: 'low' as const, value: 20, limit: 60, extreme: 20 };
    expect(told({ alert: full, device: tank })[1]).toContain('100.0 % (above the full mark) now; at most');
  });

  it('formats numbers and times for the language, in the node’s time zone', () => {
    const ec = someAlert({ field: 'ec', side: 'high', value: 1234.5, limit: 1200, extreme: 1234.5, name: '' });
    const berlin = { timeZone: 'Europe/Berlin' };
    expect(told({ alert: ec }, { language: 'es', ...berlin })[1]).toMatch(
      /^Ahora 1234,5 ppm₅₀₀; .* 1200 ppm₅₀₀.* 10:20\.$/,
    );
    expect(told({ alert: ec }, { language: 'pt-BR', ...berlin })[1]).toMatch(/^Agora 1\.234,5 ppm₅₀₀; .* 10:20\.$/);
    expect(told({}, { systemLocale: 'en-US', ...berlin })[1]).toMatch(/since 10:20\sAM\./);
    const yesterday = someAlert({ since: AT - 86_400_000 });
    expect(told({ alert: yesterday })[1]).toContain('since 21 Nov 2026, 09:30.');
  });

  it('describes an end without recovery', () => {
    const alert = someAlert({ ended: 'forgotten', endedAt: AT, name: '' });
    const [title, text] = told({ alert, kind: 'ended' });
    expect(title).toBe('Tank: pH below its range: no longer watched');
    expect(text).toMatch(/^The device was forgotten\.\n/);
  });

  it('links to the alert if the page has an address', () => {
    const facts = someFacts();
    const linkOf = (linkBase: string) => wordsOf(facts, { ...WORDING, linkBase }).link;
    expect(linkOf('https://well.example')).toBe(`https://well.example/#/alerts/${facts.alert!.id}`);
    expect(linkOf('https://home.example/well/')).toBe(`https://home.example/well/#/alerts/${facts.alert!.id}`);
    expect(wordsOf(someFacts({ alert: null, kind: 'test' }), { ...WORDING, linkBase: 'https://a.b' }).link).toBe(
      'https://a.b/#/alerts',
    );
  });

  it('combines the messages beyond the limit', () => {
    const held = { count: 12, about: ['Tank 2', 'Roof'] };
    const facts = { kind: 'summary', alert: null, device: null, held } as const;
    expect(told(facts)).toEqual([
      'This channel has reached its hourly limit',
      '12 more messages, about: Tank 2, Roof.',
    ]);
    expect(told(facts, { language: 'es' })[1]).toBe('12 mensajes más, sobre: Tank 2, Roof.');
  });

  it('shows a hostile name as one harmless line', () => {
    const name = '\u202eTank\n{{value}} $t(notice.test) <b>';
    expect(told({ device: { id: DEVICE, name, unit: null } })[0]).toBe(
      'Tank {{value}} $t(notice.test) <b>: pH below its range',
    );
    expect(told({ device: { id: DEVICE, name: '\u2800', unit: null } })[0]).toMatch(/^ababab…abab: pH/);
  });
});

const ALERTS = [
  someAlert(),
  someAlert({ side: 'high', field: 'tempAmbient' }),
  ...BUILT_IN_KINDS.map((kind) =>
    someAlert({ kind, side: null, field: BUILT_IN[kind].about === 'field' ? 'ec' : null }),
  ),
];

describe.each(languages)('in %s', (language) => {
  it.each(ALERTS.map((alert) => [alert.kind, alert] as const))('%s is described in whole sentences', (_kind, alert) => {
    for (const kind of NOTICE_KINDS.slice(0, 3)) {
      for (const ended of kind === 'ended' ? (['back', 'rule_off', 'rule_changed', 'forgotten'] as const) : [null]) {
        const facts = { alert: { ...alert, name: '', ended, endedAt: ended && AT }, kind };
        for (const text of told(facts, { language })) {
          expect(text).not.toBe('');
          expect(text).not.toMatch(/notice\.|\{\{|undefined|null|NaN/);
        }
        const quiet = told(facts, { language, withoutValues: true });
        expect(quiet.join(), 'without values').not.toMatch(/\d/);
      }
    }
  });

  it('without values has none in a webhook’s body', () => {
    const notice = wordsOf(someFacts(), { ...WORDING, language, withoutValues: true });
    expect(notice.numbers).toBeNull();
    expect(notice.alert).toMatchObject({ value: null, extreme: null, limit: null });
  });
});
