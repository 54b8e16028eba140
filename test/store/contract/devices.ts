import { afterEach, describe, expect, it } from 'vitest';
import { NO_NOTES as none } from '../../../src/shared/owner-data/notes.ts';
import {
  ask,
  kinds,
  type OpenStores,
  plainReading,
  REGISTERED_AT,
  register,
  type StoresUnderTest,
} from './stores-under-test.ts';

/** The contract of registrations. */
export function registrationsContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  const opened = async (...bounds: Parameters<OpenStores>) => {
    stores = await open(...bounds);
    return { own: stores.store('private'), other: stores.store('public') };
  };
  afterEach(() => stores.dispose());

  describe('a registration', () => {
    it('is returned unchanged, also after a restart', async () => {
      const { own } = await opened();
      const told = {
        type: 1,
        publishTo: 2,
        ownerName: 'Ana',
        privacyPolicy: { ph: { default_disposition: 2, per_destination: { ['ab'.repeat(32)]: 0 } } },
        hardware: { model: 'T-1', firmware_version: '1.2.3' },
      };
      const options = { name: 'Pozo nº 1 🌱', mac: '020000000001', ownerPubkey: '0c'.repeat(32) };
      const { id } = await register(own, options, told);
      await stores.restart();
      const device = await stores.store('private').device(id);
      const { type, publishTo, ownerName, privacyPolicy, hardware, ...rest } = device!;
      expect({ type, publishTo, ownerName, privacyPolicy, hardware }).toEqual(told);
      expect(rest).toMatchObject({ id, ...options, location: null, createdAt: REGISTERED_AT });
    });

    it('keeps half of a character as U+FFFD', async () => {
      const { own } = await opened();
      const policy = (name: string) => ({ ph: { default_disposition: 1, per_destination: { [name]: 0 } } });
      const odd = ['a \udc00', 'b \\ud800', '\ud800'] as const;
      const told = { ownerName: odd[1], privacyPolicy: policy(odd[2]), localServers: [odd[2]] };
      const { id, result } = await register(own, { name: odd[0] }, told);
      expect(result).toBe('created');
      expect(await own.device(id)).toMatchObject({ name: 'a \ufffd', ownerName: 'b \\ud800' });
    });

    it('keeps any location of 64 bits', async () => {
      const { own } = await opened();
      for (const location of [0n, 5n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n - 1n]) {
        const { id } = await register(own, {}, { location });
        expect((await own.device(id))!.location).toBe(location);
      }
    });

    it('has the first characters of the owner’s key without a name, and keeps the first name', async () => {
      const { own } = await opened();
      const unnamed = await register(own, { ownerPubkey: '0d'.repeat(32) });
      expect((await own.device(unnamed.id))!.ownerName).toBe('0d'.repeat(6));
      const ownerPubkey = '0e'.repeat(32);
      const first = await register(own, { ownerPubkey }, { ownerName: 'Ana' });
      await register(own, { ownerPubkey }, { ownerName: 'Somebody' });
      expect((await own.device(first.id))!.ownerName).toBe('Ana');
    });

    it('has its place in the order of registration, also in pages', async () => {
      const { own } = await opened();
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) ids.push((await register(own)).id);
      const page = async (after: string | null, limit: number) =>
        (await own.devices({ after, limit })).map(({ id }) => id);
      expect(await page(null, 2)).toEqual(ids.slice(0, 2));
      expect(await page(ids[1]!, 2)).toEqual(ids.slice(2, 4));
      expect(await page(ids[3]!, 2)).toEqual(ids.slice(4));
      expect(await page(ids[4]!, 2)).toEqual([]);
      expect(await page('ff'.repeat(32), 2)).toEqual([]);
    });

    it('is found by its id, whatever others are looked for at the same time', async () => {
      const { own } = await opened();
      const ids = [(await register(own)).id, 'ff'.repeat(32), (await register(own)).id, '00'.repeat(32)];
      const found = await Promise.all(ids.map((id) => own.device(id)));
      expect(found.map((device) => device?.id ?? null)).toEqual([ids[0], null, ids[2], null]);
    });

    it('of a known device changes nothing', async () => {
      const { own } = await opened();
      const seed = Buffer.alloc(32, 3);
      expect(await register(own, { seed, name: 'first' })).toMatchObject({ result: 'created' });
      const { id, result } = await register(own, { seed, name: 'second' });
      expect(result).toBe('exists');
      expect((await own.device(id))!.name).toBe('first');
      expect(await own.devices()).toHaveLength(1);
    });

    it('beyond the limit is refused, but one of a known device is reported as such', async () => {
      const { other } = await opened({ maxDevices: 2, maxBytes: 1024 ** 3, minFreeBytes: 0, minFreePart: 1 });
      const seed = Buffer.alloc(32, 4);
      await register(other, { seed });
      await register(other);
      expect(await register(other)).toMatchObject({ result: 'limit' });
      expect(await register(other, { seed })).toMatchObject({ result: 'exists' });
      expect(await other.devices()).toHaveLength(2);
    });
  });

  it('devices are listed in the order of registration, each in its own store alone', async () => {
    const { own, other } = await opened();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await register(own)).id);
    const stranger = await register(other);
    expect((await own.devices()).map(({ id }) => id)).toEqual(ids);
    expect((await other.devices()).map(({ id }) => id)).toEqual([stranger.id]);
    expect(await own.device(stranger.id)).toBeNull();
    expect(await own.device('ff'.repeat(32))).toBeNull();
  });
}

