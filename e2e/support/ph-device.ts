import { expect, type Page } from '@playwright/test';
import type { RuleInput } from '../../src/shared/alerts/rule.ts';
import type { SimulatedDevice } from '../../src/simulator/device.ts';
import { RANGE_RULE } from '../../test/support/alerts.ts';
import { call } from '../../test/support/owner-client.ts';
import { MINUTE_MS, registered, send } from './devices.ts';
import type { OwnerNode } from './owner-node.ts';

const OWNER = 'aa'.repeat(32);

/** A device whose pH the test says, reading by reading. */
export class PhDevice {
  readonly device: SimulatedDevice;
  readonly #node: OwnerNode;
  #seq = 0;

  private constructor(node: OwnerNode, device: SimulatedDevice) {
    this.#node = node;
    this.device = device;
  }

  /** Registers a device in the private store, and sends twenty readings within 6 and 6.2. */
  static async on(node: OwnerNode, name: string): Promise<PhDevice> {
    const options = { name, ownerPubkey: OWNER };
    const made = new PhDevice(node, await registered(node, ['local'], options, { publishTo: 0 }));
    await made.send(...Array.from({ length: 20 }, (_, index) => 6 + (index % 3) / 10));
    return made;
  }

  /** Sends a reading for each value, one a minute; the last was measured just now. */
  async send(...values: number[]): Promise<void> {
    const now = Date.now();
    const blocks = values.map((ph, index) =>
      this.device.block({
        seq: ++this.#seq,
        timestamp: now - (values.length - 1 - index) * MINUTE_MS,
        plain: { ph, ec: 1200 },
      }),
    );
    await send(this.#node, 'local', blocks);
  }
}

/** Writes a rule on the pH of every device, without a name. */
export async function writeRule(node: OwnerNode, change: Partial<Extract<RuleInput, { kind: 'range' }>> = {}) {
  return call(node.process, 'writeAlertRule', { rule: { ...RANGE_RULE, name: '', ...change } });
}

/** Deletes the rules that a step wrote, and with them their alerts. */
export async function withoutRules(node: OwnerNode): Promise<void> {
  const { rules } = await call(node.process, 'alertRules', {});
  // The built-in ones stay.
  for (const { rule } of rules) if (rule.kind === 'range') await call(node.process, 'deleteAlertRule', { id: rule.id });
  await expect.poll(async () => (await call(node.process, 'alerts', {})).alerts).toEqual([]);
}

/** Returns the alerts of a tab, without what else is listed there. */
export const listed = (page: Page) =>
  page
    .getByRole('tabpanel')
    .getByRole('region', { name: /alert|acknowledged/i })
    .getByRole('listitem');
