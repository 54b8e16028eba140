import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { attempt, register, send } from '../e2e/support/devices.ts';
import { findChromium } from '../e2e/support/find-chromium.ts';
import { OwnerNode } from '../e2e/support/owner-node.ts';
import { publicKeyOf } from '../src/shared/crypto/ed25519.ts';
import { sealedField } from '../src/simulator/block-source.ts';
import { measure, traitsOf } from '../src/simulator/curves.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { type NodeOptions, removeFolder, temporaryFolder } from '../test/support/node-process.ts';
import { demoDevices, setUpDemo } from './demo-devices.ts';
import { type DemoDevice, HISTORY_DAYS, writeHistory } from './demo-history.ts';

// Creates the pictures of docs/screenshots from a temporary node with simulated devices. Their values depend on fixed
// keys, so a picture changes only with the program and the time of day.

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));
const VIEWPORT = { width: 1440, height: 900 };
const LARGEST_BYTES = 300_000;
const HOUR_MS = 3_600_000;
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

const ownerSeed = Buffer.alloc(32, 11);
const ownerPubkey = Buffer.from(publicKeyOf(ownerSeed)).toString('hex');
const now = Date.now();

function demo(name: string, number: number, more: Partial<DemoDevice> = {}): DemoDevice {
  const device = new SimulatedDevice({
    seed: Buffer.alloc(32, number),
    mac: `02a1b2c3d4e${number}`,
    name,
    ownerPubkey,
  });
  return { device, encrypt: [], lastAt: now, bootedAt: null, stores: ['private'], ...more };
}

const greenhouse = demo('Greenhouse', 1, { stores: ['private', 'public'], location: 0x87a813b22ffffffn });
const devices: readonly DemoDevice[] = [
  greenhouse,
  demo('Nursery', 2, { encrypt: ['ph', 'ec'] }),
  demo('Herb bench', 3, { bootedAt: now - (HISTORY_DAYS * 24 + 1) * HOUR_MS }),
  demo('Rain barrel', 4, { lastAt: now - 2 * HOUR_MS }),
  demo('Tomato row', 5),
];

const chromiumPath = findChromium();
console.log(`screenshots: ${chromiumPath.version} at ${chromiumPath.path}`);
mkdirSync(FOLDER, { recursive: true });
const dataDir = temporaryFolder();
const demoDir = temporaryFolder();
const browser = await chromium.launch({ executablePath: chromiumPath.path });
try {
  await withNode({}, async (node) => {
    for (const scheme of SCHEMES) await takeFirstRun(await newPage(scheme), node, scheme);
  });
  // The README's picture shows `npm run demo`.
  const shown = demoDevices(ownerSeed, (index) => Buffer.alloc(32, 21 + index));
  writeHistory(demoDir, shown, ownerSeed);
  await withNode({ dataDir: demoDir, env: { PUBLIC_ENABLED: 'false' } }, async (node) => {
    await setUpDemo(new URL(node.link), shown);
    await goLive(node, shown);
    for (const scheme of SCHEMES) await takeOverview(await newPage(scheme), node, scheme);
  });
  writeHistory(dataDir, devices, ownerSeed);
  await withNode({ dataDir }, async (node) => {
    await goLive(node, devices);
    await addOthers(node);
    for (const scheme of SCHEMES) await takeAll(await newPage(scheme), node, scheme);
  });
} finally {
  await browser.close();
  removeFolder(dataDir);
  removeFolder(demoDir);
}

/** Runs a node during `work`: on the usual ports, which the pages show, or on free ones if those are in use. */
async function withNode(options: NodeOptions, work: (node: OwnerNode) => Promise<void>): Promise<void> {
  const usual = { ...options, env: { ...options.env, PUBLIC_PORT: '3000', LOCAL_PORT: '3001' } };
  const node = await OwnerNode.start(usual).catch(() => OwnerNode.start(options));
  try {
    await work(node);
  } finally {
    await node.dispose();
  }
}

function newPage(scheme: Scheme): Promise<Page> {
  return browser.newPage({
    viewport: VIEWPORT,
    colorScheme: scheme,
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
    reducedMotion: 'reduce',
  });
}

