import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceName, displayText, namesakes, shortId } from './display-text.ts';

describe('displayText', () => {
  it('removes control, bidi and invisible characters', () => {
    expect(displayText('Tank\u202Egpj.exe')).toBe('Tankgpj.exe');
    expect(displayText('\u2066a\u2069\u200B\u0007b\u061Cc\u{E0041}')).toBe('abc');
    expect(displayText('one\r\n\ttwo\u2028three')).toBe('one two three');
    expect(displayText('a\uD800b')).toBe('ab');
  });

  it('keeps ordinary text', () => {
    for (const name of ['Água nº 2 — estufa', '水槽', 'می‌خواهم', '👩‍🌾 greenhouse', '<b>Tank</b> & "co"', 'क्षत्रिय']) {
      expect(displayText(name)).toBe(name);
    }
  });

  it('cuts long text at a whole character', () => {
    expect(displayText('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
    expect(displayText('👩‍🌾'.repeat(100), 3)).toBe('👩‍🌾👩‍🌾…');
    expect(displayText('x'.repeat(60))).toBe('x'.repeat(60));
  });

  it('limits stacked marks', () => {
    expect(displayText(`a${'\u0301'.repeat(500)}b`)).toBe('a\u0301\u0301\u0301b');
  });

  it('returns a placeholder if nothing visible is left', () => {
    for (const text of ['', '   ', '\u200B\u200D', '\u3164', '\u0301']) expect(displayText(text)).toBe('');
  });

  it('never returns a control or bidi character, or a long text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const shown = displayText(text, 20);
        expect(shown).not.toMatch(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\u061c]/u);
        expect(Array.from(new Intl.Segmenter().segment(shown)).length).toBeLessThanOrEqual(20);
      }),
    );
  });
});

describe('deviceName', () => {
  const id = '0123456789abcdef'.repeat(4);

  it('puts the owner first, then the device, then the id', () => {
    expect(deviceName({ id, name: 'Tank', notes: { displayName: 'My tank' } })).toBe('My tank');
    expect(deviceName({ id, name: 'Tank', notes: { displayName: null } })).toBe('Tank');
    expect(deviceName({ id, name: '\u202E', notes: { displayName: null } })).toBe('012345…cdef');
  });

  it('distinguishes devices of one name by the last four digits, and adds them to no other', () => {
    const named = (last: string, name: string, displayName: string | null = null) => {
      return { id: `${id.slice(4)}${last}`, name, notes: { displayName } };
    };
    const devices = [named('aaaa', 'Greenhouse'), named('bbbb', 'greenhouse\u202e'), named('cccc', 'x', 'Greenhouse')];
    const all = [...devices, named('dddd', 'Nursery')];
    const same = namesakes(all);
    expect(all.map((device) => deviceName({ ...device, hasNamesake: same.has(device.id) }))).toEqual([
      'Greenhouse (aaaa)',
      'greenhouse (bbbb)',
      'Greenhouse (cccc)',
      'Nursery',
    ]);
    const nameless = { ...named('eeee', ''), hasNamesake: true };
    expect(deviceName(nameless)).toBe('456789…eeee');
  });

  it('shortens long ids only', () => {
    expect(shortId('abc')).toBe('abc');
  });
});
