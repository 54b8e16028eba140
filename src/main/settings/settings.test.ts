import { describe, expect, it } from 'vitest';
import { choice, integer, nullable, path } from '../../shared/settings/kinds.ts';
import { SETTINGS, type SettingsTable } from '../../shared/settings/table.ts';
import { settingsHelp } from './help.ts';
import { secretTexts, withoutSecrets } from './secrets.ts';
import { readTable } from './settings.ts';

const SECRET = 'correct-horse-battery-staple';
const COMMON = { scope: 'node', page: 'none' } as const;
/** A table like the node's own, but with secrets. */
const TABLE = {
  size: { ...integer(1, 10), ...COMMON, default: 3, variable: 'SIZE', help: 'how large' },
  token: { ...nullable(path), ...COMMON, default: null, variable: 'TOKEN', isSecret: true, help: 'what opens it' },
  pin: { ...choice('1234', '4321'), ...COMMON, default: '1234', variable: 'PIN', isSecret: true, help: 'the pin' },
} as const satisfies SettingsTable;

describe.each(Object.entries(SETTINGS))('the setting %s', (_name, setting) => {
  it('has a valid default, as has the desktop app', () => {
    for (const value of [setting.default, setting.desktopDefault ?? setting.default]) {
      expect(setting.schema.safeParse(value)).toEqual({ success: true, data: value });
    }
  });

  it('reads its default from text, with a valid result', () => {
    if (setting.variable === null || setting.default === null || String(setting.default) === '') return;
    const parsed = setting.parse(String(setting.default));
    expect(parsed).toEqual({ value: setting.default });
  });

  it('has a line of help, and a name of its own', () => {
    expect(setting.help).toMatch(/^[^\n]{10,110}$/);
    const { variable } = setting;
    const all = Object.values(SETTINGS).filter((other) => other.variable === variable);
    if (variable !== null) expect(all).toHaveLength(1);
  });
});

describe('a table', () => {
  it('is read from the environment, else from the file, else by default', () => {
    expect(readTable(TABLE, {})).toEqual({ size: 3, token: null, pin: '1234' });
    expect(readTable(TABLE, { SIZE: '' }, { size: 4, token: undefined })).toEqual({
      size: 4,
      token: null,
      pin: '1234',
    });
    const env = { SIZE: '10', TOKEN: SECRET, PIN: '4321' };
    expect(readTable(TABLE, env, { size: 4 })).toEqual({ size: 10, token: SECRET, pin: '4321' });
  });

  it('names the variable, the value and the allowed values if it refuses one', () => {
    expect(() => readTable(TABLE, { SIZE: '11' })).toThrow(
      expect.objectContaining({ message: 'SIZE is "11"; allowed: a whole number from 1 to 10' }),
    );
  });
});

describe('a secret', () => {
  const values = readTable(TABLE, { TOKEN: SECRET });

  it('is not in the message when it is refused', () => {
    expect(() => readTable(TABLE, { PIN: SECRET })).toThrow(/^PIN is not allowed; /);
    expect(() => readTable(TABLE, { PIN: SECRET })).not.toThrow(new RegExp(SECRET));
  });

  it('is shown as set or not', () => {
    expect(withoutSecrets(values, TABLE)).toEqual({
      size: 3,
      token: { isSecret: true, isSet: true },
      pin: { isSecret: true, isSet: true },
    });
    expect(withoutSecrets(readTable(TABLE, {}), TABLE).token).toEqual({ isSecret: true, isSet: false });
  });

  it('is recognised by its text, valid or not, and redacted', () => {
    expect(secretTexts({ TOKEN: SECRET, PIN: 'wrong', SIZE: '5' }, TABLE)).toEqual([SECRET, 'wrong']);
    expect(secretTexts({ TOKEN: '' }, TABLE)).toEqual([]);
  });

  it('is not in the help, not even its default', () => {
    expect(settingsHelp(TABLE)).toBe('  SIZE   how large (3)\n  TOKEN  what opens it\n  PIN    the pin\n');
  });
});
