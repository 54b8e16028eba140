import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChannelTarget, NO_OPTIONS } from '../../src/shared/alerts/channel.ts';
import { type Input, METHODS, type MethodName } from '../../src/shared/owner-api/contract.ts';
import type { EventPayload } from '../../src/shared/owner-api/events.ts';
import { AlertServer, asNtfy, asTelegram } from '../support/alert-servers.ts';
import { type RunningNode, removeFolder, startNode, temporaryFolder } from '../support/node-process.ts';
import { call, EventSocket, failure, sendCall } from '../support/owner-client.ts';
import { VALID_INPUTS } from '../support/owner-inputs.ts';

const SECRETS = {
  token: 'tk_NeverSeenAgain7mVBoFD37zQVN29',
  bot: '110201543:NeverSeenAgainvGWJxfSeofSAs0K5PALDsaw',
  signingKey: `whsec_${randomBytes(32).toString('base64')}`,
  password: 'never-seen-again pässword/+',
};
/** Every form in which a secret can appear. */
const FORMS = [...Object.values(SECRETS), `\0grower\0${SECRETS.password}`].flatMap((secret) => {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, encodeURIComponent(secret), base64, base64.replace(/=+$/, ''), JSON.stringify(secret).slice(1, -1)];
});

let folder: string;
let node: RunningNode;
const servers: AlertServer[] = [];
async function begin(): Promise<void> {
  folder = temporaryFolder();
  node = await start();
}
async function end(): Promise<void> {
  await node.dispose();
  removeFolder(folder);
}
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

function start(): Promise<RunningNode> {
  return startNode({ args: ['--ui'], dataDir: join(folder, 'data'), env: { LOG_LEVEL: 'trace' } });
}

async function server(...args: Parameters<typeof AlertServer.start>): Promise<AlertServer> {
  const started = await AlertServer.start(...args);
  servers.push(started);
  return started;
}

function write(
  target: Input<'writeAlertChannel'>['channel']['target'],
  secrets: Input<'writeAlertChannel'>['secrets'] = {},
  change: Partial<Input<'writeAlertChannel'>['channel']> = {},
) {
  const channel = { id: null, name: 'My phone', isOn: true, withoutValues: false, target, ...change };
  return call(node, 'writeAlertChannel', { channel, secrets });
}

const list = async () => (await call(node, 'alertChannels', {})).channels;
const ntfyAt = (origin: string): ChannelTarget => ({ kind: 'ntfy', server: origin, topic: 'garden' });

