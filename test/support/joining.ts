import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, vi } from 'vitest';
import { type Clock, SYSTEM_CLOCK } from '../../src/main/common/clock.ts';
import { EventBus } from '../../src/main/common/event-bus.ts';
import type { NodeEventMap } from '../../src/main/common/node-events.ts';
import { Joining } from '../../src/main/intake/joining/joining.ts';
import { PENDING_FILE, type PendingDocument } from '../../src/main/intake/joining/pending-file.ts';
import { type DeviceRegistration, deviceRegistration } from '../../src/shared/protocol/device.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { removeFolder, temporaryFolder } from './node-process.ts';

/** The address of the owner's devices, and that of somebody else. */
export const HOME = '192.168.1.20';
export const ATTACKER = '192.168.1.66';

/** Returns the registration of a new device. */
export const someone = (changes = {}) => deviceRegistration.parse(new SimulatedDevice().registration(changes));

/** A store for devices that have joined. In these tests a block is its device's id, and is signed by default. */
export function home() {
  const devices = new Map<string, DeviceRegistration>();
  const signers = async (blocks: readonly unknown[], ids: ReadonlySet<string>) => {
    const signed = (blocks as ({ deviceId: string; isForged?: boolean } | null)[]).filter((each) => !each?.isForged);
    return new Set(signed.map((each) => each?.deviceId ?? '').filter((id) => ids.has(id)));
  };
  const register = async (registration: DeviceRegistration) => {
    if (devices.has(registration.id)) return 'exists' as const;
    devices.set(registration.id, registration);
    return 'created' as const;
  };
  return { devices, signers, register };
}

/**
 * Gives each test a folder and timers that it sets. `start` starts the joining of a gate on that folder; it is stopped
 * after the test.
 */
export function joiningForTest() {
  const log = pino({ level: 'silent' });
  const started: Joining[] = [];
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  });
  afterEach(async () => {
    for (const each of started.splice(0)) await each.stop();
    vi.useRealTimers();
    removeFolder(folder);
  });
  return {
    get folder() {
      return folder;
    },
    /** Returns the file of the devices that wait. */
    onDisk: (): PendingDocument => JSON.parse(readFileSync(join(folder, PENDING_FILE.name), 'utf8')),
    async start(clock: Clock = SYSTEM_CLOCK, registered: readonly string[] = []) {
      const events = new EventBus<NodeEventMap>(log);
      let changes = 0;
      events.on('gateChanged', () => {
        changes += 1;
      });
      const way = new Joining(events, clock);
      await way.start({ path: folder, log, now: () => clock.now() }, async (id) => registered.includes(id));
      started.push(way);
      let seen = 0;
      return {
        joining: way,
        changes: () => changes,
        /** Returns the number of events since the last call. */
        newChanges() {
          const earlier = seen;
          seen = changes;
          return seen - earlier;
        },
      };
    },
  };
}

/** Returns the ids of the devices in a list of registrations. */
export const idsOf = (list: readonly { readonly registration: DeviceRegistration }[]) =>
  list.map(({ registration: { id } }) => id);
