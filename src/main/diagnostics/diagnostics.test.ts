import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { nullable, path } from '../../shared/settings/kinds.ts';
import { SETTINGS, type SettingsTable } from '../../shared/settings/table.ts';
import { readSettings, readTable } from '../settings/settings.ts';
import { SettingsFile } from '../settings/settings-file.ts';
import { type DiagnosedHost, makeDiagnostics } from './diagnostics.ts';

const SECRET = 'correct-horse-battery-staple';
const TABLE: SettingsTable = {
  ...SETTINGS,
  token: {
    ...nullable(path),
    default: null,
    variable: 'TOKEN',
    scope: 'node',
    page: 'none',
    isSecret: true,
    help: 'what opens it',
  },
};

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

it('diagnostics say whether a secret is set, and contain none', () => {
  const env = { TOKEN: SECRET, LOG_LEVEL: 'warn' };
  const settings = { ...readSettings(env, { dataDir: folder, publicEnabled: true }), ...readTable(TABLE, env) };
  const settingsPath = join(folder, 'settings.json');
  const host: DiagnosedHost = {
    ownerView: 'browser',
    state: { state: 'stopped' },
    settings: {
      ...{ env, path: settingsPath, now: settings, with: () => settings },
      file: SettingsFile.open(settingsPath, pino({ enabled: false })),
    },
    move: null,
  };
  const log = `${JSON.stringify({ level: 30, msg: `opened with ${SECRET}` })}\n`;
  const { files, zip } = makeDiagnostics({ host, log, overview: null, rules: null, channels: [], table: TABLE });
  const [report, lines] = files.map(({ text }) => text);
  expect(JSON.parse(report!).settings).toMatchObject({ logLevel: 'warn', token: { isSecret: true, isSet: true } });
  expect(lines).toContain('opened with');
  const unzipped = Object.values(unzipSync(Buffer.from(zip, 'base64'))).map((bytes) => Buffer.from(bytes).toString());
  expect(unzipped).toEqual([report, lines]);
  for (const text of [report, lines]) expect(text).not.toContain(SECRET);
});
