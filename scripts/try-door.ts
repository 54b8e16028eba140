import { ok } from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium, type Page } from '@playwright/test';
import { register, send } from '../e2e/support/devices.ts';
import { OwnerNode } from '../e2e/support/owner-node.ts';
import { METHODS, type MethodName } from '../src/shared/owner-api/contract.ts';
import type { OpenedPairing } from '../src/shared/owner-api/door.ts';
import { readPairingLink, showPairingCode } from '../src/shared/pairing-link.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { call } from '../test/support/owner-client.ts';
import { errorOf, newPhone, refusal, seen, statuses, WITHIN_MS } from './try-door-phone.ts';
import { Tap } from './try-door-tap.ts';

// The steps of scripts/try-door.sh, run in the node's network namespace. `work` is its folder, with a Chromium that
// runs in the phone's namespace. The steps collect all secrets, and the recording of the tap is searched for them.

const work = process.argv[2] ?? '';
const PROJECT = join(import.meta.dirname, '..');
const NODE_LAN = '10.79.0.2';
const PHONE_LAN = '10.79.0.3';
const NODE_TUNNEL = '10.81.0.1';
const DOOR_PORT = 3443;
const REVOKED_WITHIN_MS = 1000;
const SHUT_OUT = 'The owner ended the access of this browser';

const secrets = new Set<string>();
let failures = 0;

/** Prints one line: the result of `act`, or why it failed. */
async function step(text: string, act: () => Promise<string> | string): Promise<void> {
  const [verdict, told] = await (async () => ['PASS', await act()])().catch((error: Error) => {
    failures++;
    return ['FAIL', error.message.split('\n').slice(0, 2).join(' ')];
  });
  process.stdout.write(`${verdict} ${text}${told ? `: ${told}` : ''}\n`);
}
const title = (text: string) => process.stdout.write(`== ${text}\n`);

