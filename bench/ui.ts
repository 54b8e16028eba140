import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { send } from '../e2e/support/devices.ts';
import { findChromium } from '../e2e/support/find-chromium.ts';
import { OwnerNode } from '../e2e/support/owner-node.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { removeFolder, temporaryFolder } from '../test/support/node-process.ts';
import { median } from './latencies.ts';
import { lookAtMachine } from './machine.ts';
import { number } from './report.ts';
import { bundleSizes, MOST } from './ui-size.ts';
import { DEVICES, READINGS, writeLargeStore, writeYearWithoutClock } from './ui-store.ts';

// Measures the speed of the owner's view with 300 devices and a million readings, in Chromium on this machine. Times are
// the medians of some runs, each in its own browser profile. The node was not started just before any of them.

const RUNS = 7;
const LIVE_PER_SECOND = 200;
const LIVE_SECONDS = 10;

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost: number | null;
  readonly detail: string;
}

const figures: Figure[] = [];
const dataDir = temporaryFolder();
const clocklessDir = temporaryFolder();
const found = findChromium();
let browser: Browser | undefined;
let node: OwnerNode | undefined;
try {
  console.log(`${found.version} at ${found.path}`);
  console.log(JSON.stringify(await lookAtMachine(dataDir)));
  sizes();
  console.log(`writing ${number(READINGS)} readings of ${DEVICES} devices`);
  const devices = writeLargeStore(dataDir);
  node = await OwnerNode.start({ dataDir });
  browser = await chromium.launch({ executablePath: found.path });
  await overviewPaint(browser, node);
  await scrollThrough(browser, node);
  await devicePage(browser, node, devices[0]!);
  await yearChart(browser, node, devices[0]!, 'a year of minute readings: eight charts drawn');
  await liveStream(browser, node, devices);
  await node.dispose();
  const clockless = writeYearWithoutClock(clocklessDir);
  node = await OwnerNode.start({ dataDir: clocklessDir });
  await yearChart(browser, node, clockless, 'the same of a device without a clock');
} finally {
  await browser?.close();
  await node?.dispose();
  for (const folder of [dataDir, clocklessDir]) removeFolder(folder);
}
report();

function add(what: string, value: number, unit: string, atMost: number | null, detail = ''): void {
  figures.push({ what, value, unit, atMost, detail });
}

function spread(values: readonly number[]): string {
  return `${RUNS} runs, ${number(Math.min(...values))} to ${number(Math.max(...values))}`;
}

function sizes(): void {
  const { script, dictionaries, first, style, texts } = bundleSizes();
  add('JavaScript, gzipped', script, 'kB', MOST.script);
  add('dictionaries for passphrases, gzipped', dictionaries, 'kB', MOST.dictionaries);
  add('JavaScript before the first page, gzipped', first, 'kB', MOST.first);
  add('styles, gzipped', style, 'kB', null);
  add('texts of one language, gzipped', texts, 'kB', null);
}

/** Returns a context that has the owner's token, as after the first visit. Its cache is empty. */
async function ownerContext(from: Browser, at: OwnerNode): Promise<BrowserContext> {
  const origin = at.url('local');
  return from.newContext({
    viewport: { width: 1440, height: 900 },
    storageState: { cookies: [], origins: [{ origin, localStorage: [{ name: 'wellhouse.token', value: at.token }] }] },
  });
}

/** Resolves with the page's time since `navigation` at which an element was painted. */
function paintedAt(page: Page, selector: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector(wanted) === null) return requestAnimationFrame(look);
          // The frame with the element is drawn before the next one starts.
          return requestAnimationFrame(() => resolve(performance.now()));
        };
        look();
      }),
    selector,
  );
}

async function overviewPaint(from: Browser, at: OwnerNode): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await ownerContext(from, at);
    const page = await context.newPage();
    await page.goto(`${at.url('local')}/ui/`, { waitUntil: 'commit' });
    times.push(await paintedAt(page, '[role=table] [role=row] a[href*=device]'));
    await context.close();
  }
  add('overview: first rows painted', median(times), 'ms', 1000, spread(times));
}

/** Measures frames while the table of all devices is scrolled to its end and back, half a screen at a time. */
async function scrollThrough(from: Browser, at: OwnerNode): Promise<void> {
  const context = await ownerContext(from, at);
  const page = await context.newPage();
  await page.goto(`${at.url('local')}/ui/`);
  await page.locator('[role=table] [role=row] a').first().waitFor();
  await page.evaluate(() => new Promise((idle) => requestIdleCallback(() => requestIdleCallback(idle))));
  const gaps = await page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const area = document.querySelector('main')!;
        const found: number[] = [];
        let [last, step] = [performance.now(), area.clientHeight / 2];
        const frame = (now: number) => {
          found.push(now - last);
          last = now;
          const before = area.scrollTop;
          area.scrollTop += step;
          if (area.scrollTop === before && step > 0) step = -step;
          else if (area.scrollTop === before) return resolve(found.slice(1));
          return requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
  );
  add('scrolling: longest frame', Math.max(...gaps), 'ms', 50, `${gaps.length} frames, median ${number(median(gaps))}`);
  await context.close();
}