describe('a channel', () => {
  beforeAll(begin);
  afterAll(end);
  afterEach(async () => {
    for (const { channel } of await list()) await call(node, 'deleteAlertChannel', { id: channel.id });
  });

  it('is created, tested, kept over a restart and deleted with its secret', async () => {
    const ntfy = await server(asNtfy(SECRETS.token));
    const { channel } = await write(ntfyAt(ntfy.origin), { token: SECRETS.token });
    expect(channel).toMatchObject({ maxPerHour: 20, target: ntfyAt(ntfy.origin) });
    const { id } = channel;
    expect(await call(node, 'testAlertChannel', { id })).toEqual({ failure: null });
    expect(ntfy.bodies).toMatchObject([{ topic: 'garden', title: 'Test message from Wellhouse' }]);
    const [shown] = await list();
    expect(shown).toMatchObject({ channel, secrets: ['token'], isPlainBeyondLan: false, lastFailure: null });
    expect(shown!.lastSuccessAt).toBeGreaterThan(Date.now() - 60_000);
    await node.stop();
    node = await start();
    expect(await list()).toEqual([shown]);
    expect(await call(node, 'testAlertChannel', { id })).toEqual({ failure: null });
    await call(node, 'deleteAlertChannel', { id });
    expect(await list()).toEqual([]);
    expect(readFileSync(join(node.dataDir, 'alert-secrets.json'), 'utf8')).not.toContain(SECRETS.token);
    expect((await failure(node, 'testAlertChannel', { id }))[1]).toMatchObject({ ok: false, error: 'not_found' });
  });

  it('keeps an omitted secret, but sends it to no other server', async () => {
    const [first, other] = [await server(asNtfy(SECRETS.token)), await server(asNtfy(SECRETS.token))];
    const { channel } = await write(ntfyAt(first.origin), { token: SECRETS.token });
    const { id } = channel;
    expect(await write(ntfyAt(first.origin), {}, { id, name: 'Renamed' })).toMatchObject({ secrets: ['token'] });
    expect(await call(node, 'testAlertChannel', { id })).toEqual({ failure: null });
    expect(await write(ntfyAt(other.origin), {}, { id })).toMatchObject({ secrets: [] });
    expect((await call(node, 'testAlertChannel', { id })).failure).toMatchObject({ fault: 'unauthorized' });
    expect(other.requests[0]!.headers).not.toHaveProperty('authorization');
    // Nor to the first one again: it is gone.
    expect(await write(ntfyAt(first.origin), {}, { id })).toMatchObject({ secrets: [] });
    await write(ntfyAt(first.origin), { token: SECRETS.token }, { id });
    expect(await write(ntfyAt(first.origin), { token: null }, { id })).toMatchObject({ secrets: [] });
  });

  it('that is unencrypted beyond this network has a warning', async () => {
    const warns = async (target: ChannelTarget) => (await write(target)).isPlainBeyondLan;
    expect(await warns(ntfyAt('http://ntfy.example.org'))).toBe(true);
    expect(await warns(ntfyAt('https://ntfy.example.org'))).toBe(false);
    expect(await warns({ kind: 'webhook', url: 'http://192.168.1.9/hook' })).toBe(false);
    expect((await list()).map(({ isPlainBeyondLan }) => isPlainBeyondLan)).toEqual([true, false, false]);
  });

  it.each<[string, unknown, unknown]>([
    ['an address with a password in it', { kind: 'webhook', url: 'https://a:b@example.org/' }, {}],
    ['an address that is no web address', { kind: 'webhook', url: 'file:///etc/passwd' }, {}],
    ['a secret of another kind', { kind: 'ntfy', server: 'https://ntfy.sh', topic: 'x' }, { password: 'x' }],
    ['a header in a token', { kind: 'ntfy', server: 'https://ntfy.sh', topic: 'x' }, { token: 'a\r\nb: c' }],
  ])('takes not %s', async (_what, target, secrets) => {
    const channel = { id: null, name: '', isOn: true, withoutValues: false, target };
    const [status, answer] = await failure(node, 'writeAlertChannel', { channel, secrets });
    expect([status, answer]).toMatchObject([400, { error: 'invalid_input' }]);
    expect(await list()).toEqual([]);
  });

  it('on the desktop reaches its listeners, and reports if there is none', async () => {
    const { channel } = await write({ kind: 'desktop' });
    expect((await call(node, 'testAlertChannel', { id: channel.id })).failure).toMatchObject({ fault: 'no_view' });
    const socket = new EventSocket(node);
    await socket.ready;
    const tested = call(node, 'testAlertChannel', { id: channel.id });
    const payload = (await socket.next('notice')).payload as EventPayload<'notice'>;
    expect(payload).toMatchObject({ alert: null, title: 'Test message from Wellhouse' });
    await call(node, 'noticeShown', { id: payload.id, isShown: true });
    expect(await tested).toEqual({ failure: null });
    const refused = call(node, 'testAlertChannel', { id: channel.id });
    const second = await socket.next('notice', (notice) => notice.id !== payload.id);
    const { id } = second.payload as EventPayload<'notice'>;
    await call(node, 'noticeShown', { id, isShown: false });
    expect((await refused).failure).toMatchObject({ fault: 'not_shown' });
    // Another event comes after it: by then it would have been told twice.
    await call(node, 'setOwnerChoices', { units: {} });
    await socket.next('choices');
    expect(socket.events.filter(({ name }) => name === 'notice')).toHaveLength(2);
    socket.close();
    await socket.ended;
    await expect
      .poll(async () => (await call(node, 'testAlertChannel', { id: channel.id })).failure?.fault, { timeout: 30_000 })
      .toBe('no_view');
  });
});

