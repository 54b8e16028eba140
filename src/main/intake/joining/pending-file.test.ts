import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HOME, someone } from '../../../../test/support/joining.ts';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { deviceRegistration } from '../../../shared/protocol/device.ts';
import { SimulatedDevice } from '../../../simulator/device.ts';
import { previousOf } from '../../state-files/state-file.ts';
import { StorageUnavailable } from '../../store/storage-unavailable.ts';
import { digestOf } from './pending-devices.ts';
import { type PendingDocument, PendingFile, readSent, writeSent } from './pending-file.ts';

let folder: string;
let path: string;
/** The number of dismissed registrations in the contents; they tell one write from another. */
let dismissed: number;
/** Thrown instead of the contents. */
let fault: unknown;
/** The number of times that the contents were written. */
let writes: number;
let file: PendingFile;

const document = (count: number): PendingDocument => ({
  ...{ version: 1, devices: [] },
  dismissed: Array.from({ length: count }, (_, at) => ({ digest: String(at), at })),
});
const onDisk = () => JSON.parse(readFileSync(path, 'utf8'));

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'joining.json');
  dismissed = 1;
  fault = null;
  writes = 0;
  file = new PendingFile({ path: folder, log: pino({ level: 'silent' }), now: () => 5 }, () => {
    writes += 1;
    if (fault !== null) throw fault;
    return document(dismissed);
  });
});
afterEach(() => removeFolder(folder));

describe('the file', () => {
  it('is read as it was written, and its copy keeps nothing that is gone', async () => {
    expect(file.read()).toEqual({ document: null, wasDamaged: false });
    await file.save();
    dismissed = 0;
    await file.save();
    expect(file.read()).toEqual({ document: document(0), wasDamaged: false });
    expect(JSON.parse(readFileSync(previousOf(path), 'utf8'))).toEqual(document(0));
  });

  it('that is damaged says so, and keeps the other entries', () => {
    const kept = { sent: writeSent(someone()), address: HOME, hosts: [HOME], count: 1, firstAt: 1, lastAt: 2 };
    const device = { id: 'ab'.repeat(32), since: 1, isSigned: false, isHeld: false, onlyOneOf: null };
    const devices = [{ ...device, registrations: [{ ...kept, sent: '{}' }, kept] }];
    writeFileSync(path, JSON.stringify({ ...document(1), devices }));
    const read = { ...document(1), devices: [{ ...device, registrations: [kept] }] };
    expect(file.read()).toEqual({ document: read, wasDamaged: true });
  });

  it('has what was there when its write began, for all that asked before', async () => {
    const first = file.save();
    dismissed = 2;
    expect(file.save()).toBe(first);
    await first;
    expect([onDisk(), writes]).toEqual([document(2), 1]);
  });

  it('is written again for what came during a write', async () => {
    const first = file.save();
    while (writes === 0) await Promise.resolve();
    dismissed = 3;
    const second = file.save();
    expect(second).not.toBe(first);
    await first;
    expect(onDisk()).toEqual(document(1));
    await file.saved();
    expect([onDisk(), writes]).toEqual([document(3), 2]);
  });
});

describe('what is saved', () => {
  it('is not written again', async () => {
    await file.saved();
    expect([existsSync(path), writes]).toEqual([false, 0]);
    await file.save();
    await file.saved();
    expect(writes).toBe(1);
  });

  it('is written again if the last write failed', async () => {
    fault = new Error('a defect');
    await expect(file.save()).rejects.toBe(fault);
    fault = null;
    await file.saved();
    expect([onDisk(), writes]).toEqual([document(1), 2]);
  });

  it('later fails without an error', async () => {
    fault = new Error('a defect');
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    file.saveLater();
    await new Promise(setImmediate);
    process.off('unhandledRejection', listener);
    await file.settled();
    expect([writes, unhandled]).toEqual([1, []]);
    fault = null;
    file.saveLater();
    await file.settled();
    expect(onDisk()).toEqual(document(1));
  });
});

describe('a fault', () => {
  it.each([
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['EIO', 'unreachable'],
  ])('of the disk, %s, is that the storage is %s', async (code, expected) => {
    fault = Object.assign(new Error('no write'), { code, syscall: 'write' });
    const error = await file.save().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageUnavailable);
    expect(error).toMatchObject({ code: expected, message: 'no write' });
  });

  it.each([
    ['an error of no system call', Object.assign(new Error('no write'), { code: 'ENOSPC' })],
    ['no error', { code: 'ENOSPC', syscall: 'write', message: 'no write' }],
  ])('that is %s stays what it is', async (_what, thrown) => {
    fault = thrown;
    await expect(file.save()).rejects.toBe(thrown);
  });
});

it('a text without a registration has none', () => {
  expect([readSent('{'), readSent('{}'), readSent('')]).toEqual([null, null, null]);
});

it('a registration is unchanged after it was written and read', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.string({ minLength: 1 }), fc.string(), (location, name, to) => {
      const sent = deviceRegistration.safeParse({
        ...new SimulatedDevice().registration({ name, location }),
        privacyPolicy: { ph: { default_disposition: 2, per_destination: { [to]: 0 } } },
      });
      if (!sent.success) return;
      const read = readSent(writeSent(sent.data));
      expect(read).toEqual(sent.data);
      expect(digestOf(read!)).toBe(digestOf(sent.data));
    }),
  );
});
