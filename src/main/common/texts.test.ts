import { describe, expect, it } from 'vitest';
import { textsFor } from './texts.ts';

describe('textsFor', () => {
  it('returns texts of the language', () => {
    expect([textsFor('en')('tray.quit'), textsFor('es')('tray.quit')]).toEqual(['Quit', 'Salir']);
  });

  it('inserts values literally', () => {
    const name = '{{time}} $& <b> $t(tray.quit)';
    expect(textsFor('en')('notice.silent', { name })).toBe(`${name} is silent`);
  });

  it('uses the plural of the language', () => {
    const t = textsFor('pt-BR');
    expect([0, 1, 1.5, 2, 1_000_000].map((count) => t('tray.devices', { count }))).toEqual([
      '0 dispositivo',
      '1 dispositivo',
      '1.5 dispositivo',
      '2 dispositivos',
      '1000000 de dispositivos',
    ]);
  });

  it('does not compile without a text or a value that it needs', () => {
    const t = textsFor('en');
    // @ts-expect-error No such key.
    expect(t('tray.nothing')).toBe('tray.nothing');
    // @ts-expect-error The time is missing.
    expect(t('tray.lastReading')).toContain('{{time}}');
    // @ts-expect-error The number is missing.
    t('tray.devices', { number: 1 });
  });
});
