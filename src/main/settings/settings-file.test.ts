import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { StartError } from '../common/start-error.ts';
import { readSettings } from './settings.ts';
import { SettingsFile } from './settings-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'settings.json');
});
afterEach(() => removeFolder(folder));

const open = (file: string) => SettingsFile.open(file, pino({ enabled: false }));
const read = (name = 'settings.json') => readFileSync(join(folder, name), 'utf8');
const asides = () => readdirSync(folder).filter((name) => name.includes('.damaged-'));

describe('a settings file', () => {
  it('that is missing sets nothing, and is created with its folder by the first save', async () => {
    const deep = join(folder, 'a', 'b', 'settings.json');
    const file = open(deep);
    expect([file.kept, file.damage]).toEqual([{}, null]);
    await file.save({ localPort: 3456 });
    expect(JSON.parse(readFileSync(deep, 'utf8'))).toEqual({ localPort: 3456 });
    expect(open(deep).kept).toEqual({ localPort: 3456 });
  });

  it('keeps settings of a later version and manual edits', async () => {
    writeFileSync(path, '{"publicPort": 4000, "colourOfTheDoor": "green"}');
    const file = open(path);
    writeFileSync(path, '{"publicPort": 4001, "colourOfTheDoor": "blue"}');
    await Promise.all([file.save({ theme: 'dark' }), file.save({ publicEnabled: true })]);
    expect(JSON.parse(read())).toEqual({
      publicPort: 4001,
      colourOfTheDoor: 'blue',
      theme: 'dark',
      publicEnabled: true,
    });
    // The running node keeps the settings that it started with.
    expect(file.kept).toEqual({ publicPort: 4000, theme: 'dark', publicEnabled: true });
    expect(file.edited).toEqual(['publicPort']);
    expect(open(path).edited).toEqual([]);
    await file.save({ publicPort: undefined });
    expect(JSON.parse(read())).not.toHaveProperty('publicPort');
    expect(readdirSync(folder).sort()).toEqual(['settings.json', 'settings.json.previous']);
  });

  it.each(['', '{"localPort": 30', '[1]', '"x"', '\u0000\u0000'])(
    'that is broken (%j) is set aside unchanged, and never overwritten',
    async (text) => {
      writeFileSync(path, text);
      const file = open(path);
      expect(file.kept).toEqual({});
      expect(file.damage).toMatchObject({ file: 'settings.json', whole: 'nothing', lost: [] });
      const [aside] = asides();
      expect(file.damage?.copy).toBe(join(folder, aside!));
      expect(aside).toMatch(/^settings\.json\.damaged-\d{8}T\d{6}\.\d{3}Z$/);
      expect(read(aside)).toBe(text);
      expect(existsSync(path)).toBe(false);
      await file.save({ localPort: 5000 });
      expect(read(aside)).toBe(text);
      expect(asides()).toEqual([aside]);
    },
  );

  it('with an invalid member is set aside, and the others still apply', async () => {
    const text = '{"localPort": "high", "publicPort": 4000, "dataDir": "/somewhere", "later": 1}';
    writeFileSync(path, text);
    const file = open(path);
    expect(file.kept).toEqual({ publicPort: 4000, dataDir: '/somewhere' });
    expect(file.damage).toMatchObject({ whole: null, lost: [{ part: 'settings', entry: 'localPort' }] });
    expect(read(asides()[0])).toBe(text);
    const rest = { publicPort: 4000, dataDir: '/somewhere', later: 1 };
    expect(JSON.parse(read())).toEqual(rest);
    const again = open(path);
    expect([again.kept, again.damage]).toEqual([file.kept, null]);
    expect(asides()).toHaveLength(1);
  });

  it('with an invalid member loses no other in a save, also before it is fixed', async () => {
    const text = '{"localPort": 4100, "theme": "dork", "language": "es"}';
    writeFileSync(path, text);
    const file = open(path);
    await file.save({ closeBehaviour: 'tray' });
    expect(JSON.parse(read())).toEqual({ localPort: 4100, language: 'es', closeBehaviour: 'tray' });
    expect(file.kept).toEqual(JSON.parse(read()));
    writeFileSync(path, text);
    await file.save({ publicPort: 4101 });
    expect(JSON.parse(read())).toEqual({ localPort: 4100, language: 'es', publicPort: 4101 });
    expect(asides().map((name) => read(name))).toEqual([text, text]);
  });

  it('with an invalid member stays unchanged if it can’t be set aside', async () => {
    const text = '{"localPort": "high", "publicPort": 4000}';
    // The file system accepts no longer names.
    const long = join(folder, `${'x'.repeat(240)}.json`);
    writeFileSync(long, text);
    const file = open(long);
    expect([file.kept, file.damage?.copy]).toEqual([{ publicPort: 4000 }, null]);
    await expect(file.save({ publicPort: 1 })).rejects.toThrow('ENAMETOOLONG');
    expect(readFileSync(long, 'utf8')).toBe(text);
  });

  it('that breaks while the node runs is set aside by the next save, without losing saved settings', async () => {
    const file = open(path);
    const told: unknown[] = [];
    file.onDamage((damage) => told.push(damage));
    await file.save({ localPort: 5000 });
    writeFileSync(path, '{oops');
    await file.save({ publicPort: 5001 });
    expect(read(asides()[0])).toBe('{oops');
    expect(JSON.parse(read())).toEqual({ localPort: 5000, publicPort: 5001 });
    expect(told).toMatchObject([{ file: 'settings.json', whole: 'previous' }]);
  });

  it('that is unreadable is read from its copy, and reports that on request', async () => {
    await open(path).save({ dataDir: '/well', localPort: 5000 });
    writeFileSync(path, '{"localPort": 5001,}');
    const file = open(path);
    expect(file.kept).toEqual({ dataDir: '/well', localPort: 5000 });
    const told: unknown[] = [];
    for (let starts = 0; starts < 2; starts += 1) file.onDamage((damage) => told.push(damage));
    expect(told).toMatchObject([{ file: 'settings.json', whole: 'previous', copy: join(folder, asides()[0]!) }]);
    expect(open(path).damage).toBeNull();
  });

  it('that is broken can be inspected without side effects', () => {
    const text = '{"localPort": "high", "dataDir": "well"}';
    writeFileSync(path, text);
    expect(SettingsFile.look(path)).toEqual({ dataDir: join(folder, 'well') });
    expect([readdirSync(folder), read()]).toEqual([['settings.json'], text]);
    expect(() => SettingsFile.look(folder)).toThrow(StartError);
    expect(SettingsFile.look(join(folder, 'none.json'))).toEqual({});
  });

  it('is never written with an invalid value', async () => {
    const file = open(path);
    await file.save({ localPort: 5000 });
    await file.save({ publicPort: Number.NaN, theme: 'dark' });
    expect(open(path)).toMatchObject({ kept: { localPort: 5000, theme: 'dark' }, damage: null });
  });

  it('may have a data folder relative to its own folder', () => {
    writeFileSync(path, '{"dataDir": "../well/data"}');
    expect(open(path).kept.dataDir).toBe(join(folder, '..', 'well', 'data'));
  });

  it('that is a link stays one', async () => {
    const target = join(folder, 'real.json');
    writeFileSync(target, '{"localPort": 1}');
    symlinkSync(target, path);
    await open(path).save({ localPort: 2 });
    expect(JSON.parse(read('real.json'))).toEqual({ localPort: 2 });
    expect(JSON.parse(read())).toEqual({ localPort: 2 });
  });

  it('that is a folder ends the start with one line', () => {
    expect(() => open(folder)).toThrow(StartError);
  });

  it.skipIf(process.getuid?.() === 0)('in a folder that is read-only is not overwritten', async () => {
    writeFileSync(path, '{oops');
    chmodSync(folder, 0o500);
    const file = open(path);
    expect(file.damage?.copy).toBeNull();
    await expect(file.save({ localPort: 1 })).rejects.toThrow();
    expect(read()).toBe('{oops');
    chmodSync(folder, 0o700);
  });
});

