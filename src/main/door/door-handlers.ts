import type { DoorView, OpenedPairing } from '../../shared/owner-api/door.ts';
import { doorOrigin, pairingLink } from '../../shared/pairing-link.ts';
import { OwnerError } from '../common/owner-error.ts';
import { sortedAddresses } from '../owner/api/addresses.ts';
import type { Caller } from '../owner/caller.ts';
import type { DoorMethod, Handlers } from '../owner/handlers.ts';
import { type Door, reachableAt } from './door.ts';

export interface DoorCallDependencies {
  readonly door: Door;
  readonly privateStore: () => RegisteredOwners;
}

/** A store's devices with the owners that they name. */
interface RegisteredOwners {
  devices(): Promise<readonly { readonly ownerPubkey: string; readonly ownerName: string }[]>;
}

/** Returns the handlers for the door. */
export function doorHandlers({ door, privateStore }: DoorCallDependencies): Handlers<DoorMethod> {
  const view = async (caller: Caller): Promise<DoorView> => {
    const { tls, openPairing, pairings } = door;
    const { state } = openPairing;
    return {
      door: door.standing,
      certificate:
        tls === null
          ? null
          : {
              kind: tls.kind,
              fingerprint: tls.facts.fingerprint,
              names: [...tls.facts.names],
              validFrom: tls.facts.validFrom,
              validTo: tls.facts.validTo,
              authority:
                tls.authority === null
                  ? null
                  : { isBounded: tls.authority.own !== null, validTo: tls.authority.validTo },
            },
      certificateProblem: door.certificateProblem,
      addresses: sortedAddresses(),
      pairings: pairings.all.map(({ tokenHash: _hash, ...pairing }) => ({
        ...pairing,
        isThis: pairing.id === caller.pairing?.id,
      })),
      open:
        state === null
          ? null
          : {
              ...state.offered,
              leftMs: state.leftMs,
              wrongTries: state.wrongTries,
              isShown: openPairing.codeFor(idOf(caller)) !== null,
            },
      wasGuessed: openPairing.wasGuessed,
      ownerKeys: await ownerKeys(privateStore(), pairings.keys),
    };
  };
  /** Returns a code with its links; null if the door does not listen or the code has expired. */
  const opened = (code: string): OpenedPairing | null => {
    const { standing, tls, openPairing } = door;
    const { state } = openPairing;
    if (standing.state !== 'listening' || tls === null || state === null) return null;
    const { fingerprint } = tls.facts;
    const links = reachableAt(standing.address).map((address) => ({
      address,
      link: pairingLink({ origin: doorOrigin(address, standing.port), code, fingerprint }),
    }));
    return { code, fingerprint, leftMs: state.leftMs, links };
  };
  return {
    door: (_input, caller) => view(caller),
    openPairing: (offered, caller): OpenedPairing => {
      const { standing, tls } = door;
      if (standing.state !== 'listening' || tls === null) throw new OwnerError('conflict', 'the door does not listen');
      if (offered.mayUnlock && !caller.mayUnlock) throw new OwnerError('forbidden', 'this pairing may not use keys');
      return opened(door.openPairing.open(offered, idOf(caller)))!;
    },
    shownPairing: (_input, caller) => {
      const code = door.openPairing.codeFor(idOf(caller));
      return code === null ? null : opened(code);
    },
    closePairing: (_input, caller) => {
      door.openPairing.close();
      return view(caller);
    },
    revokePairing: async ({ id }, caller) => {
      await door.revoke(id);
      return view(caller);
    },
    setDoorKeys: async ({ keys }, caller) => {
      const known = await ownerKeys(privateStore(), door.pairings.keys);
      const unknown = keys.find((key) => !known.some((each) => each.key === key));
      if (unknown !== undefined) throw new OwnerError('not_found', 'no device of this node has that owner');
      await door.setKeys(keys);
      return view(caller);
    },
    replaceAuthority: async (_input, caller) => {
      await door.replaceAuthority();
      return view(caller);
    },
    leave: async (_input, { pairing }) => {
      if (pairing === null) throw new OwnerError('conflict', 'this machine itself has no pairing');
      await door.revoke(pairing.id, false);
      return {};
    },
  };
}

/** Returns the pairing of a caller; null for the machine itself. */
const idOf = ({ pairing }: Caller): string | null => pairing?.id ?? null;

/**
 * Returns the owner keys that devices name and those that are allowed. The names are no proof, since anyone may
 * register a device while joining is open; so the owner chooses.
 */
async function ownerKeys(store: RegisteredOwners, allowed: readonly string[]): Promise<DoorView['ownerKeys']> {
  const names = new Map<string, string | null>(allowed.map((key) => [key, null]));
  for (const { ownerPubkey, ownerName } of await store.devices()) {
    if (/^[0-9a-f]{64}$/.test(ownerPubkey)) names.set(ownerPubkey, ownerName);
  }
  return [...names].map(([key, name]) => ({ key, name, isAllowed: allowed.includes(key) }));
}
