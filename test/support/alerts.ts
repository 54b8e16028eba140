import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import type { RuleInput } from '../../src/shared/alerts/rule.ts';
import { perFieldName } from '../../src/shared/protocol/fields.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { register } from './client.ts';
import { post } from './http.ts';
import { NodeProcess, type RunningNode, removeFolder, startNode, temporaryFolder } from './node-process.ts';

type RangeInput = Extract<RuleInput, { kind: 'range' }>;

/** pH between 5.5 and 6.5 on all devices; fires at once. */
export const RANGE_RULE: RangeInput = {
  id: null,
  kind: 'range',
  name: 'pH',
  scope: { kind: 'all' },
  field: 'ph',
  low: 5.5,
  high: 6.5,
  margin: 0.1,
  forMinutes: 0,
  repeatMinutes: null,
  severity: 'warning',
  channels: 'all',
  isOn: true,
};

/** A real node with alerts, which can be started again on its data. */
export interface AlertsUnderTest {
  readonly process: RunningNode;
  local(): string;
  start(): Promise<void>;
  /** Kills the node if it has a process of its own, else stops it. */
  end(): Promise<unknown>;
  /** Ends the node and starts it again. */
  restart(): Promise<void>;
  register(device: SimulatedDevice): Promise<void>;
  /** Writes a reading into the private store of a node that is not running. */
  storeBehindItsBack(device: SimulatedDevice, reading: { seq: number; timestamp: number; ph: number }): Promise<void>;
  /** Locks the private store against writes. Returns a function that unlocks it. */
  lockStore(): () => void;
  statusOfPost(block: unknown): Promise<number>;
  dispose(): Promise<void>;
}

/** Starts a node with alerts. `startAs` is `startProcess` if the test kills the node. */
export async function alertsUnderTest(startAs: typeof startNode = startNode): Promise<AlertsUnderTest> {
  const dataDir = temporaryFolder();
  const storePath = join(dataDir, 'private.db');
  let running: RunningNode;
  const start = async () => {
    running = await startAs({ dataDir, args: ['--ui'], env: { PUBLIC_ENABLED: 'false' } });
  };
  const end = () => (running instanceof NodeProcess ? running.kill() : running.stop());
  await start();
  return {
    get process() {
      return running;
    },
    local: () => running.url('local'),
    start,
    end,
    async restart() {
      await end();
      await start();
    },
    async register(device) {
      const reply = await register(running.url('local'), device.registration());
      expect(reply.status, reply.text).toBe(201);
    },
    async storeBehindItsBack(device, { seq, timestamp, ph }) {
      const writer = new DirectWriter(storePath);
      const fields = { ...perFieldName(() => null), ph };
      const times = { seq: BigInt(seq), timestamp: BigInt(timestamp), receivedAt: Date.now() };
      writer.append([{ deviceId: device.id, ...times, keyVersion: 0, fields }]);
      writer.close();
    },
    lockStore() {
      const lock = new Database(storePath, { fileMustExist: true });
      lock.exec('BEGIN IMMEDIATE');
      return () => {
        lock.exec('ROLLBACK');
        lock.close();
      };
    },
    async statusOfPost(block) {
      return (await post(`${running.url('local')}/v1/telemetry`, { blocks: [block] })).status;
    },
    async dispose() {
      await running.dispose();
      removeFolder(dataDir);
    },
  };
}
