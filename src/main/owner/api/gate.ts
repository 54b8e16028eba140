import { existsSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { GATE_METHODS, GateView, gateStanding } from '../../../shared/owner-api/gate.ts';
import { Disposition } from '../../../shared/protocol/codes.ts';
import { type DeviceRegistration, deviceRegistration, type PrivacyPolicy } from '../../../shared/protocol/device.ts';
import { SENSOR_FIELDS } from '../../../shared/protocol/fields.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Intake } from '../../intake/intake.ts';
import type { JoinAttempt } from '../../intake/joining/attempts.ts';
import type { Joining } from '../../intake/joining/joining.ts';
import type { Checked, Handlers } from '../handlers.ts';
import { sortedAddresses } from './addresses.ts';

/** The address of the gate, or the reason why it does not listen. */
export type GateStanding = z.infer<typeof gateStanding>;

/** The gate, as the owner's calls use it. */
export interface OwnersGate {
  readonly standing: GateStanding;
  /** The addresses before it moved, the latest last. */
  readonly previous: readonly string[];
  readonly joining: Joining;
  readonly overBudget: readonly GateView['overBudget'][number][];
}

/** The MAC of a device that has only knocked: its blocks prove its id and nothing else. */
const UNKNOWN_MAC = '0'.repeat(12);

export interface GateCallDependencies {
  readonly gate: OwnersGate;
  /** The intake for the private store. */
  readonly intake: () => Intake;
  /** This node's key in lowercase hex. */
  readonly nodePublicKey: () => string;
}

/** Answers the owner's calls about the gate. */
export function gateHandlers(dependencies: GateCallDependencies): Handlers<keyof typeof GATE_METHODS> {
  const { gate } = dependencies;
  const view = (): Output<'gate'> => ({
    gate: gate.standing,
    joining: { ...gate.joining.state, joined: [...gate.joining.state.joined] },
    attempts: gate.joining.attempts.map(shown),
    pending: gate.joining.pending.map(shown),
    addresses: sortedAddresses()
      .filter(({ scope }) => scope === 'lan')
      .map(({ address, interface: name }) => ({ address, interface: name })),
    firewall: firewall(),
    previous: [...gate.previous],
    overBudget: [...gate.overBudget],
  });
  return {
    gate: view,
    openJoining: ({ closesAfterOne }) => {
      gate.joining.open(closesAfterOne);
      return view();
    },
    closeJoining: () => {
      gate.joining.close();
      return view();
    },
    adoptDevice: async (input, { pairing }) => {
      const intake = dependencies.intake();
      const { registration, received } = registrationOf(input, dependencies);
      const origin = { way: 'adopted', by: pairing?.name ?? null, received } as const;
      const result = await intake.register(registration, origin);
      if (result !== 'created') throw new OwnerError('conflict', 'the device is already registered');
      gate.joining.adopted(input.id);
      return {};
    },
    dismissRegistration: async ({ id, registration }) => {
      if (!(await gate.joining.dismiss(id, registration))) throw new OwnerError('not_found', 'it is no longer listed');
      return view();
    },
  };
}

function shown<T extends JoinAttempt>({ registration, digest, ...attempt }: T) {
  const { id, name, mac, ownerPubkey, ownerName } = registration;
  return { id, registration: digest, name, mac, ownerPubkey, ownerName: ownerName ?? null, ...attempt };
}

/**
 * Returns the firewall that may block devices. Whether it does can't be found out without the rights of an
 * administrator.
 */
function firewall(): Output<'gate'>['firewall'] {
  if (process.platform === 'win32') return 'windows';
  if (process.platform === 'darwin') return 'macos';
  try {
    if (/^ENABLED=yes/m.test(readFileSync('/etc/ufw/ufw.conf', 'utf8'))) return 'ufw';
  } catch {
    // There is no ufw, or its file is not readable.
  }
  return existsSync('/usr/sbin/firewalld') ? 'firewalld' : null;
}

/**
 * Returns the registration to store and the one that was received, if any. Throws OwnerError if the device has neither
 * knocked nor tried to register.
 */
function registrationOf(
  { id, registration: digest, name, dispositions }: Checked<'adoptDevice'>,
  { gate, intake, nodePublicKey }: GateCallDependencies,
): { readonly registration: DeviceRegistration; readonly received: DeviceRegistration | null } {
  const { attempts, pending } = gate.joining;
  const attempt = [...attempts, ...pending].find((each) => each.registration.id === id && each.digest === digest);
  if (attempt === undefined && digest !== null) throw new OwnerError('conflict', 'this attempt is no longer listed');
  const hasKnocked = intake()
    .unregistered.list()
    .some((device) => device.id === id);
  if (attempt === undefined && !hasKnocked) throw new OwnerError('not_found', 'no such device has tried to get in');
  const said =
    attempt?.registration ?? deviceRegistration.parse({ id, mac: UNKNOWN_MAC, ownerPubkey: nodePublicKey(), name });
  // The device publishes to this store, too: otherwise it would be admitted, but none of its data kept.
  const publishTo = said.publishTo === 1 ? 0 : said.publishTo;
  const privacyPolicy = withOwnersRules(said.privacyPolicy, dispositions, nodePublicKey());
  return { registration: { ...said, name, publishTo, privacyPolicy }, received: attempt?.registration ?? null };
}

/** Applies the owner's choices for this node. The policy for other nodes stays the device's. */
function withOwnersRules(
  policy: PrivacyPolicy = {},
  dispositions: Checked<'adoptDevice'>['dispositions'],
  nodeKey: string,
): PrivacyPolicy {
  const rules = SENSOR_FIELDS.flatMap(({ name, policyName }) => {
    const chosen = dispositions[name];
    if (chosen === undefined) return [];
    const rule = policy[policyName] ?? { default_disposition: Disposition.PLAIN };
    return [[policyName, { ...rule, per_destination: { ...rule.per_destination, [nodeKey]: chosen } }] as const];
  });
  return { ...policy, ...Object.fromEntries(rules) };
}
