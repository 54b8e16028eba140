import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Disposition } from '../../shared/protocol/codes.ts';
import { perFieldName } from '../../shared/protocol/fields.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import type { RegisteredDevice, SharedLimits } from '../store/port.ts';
import { DeviceDirectory, type JudgedDevice } from './device-directory.ts';

const [A, B, NODE] = ['aa', 'bb', 'cc'].map((byte) => byte.repeat(32)) as [string, string, string];
/** The id of a device that is not registered. */
const STRANGER = 'dd'.repeat(32);

let events: EventBus<NodeEventMap>;
/** The ids that the store was asked for. */
let asked: string[];
/** Called while the store reads a device. */
let meanwhile: () => void;

beforeEach(() => {
  events = new EventBus(pino({ level: 'silent' }));
  asked = [];
  meanwhile = () => {};
});

function registeredDevice(id: string, registration?: number): RegisteredDevice {
  return {
    ...{ id, mac: '020000000001', ownerPubkey: B, ownerName: 'Ann', name: 'Bed', type: 0, location: null },
    ...{ publishTo: 2, hardware: {}, createdAt: 1, ...(registration !== undefined && { registration }) },
    privacyPolicy: {
      ph: { default_disposition: 0, per_destination: { [NODE]: 2 } },
      water_level: { default_disposition: 0 },
    },
  };
}

/** A directory of a store; a store is shared if its devices have registrations. */
function directory({ registration }: { registration?: number } = {}): DeviceDirectory {
  const shared = registration === undefined ? {} : { shared: {} as SharedLimits };
  const device = async (id: string) => {
    asked.push(id);
    await Promise.resolve();
    meanwhile();
    return id === STRANGER ? null : registeredDevice(id, registration);
  };
  return new DeviceDirectory({ store: { name: 'public', device, ...shared }, nodePublicKey: NODE, events });
}

const DISPOSITIONS = { ...perFieldName((): Disposition => 1), ph: 2, waterLevel: 0 } as const;
const judged = (id: string, registration: number | undefined): JudgedDevice => ({
  ...{ id, publicKey: Buffer.from(id, 'hex'), publishTo: 2, dispositions: DISPOSITIONS, registration },
});

describe('a directory', () => {
  it('derives from a registration what the policy allows for this node', async () => {
    const devices = directory();
    const device = { ...judged(A, undefined), registered: registeredDevice(A) };
    expect(await devices.find(A.toUpperCase())).toEqual(device);
    expect([devices.storeName, asked]).toEqual(['public', [A]]);
    expect([devices.known(A), devices.known(A.toUpperCase()), devices.known(B)]).toEqual([device, device, undefined]);
  });

  it('asks the store once for a device, until some of its readings are deleted there', async () => {
    const devices = directory();
    expect(await devices.read(new Set([A, B]))).toBe(devices);
    await devices.find(A.toUpperCase());
    expect(asked).toEqual([A, B]);
    events.emit('readingsDeleted', () => ({ store: 'private', deviceId: A }));
    expect(devices.known(A)?.id).toBe(A);
    events.emit('readingsDeleted', () => ({ store: 'public', deviceId: A }));
    expect([devices.known(A), devices.known(B)?.id]).toEqual([undefined, B]);
    await devices.find(A);
    expect(asked).toEqual([A, B, A]);
  });

  it('keeps no device once the times of its store were moved', async () => {
    const devices = directory();
    await devices.read(new Set([A, B]));
    events.emit('timesMoved', () => ({ store: 'private' }));
    expect([devices.known(A)?.id, devices.known(B)?.id]).toEqual([A, B]);
    events.emit('timesMoved', () => ({ store: 'public' }));
    expect([devices.known(A), devices.known(B)]).toEqual([undefined, undefined]);
  });

  it.each([
    ['a deletion', 'public', () => events.emit('readingsDeleted', () => ({ store: 'public', deviceId: B }))],
    ['a move of times', 'public', () => events.emit('timesMoved', () => ({ store: 'public' }))],
    ['a deletion', 'private', () => events.emit('readingsDeleted', () => ({ store: 'private', deviceId: A }))],
    ['a move of times', 'private', () => events.emit('timesMoved', () => ({ store: 'private' }))],
  ])('keeps no device that it read before %s in its store: %s', async (_what, store, change) => {
    const devices = directory();
    meanwhile = change;
    expect((await devices.find(A))?.id).toBe(A);
    expect(devices.known(A)?.id).toBe(store === 'public' ? undefined : A);
  });

  it('has no device that is not registered, and asks for none whose id is not a key', async () => {
    const devices = directory();
    for (const id of ['', A.slice(1), `${A}a`, 'zz'.repeat(32)]) expect(await devices.find(id)).toBeUndefined();
    expect(asked).toEqual([]);
    for (const id of [STRANGER, STRANGER]) expect(await devices.find(id)).toBeUndefined();
    expect(asked).toEqual([STRANGER, STRANGER]);
  });
});