/** Posts one current reading of each device that is not silent. */
async function goLive(node: OwnerNode, devices: readonly DemoDevice[]): Promise<void> {
  for (const { device, encrypt, lastAt, bootedAt } of devices) {
    if (lastAt < now) continue;
    const values = measure(traitsOf(device.seed), Date.now());
    const block = device.block({
      seq: HISTORY_DAYS * 24 * 60 + 1,
      timestamp: Date.now() - (bootedAt ?? 0),
      keyVersion: encrypt.length > 0 ? 1 : 0,
      plain: values,
      sealed: Object.fromEntries(encrypt.map((name) => [name, sealedField(ownerSeed, values[name])])),
    });
    await send(node, 'local', [block]);
  }
}

/** Adds a device of another owner, and one that is not registered. */
async function addOthers(node: OwnerNode): Promise<void> {
  const stranger = new SimulatedDevice({ seed: Buffer.alloc(32, 8), name: 'Balcony, 3rd floor' });
  await register(node, 'public', stranger);
  const values = measure(traitsOf(stranger.seed), Date.now());
  await send(node, 'public', [stranger.block({ seq: 1, timestamp: Date.now(), plain: values })]);
  const knocking = new SimulatedDevice({ seed: Buffer.alloc(32, 9) });
  await attempt(node, 'local', knocking.block({ seq: 1, timestamp: Date.now(), plain: values }));
}

async function takeFirstRun(page: Page, node: OwnerNode, scheme: Scheme): Promise<void> {
  await page.goto(node.link);
  await page.getByRole('button', { name: /^Just show me/ }).waitFor();
  await save(page, `first-run-${scheme}`);
  await page.close();
}

async function takeOverview(page: Page, node: OwnerNode, scheme: Scheme): Promise<void> {
  await page.goto(node.link);
  await page.getByRole('article', { name: 'Herb bench' }).waitFor();
  await page.locator('article svg path').first().waitFor();
  await page.getByRole('region', { name: 'Needs you now' }).waitFor();
  await page
    .getByRole('link', { name: 'Go to your keys' })
    .or(page.getByRole('button', { name: 'Go to your keys' }))
    .waitFor();
  await save(page, `overview-${scheme}`);
  await page.close();
}

async function takeAll(page: Page, node: OwnerNode, scheme: Scheme): Promise<void> {
  await page.goto(node.link);
  await page.getByText('Tomato row').first().waitFor();

  await page.goto(`${node.url('local')}/ui/#/device/${greenhouse.device.id}`);
  await page.locator('.uplot canvas').nth(5).waitFor();
  await page.getByText('7 d', { exact: true }).click();
  await page.locator('[aria-busy=false] .uplot canvas').nth(5).waitFor();
  await page.getByRole('grid', { name: 'Readings' }).getByRole('row').nth(5).waitFor();
  await save(page, `device-${scheme}`);

  await scrollTo(page, 'Readings');
  await save(page, `device-readings-${scheme}`);
  await page.getByRole('tab', { name: 'Device and network' }).click();
  await page.getByRole('heading', { name: 'Location' }).scrollIntoViewIfNeeded();
  await page.getByRole('img', { name: /^Map with the cell/ }).waitFor();
  await scrollTo(page, 'About this device');
  await save(page, `device-about-${scheme}`);

  await page.goto(`${node.url('local')}/ui/#/connect/network`);
  await page.getByRole('heading', { name: 'From this network: the gate' }).waitFor();
  await save(page, `connect-${scheme}`);
  await page.close();
}

/** Scrolls a heading to the top of the page, with some space above it. */
function scrollTo(page: Page, name: string): Promise<void> {
  return page.getByRole('heading', { name, exact: true }).evaluate((heading: HTMLElement) => {
    heading.style.scrollMarginTop = '20px';
    heading.scrollIntoView();
  });
}

/** Writes one picture. Fails if it is too large for a repository. */
async function save(page: Page, name: string): Promise<void> {
  const path = join(FOLDER, `${name}.png`);
  // Fonts and late content are drawn in the frame after the next.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.screenshot({ path, animations: 'disabled' });
  const { size } = statSync(path);
  console.log(`screenshots: ${name}.png, ${Math.round(size / 1000)} kB`);
  if (size > LARGEST_BYTES) throw new Error(`${name}.png has ${size} bytes; at most ${LARGEST_BYTES} are kept`);
}
