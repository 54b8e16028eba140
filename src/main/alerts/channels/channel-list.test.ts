import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { type ChannelTarget, MAX_CHANNELS } from '../../../shared/alerts/channel.ts';
import { ChannelList, type SecretChanges } from './channel-list.ts';
import { ALERT_SECRETS_FILE, SecretsFile } from './secrets-file.ts';

let folder: string;
let list: ChannelList;
beforeEach(() => {
  folder = temporaryFolder();
  list = open();
});
afterEach(() => removeFolder(folder));

function open(): ChannelList {
  return new ChannelList([], SecretsFile.open({ path: folder, log: pino({ level: 'silent' }), now: () => 0 }));
}
const path = () => join(folder, ALERT_SECRETS_FILE.name);
const write = (target: ChannelTarget, secrets: SecretChanges = {}, id: string | null = null) =>
  list.write({ id, name: '', isOn: true, withoutValues: false, maxPerHour: 20, target }, secrets);

const NTFY = { kind: 'ntfy', server: 'https://a.example/', topic: 'garden' } as const;
const TELEGRAM = { kind: 'telegram', server: 'https://a.example/', chat: '7' } as const;
const MAIL = {
  ...{ kind: 'email', host: 'a.example', port: 465, security: 'tls', user: 'grower' },
  ...{ from: 'a@a.example', to: ['b@a.example'] },
} as const satisfies ChannelTarget;
const HOOK = { kind: 'webhook', url: 'https://a.example/hook' } as const;

describe('the secrets of a channel', () => {
  it.each<[string, ChannelTarget, ChannelTarget]>([
    ['another topic', NTFY, { ...NTFY, topic: 'roof' }],
    ['another chat', TELEGRAM, { ...TELEGRAM, chat: '8' }],
    ['other recipients', MAIL, { ...MAIL, to: ['c@a.example'] }],
    ['the same host in capitals', MAIL, { ...MAIL, host: 'A.Example' }],
  ])('are kept for %s', async (_what, before, after) => {
    const { id } = await write(before, { token: 'secret' });
    await write(after, {}, id);
    expect(list.secretsOf(id)).toEqual({ token: 'secret' });
  });

  it.each<[string, ChannelTarget, ChannelTarget]>([
    ['another server', NTFY, { ...NTFY, server: 'https://b.example/' }],
    ['the same server without encryption', NTFY, { ...NTFY, server: 'http://a.example/' }],
    ['another kind at the same server', NTFY, TELEGRAM],
    ['another port', TELEGRAM, { ...TELEGRAM, server: 'https://a.example:444/' }],
    ['another address', HOOK, { ...HOOK, url: 'https://b.example/hook' }],
    ['another host of mail', MAIL, { ...MAIL, host: 'b.example' }],
    ['another port of mail', MAIL, { ...MAIL, port: 587 }],
    ['mail without encryption', MAIL, { ...MAIL, security: 'none' }],
    ['mail with encryption that is only asked for later', MAIL, { ...MAIL, security: 'starttls' }],
    ['another user of mail', MAIL, { ...MAIL, user: 'other' }],
  ])('are dropped for %s', async (_what, before, after) => {
    const { id } = await write(before, { token: 'secret' });
    await write(after, {}, id);
    expect(list.secretsOf(id)).toEqual({});
    expect(list.find(id)!.target).toEqual(after);
  });

  it('and the channel stay as they were if the disk refuses the new ones', async () => {
    const { id } = await write(NTFY, { token: 'old' });
    rmSync(path());
    mkdirSync(join(path(), 'in the way'), { recursive: true });
    const other = { ...NTFY, topic: 'roof' };
    await expect(write(other, { token: 'new' }, id)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect([list.secretsOf(id), list.find(id)!.target]).toEqual([{ token: 'old' }, NTFY]);
    rmSync(path(), { recursive: true });
    await write(other, { token: 'new' }, id);
    expect(readFileSync(path(), 'utf8')).toContain('new');
  });
});

it('has at most fifty channels, which can still be changed', async () => {
  for (let count = 0; count < MAX_CHANNELS; count += 1) await write(NTFY);
  await expect(write(NTFY)).rejects.toMatchObject({ code: 'conflict' });
  await write(HOOK, {}, list.all[0]!.id);
  expect(list.all).toHaveLength(MAX_CHANNELS);
});