describe('a directory of a shared store', () => {
  it('asks the store each time', async () => {
    const devices = directory({ registration: 7 });
    const device = { ...judged(A, 7), registered: registeredDevice(A, 7) };
    expect(await devices.find(A)).toEqual(device);
    const found = await devices.read(new Set([A, STRANGER]));
    expect([A, A.toUpperCase(), STRANGER].map((id) => found.known(id))).toEqual([device, device, undefined]);
    expect([asked, devices.known(A)]).toEqual([[A, A, STRANGER], undefined]);
  });

  it('remembers only what the store took a reading with', () => {
    const devices = directory({ registration: 7 });
    const remembered = (...ids: string[]) => devices.remembered(new Set(ids));
    devices.remember(judged(A, undefined));
    expect([remembered(A), remembered()?.known(A)]).toEqual([null, undefined]);
    devices.remember(judged(A, 7));
    expect(remembered(A)!.known(A.toUpperCase())).toEqual(judged(A, 7));
    expect([remembered(A, B), remembered(B, A)]).toEqual([null, null]);
    devices.remember(judged(B, 7));
    expect(remembered(A, B)!.known(B)).toEqual(judged(B, 7));
    devices.forget(A);
    expect([remembered(A), remembered(B) === null]).toEqual([null, false]);
    events.emit('storeState', () => ({ store: 'private', refusal: null }));
    expect(remembered(B)).not.toBeNull();
    events.emit('storeState', () => ({ store: 'public', refusal: null }));
    expect(remembered(B)).toBeNull();
  });

  it('replaces what it remembers of a device by another registration only', () => {
    const devices = directory({ registration: 7 });
    const now = () => devices.remembered(new Set([A]))!.known(A);
    devices.remember(judged(A, 7));
    devices.remember({ ...judged(A, 7), publishTo: 0 });
    expect(now()).toEqual(judged(A, 7));
    devices.remember({ ...judged(A, 8), publishTo: 0 });
    expect(now()).toEqual({ ...judged(A, 8), publishTo: 0 });
  });

  it('remembers fifty thousand devices, and then begins again', () => {
    const devices = directory({ registration: 7 });
    const { publicKey, dispositions } = judged(A, 7);
    const remember = (id: string) =>
      devices.remember({ ...{ id, publicKey, publishTo: 2, dispositions }, registration: 7 });
    for (let each = 0; each < 50_000; each += 1) remember(String(each));
    expect(devices.remembered(new Set(['0', '49999']))).not.toBeNull();
    remember('50000');
    expect(devices.remembered(new Set(['0']))).toBeNull();
    expect(devices.remembered(new Set(['50000']))).not.toBeNull();
  });

  it('keeps equal dispositions once, up to a hundred', () => {
    const devices = directory({ registration: 7 });
    let last = 0;
    /** Remembers a further device, and returns the dispositions that are kept for it. */
    const kept = (dispositions: JudgedDevice['dispositions']) => {
      last += 1;
      devices.remember({ ...judged(A, last), dispositions });
      return devices.remembered(new Set([A]))!.known(A)!.dispositions;
    };
    const numbered = (index: number) => {
      const digits = index.toString(3).padStart(6, '0');
      let at = 0;
      return perFieldName(() => Number(digits[at++]) as Disposition);
    };
    const first = kept(numbered(0));
    for (let index = 1; index < 99; index += 1) expect(kept(numbered(index))).toEqual(numbered(index));
    expect(kept(numbered(0))).toBe(first);
    kept(numbered(99));
    expect(kept(numbered(0))).not.toBe(first);
  });
});
