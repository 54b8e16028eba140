import { describe, expect, it } from 'vitest';
import type { SettingsView } from '../../shared/owner-api/settings.ts';
import { changeOf, formOf, numberOf } from './endpoint-form.ts';

const setting = <T>(value: T) => ({ value, source: 'default' as const, variable: null, applies: true });
const view = {
  settings: {
    localPort: setting(3001),
    publicPort: setting(3000),
    publicRateLimit: setting(100),
    localAllowedHosts: setting(['well.lan', 'pi']),
  },
} as SettingsView;
const form = formOf(view);

describe('the form of the endpoints', () => {
  it('changes nothing without an edit', () => {
    expect(form).toEqual({
      localPort: '3001',
      publicPort: '3000',
      publicRateLimit: '100',
      localAllowedHosts: 'well.lan, pi',
    });
    expect(changeOf(form, view)).toEqual({ change: {} });
    expect(changeOf({ ...form, localPort: ' 3001 ' }, view)).toEqual({ change: {} });
  });

  it('contains only the changes', () => {
    expect(changeOf({ ...form, publicPort: '4000', publicRateLimit: '0' }, view)).toEqual({
      change: { publicPort: 4000, publicRateLimit: 0 },
    });
    expect(changeOf({ ...form, localAllowedHosts: 'Pi.LAN\n two,two' }, view)).toEqual({
      change: { localAllowedHosts: ['pi.lan', 'two'] },
    });
    expect(changeOf({ ...form, localAllowedHosts: ' ' }, view)).toEqual({ change: { localAllowedHosts: [] } });
  });

  it.each([
    ['localPort', '0'],
    ['localPort', '65536'],
    ['publicPort', '30.5'],
    ['publicPort', ''],
    ['publicPort', '0x10'],
    ['publicRateLimit', '-1'],
    ['publicRateLimit', '1000001'],
    ['localAllowedHosts', 'http://well.lan'],
    ['localAllowedHosts', 'well.lan:80'],
  ])('refuses %s %j', (field, text) => {
    expect(changeOf({ ...form, [field]: text }, view)).toEqual({ refused: field });
  });

  it('reads only whole numbers', () => {
    expect([numberOf('7', 1, 9), numberOf('1e3', 0, 9999), numberOf('9999999999', 0, 1e12)]).toEqual([7, null, null]);
  });
});