async function until<T>(what: string, look: () => Promise<T | false>): Promise<T> {
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== false) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${WITHIN_MS / 1000} s`);
    await delay(50);
  }
}

const node = await OwnerNode.start({ env: { LOCAL_PORT: '3001', PUBLIC_PORT: '3000' } });
const device = new SimulatedDevice({ name: 'Tomatoes' });
await register(node, 'local', device, { publishTo: 0 });
secrets.add(node.token);
const browser = await chromium.launch({ executablePath: join(work, 'chromium') });
let ssh: ChildProcess | undefined;

let seq = 0;
/** Sends a signed reading to the node itself. Returns how long it took until the page received and showed it. */
async function follow(page: Page): Promise<string> {
  seq++;
  // A whole number, so that it is sent as it was signed, and too long to occur by chance in a recording.
  const ec = 1_234_560 + seq;
  secrets.add(String(ec));
  // The texts that the tap is searched for must have crossed the wire.
  const brought = page.waitForResponse((answer) =>
    answer.text().then(
      (text) => text.includes(String(ec)),
      () => false,
    ),
  );
  const begun = performance.now();
  await send(node, 'local', [device.block({ seq, timestamp: Date.now(), plain: { ec } })]);
  const shown = ec.toLocaleString('en-US');
  await Promise.all([seen(page, new RegExp(`${shown}|${ec}`)), brought]);
  return `EC ${ec} after ${Math.round(performance.now() - begun)} ms`;
}

/** Returns the link of `wellhouse pair`, run where the node runs. */
function pairByCommand(name: string, role: string): string {
  const args = [join(PROJECT, 'out/main/wellhouse.js'), '--data-dir', node.dataDir, '--json', 'pair', name];
  const said = execFileSync(process.execPath, [...args, '--role', role], { encoding: 'utf8' });
  return (JSON.parse(said) as OpenedPairing).links[0]!.link;
}

/** Opens a pairing link on a phone, accepts the browser, and opens the device there. */
async function enter(phone: Page, link: string): Promise<void> {
  const { code } = readPairingLink(link)!;
  secrets.add(code).add(showPairingCode(code));
  await phone.goto(link);
  await phone.getByRole('heading', { name: 'Let this browser in' }).waitFor();
  await phone.getByRole('button', { name: 'Go on' }).click();
  await phone.getByText('Live', { exact: true }).waitFor();
  for (const { value } of await phone.context().cookies()) secrets.add(value);
  await phone.getByText('Tomatoes').first().click();
  await phone.getByRole('heading', { level: 1, name: /Tomatoes/ }).waitFor();
}

/** Sets the address of the door, or turns it off with null, and waits for it. */
async function setDoor(doorAddress: string | null): Promise<void> {
  await call(node.process, 'setSettings', { change: { doorAddress } });
  const wanted = doorAddress === null ? 'off' : 'listening';
  await until(`the door is ${wanted}`, async () => (await call(node.process, 'door', {})).door.state === wanted);
}

/** Revokes a pairing. Returns how long it took until its page said so. */
async function revoke(name: string, page: Page): Promise<string> {
  const { pairings } = await call(node.process, 'door', {});
  const { id } = pairings.find((each) => each.name === name)!;
  const begun = performance.now();
  await call(node.process, 'revokePairing', { id });
  await seen(page, SHUT_OUT);
  const took = Math.round(performance.now() - begun);
  ok(took < REVOKED_WITHIN_MS, `only after ${took} ms`);
  return `after ${took} ms; its cookie is answered ${await statuses(page, ['listDevices'])}`;
}

async function tellsNothing(tap: Tap): Promise<string> {
  await tap.stop(PHONE_LAN);
  const found = tap.holds(secrets);
  ok(found.length === 0, `found ${found.length} of ${secrets.size} secrets in clear`);
  return `none of ${secrets.size} tokens, codes and values in ${tap.bytes} bytes`;
}

async function sameNetwork(): Promise<void> {
  title(`same network: the door at ${NODE_LAN}, a tap on the switch`);
  const tap = await Tap.start(join(work, 'lan.pcap'));
  await setDoor(NODE_LAN);
  const [mine, anas] = [await newPhone(browser), await newPhone(browser)];
  const link = pairByCommand('My phone', 'owner');
  await step('`wellhouse pair` prints a link of that address', () => {
    ok(link.startsWith(`https://${NODE_LAN}:${DOOR_PORT}/`), link);
    return link.replace(/code=.*/, 'code=…');
  });
  await step('the phone warns of the certificate first', async () => {
    const error = await refusal(browser, `https://${NODE_LAN}:${DOOR_PORT}/ui/`, { trusts: false });
    ok(error === 'net::ERR_CERT_AUTHORITY_INVALID', error);
    return error;
  });
  await step('the phone pairs by the link, as an owner', () =>
    enter(mine, link).then(() => `${mine.viewportSize()!.width} px wide`),
  );
  await step('it follows live readings', () => follow(mine));
  await step('its cookie is Secure, HttpOnly, SameSite=Strict', async () => {
    const [cookie] = await mine.context().cookies();
    ok(cookie?.secure && cookie.httpOnly && cookie.sameSite === 'Strict', JSON.stringify({ ...cookie, value: '…' }));
    return cookie.name;
  });
  await step('on its page it makes a code and a QR for a viewer, who pairs by that link', async () => {
    await mine.getByRole('button', { name: 'Menu' }).click();
    await mine.getByRole('link', { name: 'Phones and people' }).click();
    await mine.getByRole('textbox', { name: 'Name' }).fill('Ana');
    await mine.getByText('Viewer', { exact: true }).first().click();
    await mine.getByRole('button', { name: 'Make a code' }).click();
    await mine.getByRole('img', { name: 'QR code of the link' }).waitFor();
    await enter(anas, (await mine.locator('code').filter({ hasText: '#/pair' }).textContent())!);
    return 'Ana';
  });
  await step('the viewer follows live readings', () => follow(anas));
  await step("every owner's call is refused to the viewer", async () => {
    const owners = Object.keys(METHODS).filter((name) => METHODS[name as MethodName].role === 'owner');
    const answered = new Set(await statuses(anas, owners));
    ok(answered.size === 1 && answered.has(403), [...answered].join(' '));
    return `${owners.length} methods, all 403`;
  });
  await step("the viewer's page hides what is the owner's", async () => {
    await anas.getByRole('button', { name: 'Menu' }).click();
    const links = await anas.getByRole('navigation', { name: 'Menu' }).getByRole('link').allTextContents();
    ok(links.join() === 'Overview,Alerts,Crops,Compare', links.join());
    await anas.keyboard.press('Escape');
    await anas.goto(`https://${NODE_LAN}:${DOOR_PORT}/ui/#/settings`);
    await seen(anas, 'This page is for the owner');
    return `menu ${links.join(', ')}`;
  });
  await step("the devices' protocol is not there", async () => {
    const [status] = await mine.evaluate(async () => [(await fetch('/v1/devices')).status]);
    ok(status === 404, String(status));
    return '/v1/devices 404';
  });
  await step('plain http to the door gets not a byte', async () => {
    const error = await refusal(browser, `http://${NODE_LAN}:${DOOR_PORT}/ui/`);
    ok(['net::ERR_EMPTY_RESPONSE', 'net::ERR_CONNECTION_RESET'].includes(error), error);
    return error;
  });
  await step('the local endpoint is as shut as before', async () => {
    const error = await refusal(browser, `http://${NODE_LAN}:3001/health`);
    ok(error === 'net::ERR_CONNECTION_REFUSED', error);
    return error;
  });
  await step('shutting out the viewer cuts it off within a second', () => revoke('Ana', anas));
  await step('and the owner’s phone', () => revoke('My phone', mine));
  for (const phone of [mine, anas]) await phone.context().close();
  await step('the tap saw no token, code or value', async () => {
    const told = await tellsNothing(tap);
    const packets = tap.packets(`tcp port ${DOOR_PORT}`);
    ok(packets > 100, `only ${packets} packets of the door`);
    return `${told}, ${packets} packets of port ${DOOR_PORT}`;
  });
}

