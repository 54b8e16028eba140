import type { z } from 'zod';
import type { Output } from '../../../shared/owner-api/contract.ts';
import type { GATE_METHODS, gateStanding } from '../../../shared/owner-api/gate.ts';
import { type DeviceRegistration, deviceRegistration } from '../../../shared/protocol/device.ts';
import { SENSOR_FIELDS } from '../../../shared/protocol/fields.ts';
import { OwnerError } from '../../common/owner-error.ts';
import type { Intake } from '../../intake/intake.ts';
import type { Joining } from '../../intake/joining.ts';
import { ownAddresses } from './addresses.ts';
import type { Checked, Handlers } from './handlers.ts';

/** Where the gate listens, or why it does not. */
export type GateStanding = z.infer<typeof gateStanding>;

/** What the owner's view shows and does of the gate. */
export interface OwnersGate {
  readonly standing: GateStanding;
  readonly joining: Joining;
}

/** What a device is registered with that has only knocked: its blocks prove its id, and nothing else. */
const UNKNOWN_MAC = '0'.repeat(12);

/** What the calls about the gate are made of. */
export interface GateCallParts {
  readonly gate: OwnersGate;
  /** The intake for the private store. */
  readonly intake: () => Intake;
  /** This node's key in lowercase hex. */
  readonly nodePublicKey: () => string;
}

/** Answers the owner's calls about the gate. */
export function gateHandlers(parts: GateCallParts): Handlers<keyof typeof GATE_METHODS> {
  const { gate } = parts;
  const view = (): Output<'gate'> => ({
    gate: gate.standing,
    joining: { ...gate.joining.state, joined: [...gate.joining.state.joined] },
    attempts: gate.joining.attempts.map(({ registration: { id, name, mac }, ...attempt }) => {
      return { id, name, mac, ...attempt };
    }),
    addresses: privateAddresses(),
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
    adoptDevice: async (input) => {
      const intake = parts.intake();
      const result = await intake.register(registrationOf(input, parts));
      if (result !== 'created') throw new OwnerError('conflict', 'the device is registered already');
      return {};
    },
  };
}

/** Those that devices on the owner's network can be expected to reach, before those of tunnels and of no network at all. */
function privateAddresses(): Output<'gate'>['addresses'] {
  const rank = ({ address }: { address: string }) =>
    address.startsWith('192.168.') || address.startsWith('10.') ? 0 : /^169\.254\.|:/.test(address) ? 2 : 1;
  return ownAddresses()
    .filter(({ scope }) => scope === 'lan')
    .map(({ address, interface: name }) => ({ address, interface: name }))
    .sort((one, other) => rank(one) - rank(other));
}

/** Rejects with OwnerError where the device has neither knocked nor tried to register. */
function registrationOf(
  { id, name, dispositions }: Checked<'adoptDevice'>,
  { gate, intake, nodePublicKey }: GateCallParts,
): DeviceRegistration {
  const attempt = gate.joining.attempts.find(({ registration }) => registration.id === id);
  const hasKnocked = intake()
    .unregistered.list()
    .some((device) => device.id === id);
  if (attempt === undefined && !hasKnocked) throw new OwnerError('not_found', 'no such device has tried to get in');
  const chosen = SENSOR_FIELDS.flatMap(({ name: field, policyName }) => {
    const value = dispositions[field];
    return value === undefined ? [] : [[policyName, { default_disposition: value }] as const];
  });
  const said =
    attempt?.registration ?? deviceRegistration.parse({ id, mac: UNKNOWN_MAC, ownerPubkey: nodePublicKey(), name });
  // For this store: a device that publishes elsewhere alone would be let in and nothing of it kept.
  const publishTo = said.publishTo === 1 ? 0 : said.publishTo;
  return { ...said, name, publishTo, privacyPolicy: { ...said.privacyPolicy, ...Object.fromEntries(chosen) } };
}
