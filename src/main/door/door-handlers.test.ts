import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import type { DoorView } from '../../shared/owner-api/door.ts';
import { sortedAddresses } from '../owner/api/addresses.ts';
import { type Caller, LOCAL_OWNER } from '../owner/caller.ts';
import type { Door } from './door.ts';
import { doorHandlers } from './door-handlers.ts';
import { MAX_WRONG_TRIES, OpenPairing } from './pairing/open-pairing.ts';
import { type Pairing, Pairings } from './pairing/pairings.ts';
import type { DoorTls } from './tls/certificate.ts';

const START = Date.UTC(2026, 5, 1);
const OFFER = { name: 'Phone', role: 'viewer', devices: null, mayUnlock: false, mayLog: false } as const;
const OWNER_OFFER = { ...OFFER, role: 'owner', mayUnlock: true } as const;
const [KEY, NAMED, STRANGE] = ['ab', 'cd', 'ef'].map((byte) => byte.repeat(32)) as [string, string, string];
const FINGERPRINT = '12'.repeat(32);
const LISTENING = { state: 'listening', address: '192.168.1.5', port: 3443 } as const;
const WAITING = { ...LISTENING, state: 'waiting', reason: 'taken', detail: 'in use' } as const;
const FACTS = {
  ...{ names: ['door.lan', '192.168.1.5'], validFrom: 1, validTo: 2, fingerprint: FINGERPRINT, authority: 'PEM' },
  isName: () => true,
};
const OWN_TLS: DoorTls = { cert: '', key: '', kind: 'own', facts: FACTS, authority: { own: ['a'], validTo: 3 } };

let folder: string;
let clock: FakeClock;
let pairings: Pairings;
let openPairing: OpenPairing;
/** The state of the door, which each test may change. */
let state: { standing: Door['standing']; tls: DoorTls | null; certificateProblem: string | null };
/** The devices of the private store. */
let devices: { ownerPubkey: string; ownerName: string }[];
let called: unknown[][];
let handlers: ReturnType<typeof doorHandlers>;

beforeEach(() => {
  folder = temporaryFolder();
  clock = new FakeClock(START);
  pairings = new Pairings(folder, clock, pino({ enabled: false }));
  openPairing = new OpenPairing(clock, () => {});
  state = { standing: LISTENING, tls: OWN_TLS, certificateProblem: null };
  devices = [];
  called = [];
  const does = {
    revoke: async (...given: unknown[]) => void called.push(['revoke', ...given]),
    replaceAuthority: async (...given: unknown[]) => void called.push(['replaceAuthority', ...given]),
    setKeys: async (keys: readonly string[]) => {
      called.push(['setKeys', keys]);
      await pairings.setKeys(keys).written;
    },
  };
  const door = Object.defineProperties(
    { openPairing, pairings, ...does },
    {
      standing: { get: () => state.standing },
      tls: { get: () => state.tls },
      certificateProblem: { get: () => state.certificateProblem },
    },
  );
  handlers = doorHandlers({
    door: door as unknown as Door,
    privateStore: () => ({ devices: async () => devices }),
  });
});
afterEach(async () => {
  openPairing.close();
  await pairings.close();
  removeFolder(folder);
});

const add = async (name: string): Promise<Pairing> =>
  (await pairings.add({ ...OFFER, name, kind: 'app', endsAt: null, ownerKey: null })).pairing;
const callerOf = ({ id, name }: Pick<Pairing, 'id' | 'name'>, mayUnlock = false): Caller => ({
  ...{ ...LOCAL_OWNER, by: 'pairing', mayUnlock, pairing: { id, name } },
});
const ANA = callerOf({ id: 'a', name: 'Ana' });
const BEN = callerOf({ id: 'b', name: 'Ben' });
const view = async (caller = LOCAL_OWNER) => (await handlers.door({}, caller)) as DoorView;
const failure = (code: string, message: string) => expect.objectContaining({ name: 'OwnerError', code, message });
/** The view of a door without pairings and codes. */
const PLAIN: DoorView = {
  door: LISTENING,
  certificate: {
    ...{ kind: 'own', fingerprint: FINGERPRINT, names: ['door.lan', '192.168.1.5'], validFrom: 1, validTo: 2 },
    authority: { isBounded: true, validTo: 3 },
  },
  ...{ certificateProblem: null, addresses: sortedAddresses(), pairings: [], open: null },
  ...{ wasGuessed: false, ownerKeys: [] },
};