/** Searches in the same way for the same secrets after they were sent unencrypted. */
async function control(): Promise<void> {
  await step('control: it finds every one of them when a page brings them over http', async () => {
    const tap = await Tap.start(join(work, 'control.pcap'));
    const server = createServer((_request, response) => response.end([...secrets].join(' ')));
    await new Promise<void>((listening) => server.listen(8088, NODE_LAN, listening));
    const phone = await newPhone(browser);
    await phone.goto(`http://${NODE_LAN}:8088/`);
    server.closeAllConnections();
    server.close();
    await tap.stop(PHONE_LAN);
    const found = tap.holds(secrets).length;
    ok(found === secrets.size, `${found} of ${secrets.size}`);
    return `${found} of ${secrets.size}`;
  });
}

async function wireguard(): Promise<void> {
  title(`WireGuard: the door at ${NODE_TUNNEL}`);
  await setDoor(NODE_TUNNEL);
  await step('the LAN no longer reaches the door', async () => {
    const error = await refusal(browser, `https://${NODE_LAN}:${DOOR_PORT}/ui/`);
    ok(error === 'net::ERR_CONNECTION_REFUSED', error);
    return error;
  });
  const tap = await Tap.start(join(work, 'wireguard.pcap'));
  const phone = await newPhone(browser);
  await step('the phone pairs through the tunnel', async () => {
    const link = pairByCommand('Tunnel', 'viewer');
    ok(link.startsWith(`https://${NODE_TUNNEL}:${DOOR_PORT}/`), link);
    await enter(phone, link);
    return link.replace(/code=.*/, 'code=…');
  });
  await step('it follows live readings', () => follow(phone));
  const standing = async () => (await call(node.process, 'door', {})).door.state;
  await step('the tunnel goes and comes back: the door waits, then the phone is live again', async () => {
    execFileSync('ip', ['link', 'set', 'wg-node', 'down']);
    await until('the door waits', async () => (await standing()) === 'waiting');
    execFileSync('ip', ['link', 'set', 'wg-node', 'up']);
    await until('the door listens', async () => (await standing()) === 'listening');
    return follow(phone);
  });
  await step('shutting it out cuts it off within a second', () => revoke('Tunnel', phone));
  await step('the tap saw no token, code or value, and of the door not even its port', async () => {
    const told = await tellsNothing(tap);
    const [udp, tcp] = [tap.packets('udp port 51820'), tap.packets(`tcp port ${DOOR_PORT}`)];
    ok(udp > 100 && tcp === 0, `${udp} of the tunnel, ${tcp} of the door`);
    return `${told}, ${udp} packets of the tunnel`;
  });
}

async function overSsh(): Promise<void> {
  title('ssh -L, no door');
  const tap = await Tap.start(join(work, 'ssh.pcap'));
  await setDoor(null);
  const phone = await newPhone(browser);
  const args = [join(PROJECT, 'out/main/wellhouse.js'), '--data-dir', node.dataDir, '--json', 'link', '--ssh'];
  const said = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as { ssh: string; link: string };
  const forward = /-L \S+/.exec(said.ssh)?.[0] ?? '';
  await step('the port is shut without it', async () => {
    const error = await refusal(browser, said.link);
    ok(error === 'net::ERR_CONNECTION_REFUSED', error);
    return error;
  });
  await step('the command of `wellhouse link --ssh` and its link open the owner’s view', async () => {
    const options = ['-F', 'none', '-i', join(work, 'user'), '-o', `UserKnownHostsFile=${join(work, 'known_hosts')}`];
    const command = ['ssh', '-N', ...options, ...forward.split(' '), `root@${NODE_LAN}`];
    ssh = spawn('ip', ['netns', 'exec', 'phone', ...command], { stdio: ['ignore', 'ignore', 'inherit'] });
    await until('the tunnel stands', async () => !(await errorOf(phone, said.link)).startsWith('net::'));
    await phone.getByText('Live', { exact: true }).waitFor();
    await phone.getByText('Tomatoes').first().click();
    return forward;
  });
  await step('it follows live readings', () => follow(phone));
  await step('the tap saw no token, code or value', async () => {
    const told = await tellsNothing(tap);
    const packets = tap.packets('tcp port 22');
    ok(packets > 100, `only ${packets} packets of ssh`);
    return `${told}, ${packets} packets of port 22`;
  });
}

try {
  await sameNetwork();
  await control();
  await wireguard();
  await overSsh();
} finally {
  ssh?.kill();
  await browser.close();
  await node.dispose();
}
process.stdout.write(failures === 0 ? 'try-door: every step held\n' : `try-door: ${failures} steps did not hold\n`);
process.exitCode = failures === 0 ? 0 : 1;