/** The contract of the owner's notes on devices, and of devices that are in both stores or forgotten. */
export function devicesContract(open: OpenStores): void {
  let stores: StoresUnderTest;
  const opened = async (...bounds: Parameters<OpenStores>) => {
    stores = await open(...bounds);
    return { own: stores.store('private'), other: stores.store('public') };
  };
  afterEach(() => stores.dispose());

  it('a device of both stores is one device, with each store’s registration, the private one first', async () => {
    const { own, other } = await opened();
    const seed = Buffer.alloc(32, 5);
    const ownerPubkey = '0c'.repeat(32);
    const stranger = await register(other, { name: 'a stranger' });
    const { id } = await register(other, { seed, name: 'as told in public', ownerPubkey });
    await register(own, { seed, name: 'as told at home', ownerPubkey });
    const known = await ask(stores, (both) => both.devices());
    expect(known.map((each) => each.id)).toEqual([id, stranger.id]);
    const names = known[0]!.entries.map(({ store, device }) => [store, device.name]);
    expect(names).toEqual([
      ['private', 'as told at home'],
      ['public', 'as told in public'],
    ]);
    expect(await ask(stores, (both) => both.privateOwners())).toEqual(new Set([ownerPubkey]));
    expect(await ask(stores, (both) => both.device('ff'.repeat(32)))).toBeNull();
  });

  it('notes of any device are stored, replaced and removed', async () => {
    const { own, other } = await opened();
    const { id } = await register(other);
    const noted = async () => (await ask(stores, (both) => both.device(id)))!.notes;
    expect(await noted()).toEqual(none);
    const notes = {
      displayName: 'Well',
      units: { ec: { shown: 'microsiemens' }, waterLevel: { tank: { empty: 400, full: 50 } } },
      earlierLabels: { tempWater: '°F' },
      text: 'Behind the door\nof the greenhouse',
      silentAfterMs: 60_000,
      status: 2,
      mine: true,
      isHidden: true,
    } as const;
    await own.setNotes(id, notes, REGISTERED_AT);
    expect(await noted()).toEqual(notes);
    await own.setNotes(id, { ...none, mine: false }, REGISTERED_AT);
    expect(await noted()).toEqual({ ...none, mine: false });
    expect((await ask(stores, (both) => both.devices()))[0]!.notes.mine).toBe(false);
    await own.setNotes(id, null, REGISTERED_AT);
    expect(await noted()).toEqual(none);
  });

  it('notes hide devices, with any other contents, until they are removed', async () => {
    const { own, other } = await opened();
    const [first, second] = [await register(own), await register(other)];
    const hidden = async () => {
      const known = await ask(stores, (both) => both.devices());
      return known.filter(({ notes }) => notes.isHidden).map(({ id }) => id);
    };
    await own.setNotes(first.id, { ...none, isHidden: true, status: 2 }, REGISTERED_AT);
    await own.setNotes(second.id, { ...none, isHidden: true, displayName: 'Next door' }, REGISTERED_AT);
    expect(await hidden()).toEqual([first.id, second.id]);
    expect((await ask(stores, (both) => both.device(first.id)))!.notes).toMatchObject({ isHidden: true, status: 2 });
    await own.setNotes(first.id, { ...none, status: 2 }, REGISTERED_AT);
    expect(await hidden()).toEqual([second.id]);
    await own.setNotes(second.id, null, REGISTERED_AT);
    expect(await hidden()).toEqual([]);
  });

  describe('forgetting', () => {
    it('deletes in steps, the device last, and leaves others and the other store alone', async () => {
      const { own, other } = await opened();
      const seed = Buffer.alloc(32, 6);
      const { id } = await register(own, { seed });
      await register(other, { seed });
      const neighbour = await register(own);
      for (const store of [own, other]) {
        await store.append([1n, 2n, 3n, 4n, 5n].map((seq) => plainReading(id, seq)));
      }
      await own.append([plainReading(neighbour.id, 1n)]);
      await own.addCounts({
        withheld: [{ deviceId: id, cause: 'omit', field: 'ph', count: 1, firstAt: 1, lastAt: 1 }],
        outcomes: [],
        unregistered: null,
      });
      await stores.restart();
      const again = stores.store('private');
      expect(await again.forget(id, 2)).toEqual({ readings: 2, isDone: false });
      expect(await again.latest(id, 10)).toHaveLength(3);
      expect((await again.device(id))?.id).toBe(id);
      expect(await again.forget(id, 10)).toEqual({ readings: 3, isDone: true });
      expect(await again.device(id)).toBeNull();
      expect(await again.latest(id, 10)).toEqual([]);
      stores.reader.forgotten(id);
      expect(await ask(stores, (both) => both.heldCounts(id))).toMatchObject([{ store: 'public', count: 5 }]);
      expect(await ask(stores, (both) => both.withheld(id))).toEqual([]);
      expect(await again.latest(neighbour.id, 10)).toHaveLength(1);
    });

    it('lets the same device register again, without earlier data', async () => {
      const { own } = await opened();
      const seed = Buffer.alloc(32, 7);
      const { id } = await register(own, { seed });
      await own.append([plainReading(id, 1n)]);
      while (!(await own.forget(id, 10)).isDone);
      expect(kinds(await own.append([plainReading(id, 2n)]))).toEqual(['unknown_device']);
      await register(own);
      expect(await register(own, { seed })).toMatchObject({ result: 'created' });
      expect(kinds(await own.append([plainReading(id, 1n)]))).toEqual(['stored']);
      expect(await own.latest(id, 10)).toHaveLength(1);
    });

    it('does nothing for an unknown device', async () => {
      const { own } = await opened();
      expect(await own.forget('ff'.repeat(32), 10)).toEqual({ readings: 0, isDone: true });
    });
  });
}
