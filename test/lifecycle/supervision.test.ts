import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handWritten, postBlocks, registeredDevice } from '../support/client.ts';
import { mountLoopDisk } from '../support/loop-disk.ts';
import {
  type NodeProcess,
  removeFolder,
  runProcessToEnd,
  startProcess,
  temporaryFolder,
} from '../support/node-process.ts';
import { type Heard, notifySocket, notifyStub, whyNoDatagrams } from '../support/systemd.ts';

const BEAT_MS = 100;

let folder: string;
let systemd: Heard;
beforeEach(() => {
  folder = temporaryFolder();
  systemd = notifyStub(folder);
});
afterEach(() => {
  systemd.close();
  removeFolder(folder);
});

/** A node that `systemd` supervises. */
function supervised(dataDir: string): Promise<NodeProcess> {
  return startProcess({ dataDir, env: { ...systemd.env, WATCHDOG_USEC: String(3 * BEAT_MS * 1000) } });
}

const told = (what: string) => systemd.messages().filter((message) => message.includes(what)).length;

test.skipIf(process.platform === 'win32')(
  'a node reports its start, signs of life with its readings, and its stop',
  async () => {
    const node = await supervised(join(folder, 'data'));
    try {
      await expect.poll(() => told('READY=1')).toBe(1);
      expect(systemd.messages()[0]).toMatch(/^READY=1/);
      await expect.poll(() => told('WATCHDOG=1')).toBeGreaterThan(2);
      const device = await registeredDevice(node.url('local'));
      await postBlocks(node.url('local'), [handWritten(device)]);
      await expect
        .poll(() => systemd.messages().at(-1))
        .toMatch(/^WATCHDOG=1\nSTATUS=1 readings since the start, the last /);
      await node.stop();
      await expect.poll(() => told('STOPPING=1')).toBe(1);
    } finally {
      await node.dispose();
    }
  },
);

test.skipIf(process.platform === 'win32')(
  'a node whose port is taken never tells that it serves, and says why in one line',
  async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '0.0.0.0', resolve));
    try {
      const { port } = other.address() as AddressInfo;
      const env = { ...systemd.env, WATCHDOG_USEC: '300000', PUBLIC_PORT: String(port) };
      const { code, stderr } = await runProcessToEnd({ dataDir: join(folder, 'data'), env });
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^wellhouse: port \d+ is taken[^\n]*\n$/)]);
      expect(systemd.messages()).toEqual([]);
    } finally {
      other.close();
    }
  },
);

const why = whyNoDatagrams();
test.skipIf(why !== null)(
  `through systemd's own program to a datagram socket${why === null ? '' : ` (skipped: ${why})`}`,
  async () => {
    systemd = await notifySocket(folder);
    const node = await supervised(join(folder, 'data'));
    try {
      await expect.poll(() => told('WATCHDOG=1')).toBeGreaterThan(1);
      expect(systemd.messages()[0]).toBe('READY=1\nSTATUS=no reading yet since the start');
      await node.stop();
      await expect.poll(() => told('STOPPING=1')).toBe(1);
      // A machine that does much else can hold a check up for longer than a beat.
      const messages = node.records
        .map(({ msg }) => String(msg))
        .filter((msg) => !msg.startsWith('the self-check hangs'));
      expect(messages.join('\n')).not.toContain('systemd');
    } finally {
      await node.dispose();
    }
  },
);

const disk = mountLoopDisk(64);
describe.skipIf(disk === null)('on a disk that hangs (skipped where this user may not mount and freeze one)', () => {
  afterEach(() => disk?.remove());

  test('a hanging writer is noticed, systemd gets no sign of life until the disk continues, and nothing is lost', async () => {
    const node = await supervised(join(disk!.folder, 'data'));
    try {
      const device = await registeredDevice(node.url('local'));
      await expect.poll(() => told('WATCHDOG=1')).toBeGreaterThan(1);
      execFileSync('fsfreeze', ['-f', disk!.folder]);
      let reply: ReturnType<typeof postBlocks>;
      try {
        reply = postBlocks(node.url('local'), [handWritten(device)]);
        reply.catch(() => {});
        const hangs = () => node.records.filter(({ msg }) => String(msg).startsWith('the self-check hangs'));
        // A check that was under way at the freeze may already have the answer of one store. On a busy machine, a check
        // also waits for the disk for a moment.
        const latest = () => hangs().at(-1)?.hangs;
        const hanging = [['private store', 'public store'], ['private store'], ['public store']];
        await expect.poll(latest, { timeout: 60_000 }).toBeOneOf(hanging);
        // Signs of life from before the freeze can arrive late: they come through a program.
        const signsMeanwhile = async () => {
          const [signs, logged] = [told('WATCHDOG=1'), hangs().length];
          await expect.poll(() => hangs().length, { timeout: 60_000 }).toBeGreaterThan(logged + 2);
          return told('WATCHDOG=1') - signs;
        };
        await expect.poll(signsMeanwhile, { timeout: 60_000 }).toBe(0);
      } finally {
        execFileSync('fsfreeze', ['-u', disk!.folder]);
      }
      const heard = told('WATCHDOG=1');
      await expect.poll(() => told('WATCHDOG=1'), { timeout: 60_000 }).toBeGreaterThan(heard);
      await expect.poll(async () => (await postBlocks(node.url('local'), [handWritten(device)])).status).toBe(200);
      await node.stop();
    } finally {
      await node.dispose();
    }
  });
});
