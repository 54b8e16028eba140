import type { DOOR_METHODS, DoorView, OpenedPairing } from '../../src/shared/owner-api/door.ts';
import { doorOrigin, pairingLink } from '../../src/shared/pairing-link.ts';
import type { Answers, OnFakeEvent } from './fake.ts';

const CODE_MS = 10 * 60_000;
const ADDRESS = '192.168.1.20';
const VPN = '10.8.0.2';
const PORT = 3443;
const FINGERPRINT = 'c4'.repeat(32);
const YEAR_MS = 365 * 86_400_000;

/** Returns the answers of a fake door. It listens at the address of the settings and has two pairings. */
export function doorAnswers(
  startedAt: number,
  address: () => string | null,
  onEvent: OnFakeEvent,
): Pick<Answers, keyof typeof DOOR_METHODS> {
  let open: DoorView['open'] = null;
  let opened: OpenedPairing | null = null;
  let closesAt = 0;
  const paired = {
    ownerKey: null,
    createdAt: startedAt,
    endsAt: null,
    lastUsedAt: startedAt,
    isThis: false,
    mayUnlock: false,
    mayLog: false,
  };
  let pairings: DoorView['pairings'] = [
    {
      ...paired,
      ...{ id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a01', name: 'My phone', role: 'owner', devices: null },
      ...{ kind: 'browser', lastAddress: '192.168.1.31' },
    },
    {
      ...paired,
      ...{ id: '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a02', name: 'Ana', role: 'viewer', devices: null },
      ...{ kind: 'browser', lastAddress: '192.168.1.47', lastUsedAt: startedAt - 3_600_000 },
    },
  ];
  let isBounded = false;
  let fingerprint = FINGERPRINT;
  const view = (): DoorView => ({
    door: address() === null ? { state: 'off' } : { state: 'listening', address: address()!, port: PORT },
    certificate: {
      ...{ kind: 'own', fingerprint, names: ['localhost', 'shed', 'shed.local', ADDRESS] },
      ...{ validFrom: startedAt, validTo: startedAt + YEAR_MS },
      authority: { isBounded, validTo: startedAt + 10 * YEAR_MS },
    },
    certificateProblem: null,
    addresses: [
      { address: ADDRESS, interface: 'eth0', scope: 'lan' },
      { address: VPN, interface: 'wg0', scope: 'lan' },
    ],
    pairings,
    open: closesAt > Date.now() && open !== null ? { ...open, leftMs: closesAt - Date.now() } : null,
    wasGuessed: false,
    ownerKeys: [],
  });
  return {
    door: view,
    openPairing: (offered) => {
      open = { ...offered, mayLog: offered.mayLog ?? false, leftMs: CODE_MS, wrongTries: 0, isShown: true };
      closesAt = Date.now() + CODE_MS;
      const code = '7KM4XWPA';
      const links = (address() === '0.0.0.0' ? [ADDRESS, VPN] : [ADDRESS]).map((each) => ({
        address: each,
        link: pairingLink({ origin: doorOrigin(each, PORT), code, fingerprint }),
      }));
      opened = { code, leftMs: CODE_MS, fingerprint, links };
      onEvent('door', {});
      return opened;
    },
    shownPairing: () => (open !== null && opened !== null && closesAt > Date.now() ? opened : null),
    closePairing: () => {
      open = null;
      onEvent('door', {});
      return view();
    },
    revokePairing: ({ id }) => {
      pairings = pairings.filter((each) => each.id !== id);
      onEvent('door', {});
      return view();
    },
    setDoorKeys: view,
    replaceAuthority: () => {
      isBounded = true;
      fingerprint = 'd7'.repeat(32);
      onEvent('door', {});
      return view();
    },
    leave: () => ({}),
  };
}