describe('the view of the door', () => {
  it('has its address, its certificate and the problem with it', async () => {
    expect(await view()).toEqual(PLAIN);
    const certificate = PLAIN.certificate!;
    state.tls = { ...OWN_TLS, authority: { own: null, validTo: 3 } };
    const unbounded = { ...certificate, authority: { isBounded: false, validTo: 3 } };
    expect(await view()).toEqual({ ...PLAIN, certificate: unbounded });
    state.tls = { ...OWN_TLS, kind: 'files', authority: null };
    expect(await view()).toEqual({ ...PLAIN, certificate: { ...certificate, kind: 'files', authority: null } });
    state = { standing: WAITING, tls: null, certificateProblem: 'no such file' };
    const broken = { door: WAITING, certificate: null, certificateProblem: 'no such file' };
    expect(await view()).toEqual({ ...PLAIN, ...broken });
  });

  it('has the pairings without the hashes of their tokens, and marks the caller’s own', async () => {
    const [one, other] = [await add('Ana'), await add('Ben')];
    const listed = (own: string | null) =>
      [one, other].map(({ tokenHash, ...pairing }) => ({ ...pairing, isThis: pairing.id === own }));
    expect(await view()).toEqual({ ...PLAIN, pairings: listed(null) });
    expect(await view(callerOf(other))).toEqual({ ...PLAIN, pairings: listed(other.id) });
  });

  it('has the open code’s rights, and says who may see it', async () => {
    const code = openPairing.open(OFFER, 'a');
    await clock.pass(1000, async () => {});
    openPairing.redeem('wrong');
    const open = { ...OFFER, leftMs: 599_000, wrongTries: 1 };
    for (const caller of [LOCAL_OWNER, ANA])
      expect(await view(caller)).toEqual({ ...PLAIN, open: { ...open, isShown: true } });
    expect(await view(BEN)).toEqual({ ...PLAIN, open: { ...open, isShown: false } });
    expect(JSON.stringify(await view())).not.toContain(code);
    for (let wrong = 1; wrong < MAX_WRONG_TRIES; wrong += 1) openPairing.redeem('wrong');
    expect(await view()).toEqual({ ...PLAIN, wasGuessed: true });
  });

  it('has the owners’ keys that are allowed or that devices name', async () => {
    await pairings.setKeys([KEY, STRANGE]).written;
    devices = [
      ...[NAMED, '', NAMED.slice(1), `${NAMED}a`, `x${NAMED}`, NAMED.toUpperCase()].map((ownerPubkey) => ({
        ...{ ownerPubkey, ownerName: 'Ben' },
      })),
      { ownerPubkey: KEY, ownerName: 'Ana' },
    ];
    expect(await view()).toEqual({
      ...PLAIN,
      ownerKeys: [
        { key: KEY, name: 'Ana', isAllowed: true },
        { key: STRANGE, name: null, isAllowed: true },
        { key: NAMED, name: 'Ben', isAllowed: false },
      ],
    });
  });
});

