import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { SystemCallTrace, whyNoTrace } from '../test/durability/system-call-trace.ts';
import { SoakNode } from './soak-node.ts';

// Measures what a reading costs the disk: syncs and bytes of the node's own files, and the bytes that reach the device.
// Devices send like the firmware, one block each in turn, but faster, so that `--readings` are `--readings` / 10
// minutes of ten devices.

const { values } = parseArgs({
  options: {
    readings: { type: 'string', default: '200' },
    devices: { type: 'string', default: '10' },
    /** Seconds between two readings: with a block a minute, ten devices send one every 6 s. */
    every: { type: 'string', default: '6' },
    /**
     * It ends before the first device counts as silent, 180 s after its last reading, because an alert would be written
     * then.
     */
    idle: { type: 'string', default: '50' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(
    'Measures what a reading costs the disk. --readings 200 --devices 10 --every 6 (seconds) --idle 50 (seconds)\n',
  );
  process.exit(0);
}
const [readings, devices, every, idle] = [values.readings, values.devices, values.every, values.idle].map(Number) as [
  number,
  number,
  number,
  number,
];

/**
 * Returns the bytes written to a block device since the system started, from /proc/diskstats, whose sectors have 512
 * bytes.
 */
function writtenTo(device: string): number {
  const name = basename(device);
  const line = readFileSync('/proc/diskstats', 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find((words) => words[2] === name);
  return Number(line?.[9] ?? Number.NaN) * 512;
}

/** Creates a separate ext4 on a loop device, whose counters include nothing else. Returns null if this user may not. */
function mountLoop(root: string): { folder: string; device: string; remove: () => void } | null {
  const [image, folder] = [join(root, 'image'), join(root, 'disk')];
  try {
    writeFileSync(image, '');
    truncateSync(image, 1024 ** 3);
    execFileSync('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image], { stdio: 'ignore' });
    execFileSync('mkdir', [folder]);
    execFileSync('mount', ['-o', 'loop,noatime', image, folder], { stdio: 'ignore' });
    const device = execFileSync('findmnt', ['-n', '-o', 'SOURCE', folder], { encoding: 'utf8' }).trim();
    return { folder, device, remove: () => execFileSync('umount', ['-l', '-d', folder]) };
  } catch {
    return null;
  }
}

interface Cost {
  readonly syncs: number | null;
  readonly writtenBytes: number | null;
  readonly deviceBytes: number | null;
}

const root = mkdtempSync(join(tmpdir(), 'wellhouse-bench-disk-'));
const loop = process.platform === 'linux' ? mountLoop(root) : null;
const noTrace = whyNoTrace();
const say = (text: string) => process.stdout.write(`${text}\n`);
if (noTrace !== null) say(`syncs and bytes of files are not measured: ${noTrace}`);
if (loop === null) say('what reaches the device is not measured: mounting a loop device needs root on Linux');

const dataDir = join(loop?.folder ?? root, 'data');
const node = await SoakNode.start(join(import.meta.dirname, '../out/main/headless.js'), dataDir);
try {
  const senders = Array.from({ length: devices }, () => new SimulatedDevice());
  for (const sender of senders) await send('/v1/devices', sender.registration(), 201);
  let seq = 0;
  const post = async () => {
    const block = senders[seq % devices]!.block({
      seq: Math.floor(seq / devices) + 1,
      timestamp: Date.now(),
      plain: { ph: 6.2, ec: 900, humidity: 55.5, tempAmbient: 21.4, waterLevel: 320 },
    });
    seq += 1;
    await send('/v1/telemetry', { blocks: [block] }, 200);
  };
  for (let warm = 0; warm < devices; warm += 1) await post();

  const busy = await measure(async () => {
    for (let reading = 0; reading < readings; reading += 1) {
      const next = pause(every * 1000);
      await post();
      await next;
    }
  });
  const per = (value: number | null) => (value === null ? null : value / readings);
  say(`${readings} readings of ${devices} devices, one every ${every} s; for each:`);
  say(`  syncs                  ${show(per(busy.syncs), 2)}`);
  say(`  bytes written to files ${show(kilobytes(per(busy.writtenBytes)), 1)} kB`);
  say(`  bytes to the device    ${show(kilobytes(per(busy.deviceBytes)), 1)} kB`);

  // Waits for the node's counts of the last minute, and for what the file system still has to write.
  await pause(65_000);
  sync();
  const quiet = await measure(() => pause(idle * 1000));
  say(
    `${idle} s without a reading: ${show(quiet.syncs, 0)} syncs, ${show(quiet.writtenBytes, 0)} bytes to files, ${show(
      quiet.deviceBytes,
      0,
    )} bytes to the device`,
  );
} finally {
  await node.stop();
  loop?.remove();
  rmSync(root, { recursive: true, force: true });
}

async function send(path: string, body: unknown, expected: number): Promise<void> {
  const reply = await fetch(`${node.localUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
  });
  if (reply.status !== expected) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  await reply.arrayBuffer();
}

/** Measures the cost of something, including delayed writes of the file system. */
async function measure(run: () => Promise<void>): Promise<Cost> {
  sync();
  const before = loop === null ? 0 : writtenTo(loop.device);
  const trace = noTrace === null ? await SystemCallTrace.attach(node.pid, join(root, 'trace')) : null;
  await run();
  const calls = (await trace?.stop())?.filter(({ file }) => file.startsWith(dataDir)) ?? null;
  sync();
  return {
    syncs: calls?.filter(({ name }) => name === 'fsync' || name === 'fdatasync').length ?? null,
    writtenBytes:
      calls
        ?.filter(({ name, result }) => /^p?writev?(?:64)?$/.test(name) && result > 0)
        .reduce((sum, { result }) => sum + result, 0) ?? null,
    deviceBytes: loop === null ? null : writtenTo(loop.device) - before,
  };
}

function sync(): void {
  if (loop !== null) execFileSync('sync', ['-f', loop.folder]);
}

function kilobytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / 1000;
}

function show(value: number | null, digits: number): string {
  return value === null ? 'not measured' : value.toFixed(digits);
}
