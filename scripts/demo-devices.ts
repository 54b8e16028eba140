import type { RuleInput } from '../src/shared/alerts/rule.ts';
import { publicKeyOf } from '../src/shared/crypto/ed25519.ts';
import { DEMO_TANK } from '../src/shared/demo-keys.ts';
import type { Input, MethodName } from '../src/shared/owner-api/contract.ts';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { type DemoDevice, HISTORY_DAYS } from './demo-history.ts';

const HOUR_MS = 3_600_000;

/**
 * Returns the devices of the demo: one that encrypts ph and ec, one that became silent two hours ago, one without a
 * clock whose pH drifts. `seedOf` returns the seed of a device by its index; without it, the seeds are new.
 */
export function demoDevices(ownerSeed: Uint8Array, seedOf?: (index: number) => Uint8Array): DemoDevice[] {
  const ownerPubkey = Buffer.from(publicKeyOf(ownerSeed)).toString('hex');
  const now = Date.now();
  const seed = (index: number) => (seedOf === undefined ? {} : { seed: seedOf(index) });
  return [
    {
      device: new SimulatedDevice({ name: 'Greenhouse', ownerPubkey, ...seed(0) }),
      encrypt: ['ph', 'ec'],
      lastAt: now,
      bootedAt: null,
      // A cell of resolution 7 near Campinas.
      location: 0x87a813b22ffffffn,
      stores: ['private', 'public'],
    },
    {
      device: new SimulatedDevice({ name: 'Nursery', ownerPubkey, ...seed(1) }),
      encrypt: [],
      lastAt: now - 2 * HOUR_MS,
      bootedAt: null,
      stores: ['private'],
    },
    {
      device: new SimulatedDevice({ name: 'Herb bench', ownerPubkey, ...seed(2) }),
      encrypt: [],
      lastAt: now,
      bootedAt: now - (HISTORY_DAYS * 24 + 1) * HOUR_MS,
      drifts: true,
      stores: ['private'],
    },
  ];
}

/**
 * Writes what an owner would: the tank of the first device, and a rule for the pH of the last one, which the drift
 * makes fire within two minutes. `link` is the link of the owner's view.
 */
export async function setUpDemo(link: URL, devices: readonly DemoDevice[]): Promise<void> {
  const notes = { ...NO_NOTES, units: { waterLevel: { tank: DEMO_TANK } } };
  await write(link, 'setNotes', { id: devices[0]!.device.id, notes });
  await watchPh(link, devices.at(-1)!);
}

async function watchPh(link: URL, { device }: DemoDevice): Promise<void> {
  const rule: RuleInput = {
    id: null,
    kind: 'range',
    name: `${device.name}: pH`,
    scope: { kind: 'device', device: device.id },
    ...{ field: 'ph', low: 5.5, high: 6.5, margin: 0.1, forMinutes: 1 },
    ...{ severity: 'warning', channels: 'all', repeatMinutes: null, isOn: true },
  };
  await write(link, 'writeAlertRule', { rule });
}

async function write<M extends MethodName>({ origin, hash }: URL, method: M, input: Input<M>): Promise<void> {
  const reply = await fetch(`${origin}/ui/api/${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${hash.replace('#token=', '')}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (!reply.ok) console.log(`${method} was refused: ${reply.status}`);
}