describe('readSettings', () => {
  const defaults = { dataDir: './data', publicEnabled: true };

  it('prefers the environment to the file, and the file to the default', () => {
    const kept = { localPort: 4001, publicPort: 4000, dataDir: '/kept', publicEnabled: false, publicRateLimit: 7 };
    const env = { LOCAL_PORT: '5001', PUBLIC_PORT: '', DATA_DIR: '/set', PUBLIC_ENABLED: 'true' };
    expect(readSettings(env, defaults, kept)).toMatchObject({
      localPort: 5001,
      publicPort: 4000,
      dataDir: '/set',
      publicEnabled: true,
      publicRateLimit: 7,
      durability: 'full',
    });
    expect(readSettings({}, defaults, {})).toMatchObject({ localPort: 3001, dataDir: './data', publicEnabled: true });
  });

  it('treats an empty list of hosts in the environment as not set', () => {
    const kept = { localAllowedHosts: ['well.lan'] };
    expect(readSettings({ LOCAL_ALLOWED_HOSTS: '' }, defaults, kept).localAllowedHosts).toEqual(['well.lan']);
    expect(readSettings({ LOCAL_ALLOWED_HOSTS: 'Other.lan' }, defaults, kept).localAllowedHosts).toEqual(['other.lan']);
  });

  it('refuses one port for both endpoints, from any source', () => {
    const equal = () => readSettings({ LOCAL_PORT: '4000' }, defaults, { publicPort: 4000 });
    expect(equal).toThrow(/both 4000/);
    expect(readSettings({ LOCAL_PORT: '4000', PUBLIC_ENABLED: 'false' }, defaults, { publicPort: 4000 })).toBeTruthy();
  });
});