describe('a code', () => {
  const links = (code: string, ...addresses: string[]) =>
    addresses.map((address) => {
      const host = address.includes(':') ? `[${address}]` : address;
      const link = `https://${host}:3443/ui/#/pair?code=${code.slice(0, 4)}-${code.slice(4)}&fingerprint=${FINGERPRINT}`;
      return { address, link };
    });
  const rest = { fingerprint: FINGERPRINT, leftMs: 600_000 };

  it('is made with a link for each address of the door', async () => {
    const opened = await handlers.openPairing(OWNER_OFFER, LOCAL_OWNER);
    const code = openPairing.codeFor(null)!;
    expect(opened).toEqual({ code, ...rest, links: links(code, '192.168.1.5') });
    expect(openPairing.state?.offered).toEqual(OWNER_OFFER);
    state.standing = { ...LISTENING, address: 'fe80::5%eth0' };
    const shown = await handlers.shownPairing({}, LOCAL_OWNER);
    expect(shown).toEqual({ code, ...rest, links: links(code, 'fe80::5') });
    expect(await handlers.openPairing(OFFER, ANA)).not.toMatchObject({ code });
    expect(openPairing.codeFor('a')).toBe(openPairing.codeFor(null));
  });

  it.each([
    ['is off', { state: 'off' }, OWN_TLS],
    ['waits', WAITING, OWN_TLS],
    ['has no certificate', LISTENING, null],
  ] as const)('is neither made nor shown while the door %s', async (_name, standing, tls) => {
    openPairing.open(OFFER, null);
    state = { ...state, standing, tls };
    expect(() => handlers.openPairing(OFFER, LOCAL_OWNER)).toThrow(failure('conflict', 'the door does not listen'));
    expect(await handlers.shownPairing({}, LOCAL_OWNER)).toBeNull();
    expect(openPairing.state).not.toBeNull();
  });

  it('gives no right to keys that its maker lacks', async () => {
    const refused = failure('forbidden', 'this pairing may not use keys');
    expect(() => handlers.openPairing(OWNER_OFFER, ANA)).toThrow(refused);
    expect(openPairing.state).toBeNull();
    await handlers.openPairing({ ...OWNER_OFFER, mayUnlock: false }, ANA);
    expect(openPairing.state?.offered.mayUnlock).toBe(false);
    await handlers.openPairing(OWNER_OFFER, { ...ANA, mayUnlock: true });
    expect(openPairing.state?.offered.mayUnlock).toBe(true);
  });

  it('is shown again to its maker and the machine alone, until it is closed', async () => {
    expect(await handlers.shownPairing({}, LOCAL_OWNER)).toBeNull();
    const opened = await handlers.openPairing(OFFER, ANA);
    for (const caller of [LOCAL_OWNER, ANA]) expect(await handlers.shownPairing({}, caller)).toEqual(opened);
    expect(await handlers.shownPairing({}, BEN)).toBeNull();
    expect(await handlers.closePairing({}, BEN)).toEqual(PLAIN);
    expect(await handlers.shownPairing({}, LOCAL_OWNER)).toBeNull();
  });
});

describe('the owner', () => {
  it('revokes a pairing, and a client ends its own', async () => {
    const own = await add('Ana');
    const shown = await handlers.revokePairing({ id: 'x' }, callerOf(own));
    expect(shown).toMatchObject({ pairings: [{ id: own.id, isThis: true }] });
    expect(await handlers.leave({}, callerOf(own))).toEqual({});
    expect(called).toEqual([
      ['revoke', 'x'],
      ['revoke', own.id, false],
    ]);
    const refused = failure('conflict', 'this machine itself has no pairing');
    await expect(handlers.leave({}, LOCAL_OWNER)).rejects.toThrow(refused);
    expect(called).toHaveLength(2);
  });

  it('replaces the authority', async () => {
    expect(await handlers.replaceAuthority({}, LOCAL_OWNER)).toEqual(PLAIN);
    expect(called).toEqual([['replaceAuthority']]);
  });

  it('allows keys that devices name or that are allowed already, and no others', async () => {
    devices = [{ ownerPubkey: NAMED, ownerName: 'Ben' }];
    await pairings.setKeys([KEY]).written;
    const unknown = failure('not_found', 'no device of this node has that owner');
    await expect(handlers.setDoorKeys({ keys: [NAMED, STRANGE] }, LOCAL_OWNER)).rejects.toThrow(unknown);
    expect([called, pairings.keys]).toEqual([[], [KEY]]);
    const ben = { key: NAMED, name: 'Ben', isAllowed: true };
    const both = [{ key: KEY, name: null, isAllowed: true }, ben];
    expect(await handlers.setDoorKeys({ keys: [KEY, NAMED] }, LOCAL_OWNER)).toEqual({ ...PLAIN, ownerKeys: both });
    const none = [{ ...ben, isAllowed: false }];
    expect(await handlers.setDoorKeys({ keys: [] }, LOCAL_OWNER)).toEqual({ ...PLAIN, ownerKeys: none });
    expect(called).toEqual([
      ['setKeys', [KEY, NAMED]],
      ['setKeys', []],
    ]);
  });
});