describe('secrets', () => {
  beforeEach(begin);
  afterEach(end);

  it('are never returned: by no method, event, log line or file', async () => {
    // Servers that say all that they were told.
    const echo = await server(({ headers, path, body }, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ ok: false, error_code: 400, description: `${path} ${headers.authorization} ${body}` }),
      );
      return undefined;
    });
    const moved = await server(({ path, headers }, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:1${path}?key=${headers.authorization}` }).end();
      return undefined;
    });
    const socket = new EventSocket(node);
    await socket.ready;
    const mail = { from: 'a@example.org', to: ['b@example.org'], user: 'grower', security: 'starttls' as const };
    const written = [
      await write(ntfyAt(echo.origin), { token: SECRETS.token }),
      await write(ntfyAt(moved.origin), { token: SECRETS.token }),
      await write({ kind: 'telegram', server: echo.origin, chat: '1' }, { token: SECRETS.bot }),
      await write({ kind: 'telegram', server: moved.origin, chat: '1' }, { token: SECRETS.bot }),
      await write({ kind: 'telegram', server: 'http://127.0.0.1:1', chat: '1' }, { token: SECRETS.bot }),
      await write({ kind: 'webhook', url: `${echo.origin}/x` }, { signingKey: SECRETS.signingKey }),
      await write({ kind: 'email', host: '127.0.0.1', port: 1, ...mail }, { password: SECRETS.password }),
    ];
    const said: string[] = [JSON.stringify(written)];
    for (const { channel } of written) {
      const { failure: failed } = await call(node, 'testAlertChannel', { id: channel.id });
      expect(failed).not.toBeNull();
      said.push(JSON.stringify(failed));
    }
    // What is refused is not said again either.
    const broken = { channel: { ...written[0]!.channel, target: { kind: 'ntfy' } }, secrets: { token: SECRETS.token } };
    said.push((await sendCall(node, 'writeAlertChannel', JSON.stringify(broken))).text);
    for (const method of Object.keys(METHODS) as MethodName[]) {
      const reply = await sendCall(node, method, JSON.stringify(VALID_INPUTS[method]));
      said.push(reply.text);
      if (method !== 'diagnostics') continue;
      const { value } = JSON.parse(reply.text) as { value: { zip: string } };
      const files = unzipSync(Buffer.from(value.zip, 'base64'));
      said.push(...Object.values(files).map((bytes) => Buffer.from(bytes).toString('utf8')));
    }
    said.push(JSON.stringify(socket.events));
    socket.close();
    await node.stop();
    said.push(node.stdout, node.stderr);
    const secretsFile = join(node.dataDir, 'alert-secrets.json');
    for (const name of readdirSync(node.dataDir, { recursive: true, encoding: 'utf8' })) {
      const path = join(node.dataDir, name);
      if (!path.startsWith(secretsFile) && statSync(path).isFile())
        said.push(readFileSync(path, 'latin1'), readFileSync(path, 'utf8'));
    }
    for (const form of FORMS) expect(said.filter((text) => text.includes(form))).toEqual([]);
    // They are there, and nobody else's to read.
    const kept = readFileSync(secretsFile, 'utf8');
    for (const secret of Object.values(SECRETS)) expect(kept).toContain(JSON.stringify(secret));
    if (process.platform !== 'win32') {
      for (const name of ['alert-secrets.json', 'alerts.json']) {
        expect(statSync(join(node.dataDir, name)).mode & 0o777).toBe(0o600);
      }
    }
  });

  it('in a damaged file are reported as missing, and can be entered again', async () => {
    const ntfy = await server(asNtfy(SECRETS.token));
    const { channel } = await write(ntfyAt(ntfy.origin), { token: SECRETS.token });
    await node.stop();
    const path = join(node.dataDir, 'alert-secrets.json');
    writeFileSync(path, '{"version":1,"chan');
    node = await start();
    expect((await list())[0]).toMatchObject({ channel, secrets: ['token'] });
    await node.stop();
    for (const each of [path, `${path}.previous`]) writeFileSync(each, '{"version":1,"chan');
    node = await start();
    expect(node.stdout).toContain('a file was damaged');
    expect((await list())[0]).toMatchObject({ channel, secrets: [] });
    expect(readdirSync(node.dataDir).some((name) => name.startsWith('alert-secrets.json.damaged-'))).toBe(true);
    await write(ntfyAt(ntfy.origin), { token: SECRETS.token }, { id: channel.id });
    expect(await call(node, 'testAlertChannel', { id: channel.id })).toEqual({ failure: null });
  });

  it('stay when another state file is damaged', async () => {
    const { channel } = await write(ntfyAt('https://ntfy.example.org'), { token: SECRETS.token });
    await node.stop();
    const path = join(node.dataDir, 'alerts.json');
    const state = readFileSync(path);
    for (const each of [path, `${path}.previous`]) writeFileSync(each, 'half of');
    node = await start();
    expect(await list()).toEqual([]);
    await node.stop();
    // Put back by hand.
    writeFileSync(path, state);
    node = await start();
    expect((await list())[0]).toMatchObject({ channel, secrets: ['token'] });
  });
});

describe('messages that a node left', () => {
  beforeEach(begin);
  afterEach(end);

  it('are sent once after its next start, in the owner’s language', async () => {
    const telegram = await server(asTelegram(SECRETS.bot, 7));
    const { channel } = await write(
      { kind: 'telegram', server: telegram.origin, chat: '7' },
      { token: SECRETS.bot },
      { withoutValues: false },
    );
    await call(node, 'setOwnerChoices', { units: { temperature: 'fahrenheit' } });
    await call(node, 'setAlertOptions', { ...NO_OPTIONS, linkBase: 'https://well.example', language: 'pt-BR' });
    await node.stop();
    const path = join(node.dataDir, 'alerts.json');
    const state = JSON.parse(readFileSync(path, 'utf8'));
    const device = 'ab'.repeat(32);
    const at = Date.now();
    const alert = {
      ...{ id: randomUUID(), rule: randomUUID(), kind: 'range', name: '', device, field: 'tempWater', store: null },
      ...{ severity: 'warning', state: 'firing', since: at - 60_000, firedAt: at, snoozedUntil: null },
      ...{ side: 'high', value: 26.5, extreme: 27, limit: 24, endedAt: null, ended: null },
    };
    const facts = {
      ...{ id: randomUUID(), kind: 'fired', at, severity: 'warning', alert, held: null },
      device: { id: device, name: 'Tanque', unit: null },
    };
    state.outbox.deliveries.push({ facts, channel: channel.id, tries: 1, nextAt: at, isQuiet: false });
    writeFileSync(path, JSON.stringify(state));
    node = await start();
    await expect.poll(() => telegram.bodies.length, { timeout: 30_000 }).toBe(1);
    const { text } = telegram.bodies[0] as { text: string };
    expect(text.split('\n')[0]).toBe('Tanque: Temperatura da água acima da faixa');
    expect(text).toContain('Agora 79,7 °F; o certo é no máximo 75,2 °F.');
    expect(text).toContain(`https://well.example/#/alerts/${alert.id}`);
    const left = () => (JSON.parse(readFileSync(path, 'utf8')) as typeof state).outbox.deliveries;
    await expect.poll(left, { timeout: 30_000 }).toEqual([]);
    await node.stop();
    node = await start();
    expect((await list())[0]).toMatchObject({ waiting: 0, lastFailure: null });
    expect(telegram.bodies).toHaveLength(1);
  });
});