/**
 * Measures from the click on a device until its charts are drawn, its readings are listed and the page accepts input.
 */
async function devicePage(from: Browser, at: OwnerNode, { id }: SimulatedDevice): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await ownerContext(from, at);
    const page = await context.newPage();
    await page.goto(`${at.url('local')}/ui/`);
    await page.locator('[role=table] [role=row] a').first().waitFor();
    // A person looks before the click; meanwhile the page becomes idle.
    await page.evaluate(() => new Promise((idle) => requestIdleCallback(() => requestIdleCallback(idle))));
    const took = await page.evaluate(
      (target) =>
        new Promise<number>((resolve) => {
          const start = performance.now();
          document.querySelector<HTMLElement>(`[role=table] a[href$="${target}"]`)!.click();
          const isThere = () =>
            document.querySelectorAll('.uplot canvas').length === 8 &&
            document.querySelectorAll('[role=grid] [role=row]').length > 5;
          const look = () => {
            if (!isThere()) return requestAnimationFrame(look);
            // Accepts input: a task queued after the drawing has run.
            return requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
          };
          look();
        }),
      id,
    );
    times.push(took);
    await context.close();
  }
  add('device page: interactive after the click', median(times), 'ms', 500, spread(times));
}

/** Measures from the choice of a year until its eight charts are drawn (six fields, VPD and dew point), including the node's answer. */
async function yearChart(from: Browser, at: OwnerNode, { id }: SimulatedDevice, what: string): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await ownerContext(from, at);
    const page = await context.newPage();
    await page.goto(`${at.url('local')}/ui/#/device/${id}`);
    await page.locator('[aria-busy=false] .uplot canvas').nth(7).waitFor();
    const took = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const charts = document.querySelector('[aria-busy]')!;
          const readings = () => {
            const said = charts.querySelector('[role=group]')!.ariaLabel!;
            return Number(/Values: ([\d,]+)/.exec(said)?.[1]?.replaceAll(',', ''));
          };
          const start = performance.now();
          document.querySelector<HTMLElement>('input[type=radio][value="1y"]')!.click();
          const look = () => {
            if (!(readings() > 500_000)) return requestAnimationFrame(look);
            return requestAnimationFrame(() => resolve(performance.now() - start));
          };
          look();
        }),
    );
    times.push(took);
    await context.close();
  }
  add(what, median(times), 'ms', 300, spread(times));
}

/** Measures frames of the overview while 200 readings per second arrive. */
async function liveStream(from: Browser, at: OwnerNode, devices: readonly SimulatedDevice[]): Promise<void> {
  const context = await ownerContext(from, at);
  const page = await context.newPage();
  await page.goto(`${at.url('local')}/ui/`);
  await page.locator('[role=table] [role=row] a').first().waitFor();
  const frames = page.evaluate(
    (ms) =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = [];
        const start = performance.now();
        let last = start;
        const frame = (now: number) => {
          gaps.push(now - last);
          last = now;
          if (now - start < ms) requestAnimationFrame(frame);
          else resolve(gaps);
        };
        requestAnimationFrame(frame);
      }),
    LIVE_SECONDS * 1000,
  );
  let sent = 0;
  const started = performance.now();
  const isOver = frames.then(() => true);
  const tick = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), 50));
  while (!(await Promise.race([isOver, tick()]))) {
    const due = Math.floor(((performance.now() - started) / 1000) * LIVE_PER_SECOND) - sent;
    const blocks = Array.from({ length: due }, (_, index) =>
      devices[(sent + index) % devices.length]!.block({
        seq: 1_000_000 + sent + index,
        timestamp: Date.now(),
        plain: { ph: 6 + (index % 10) / 10, ec: 1000 + index },
      }),
    );
    await send(at, 'local', blocks);
    sent += due;
  }
  const gaps = (await frames).toSorted((a, b) => a - b);
  const detail = `${sent} readings of ${devices.length} devices in ${LIVE_SECONDS} s, ${gaps.length} frames`;
  add('live: 99 of 100 frames within', gaps[Math.floor(gaps.length * 0.99)]!, 'ms', null, detail);
  add('live: longest frame', gaps.at(-1)!, 'ms', null);
  await context.close();
}

function report(): void {
  console.log('');
  for (const { what, value, unit, atMost, detail } of figures) {
    const verdict = atMost === null ? '' : value <= atMost ? `at most ${atMost}: met` : `at most ${atMost}: MISSED`;
    console.log(
      `${what.padEnd(46)}${`${number(value)} ${unit}`.padStart(10)}  ${verdict.padEnd(22)}${detail}`.trimEnd(),
    );
  }
  if (figures.some(({ value, atMost }) => atMost !== null && value > atMost)) process.exitCode = 1;
}
