import { randomBytes } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { FIELD_NAMES, type FieldName } from '../../src/shared/protocol/fields.ts';
import type { BlockInput } from '../../src/simulator/device.ts';
import { MINUTE_MS, send, valuesAt } from './devices.ts';
import { typePassphrase } from './keys.ts';
import type { OwnerNode } from './owner-node.ts';
import { expect } from './owner-test.ts';
import { floatBytes, type SealingDevice, sealBytes } from './sealing.ts';

/** The fields of the last reading that do not open: name, what a cell says, and why. */
export const FAILURES: readonly [FieldName, string, RegExp][] = [
  ['ph', 'wrong key', /^Wrong key for version 2: the tag does not match/],
  ['ec', 'not 4 bytes', /^Not 4 bytes long/],
  ['waterLevel', 'not finite', /^Not a finite number/],
  ['tempWater', 'a copy', /^A copy: its nonce was seen before in another field or reading/],
];

/** The fields of the last reading that do open. */
export const OPENING = FIELD_NAMES.filter((name) => !FAILURES.some(([field]) => field === name));

/**
 * Sends a device's readings, one a minute up to `endAt` (Unix milliseconds), the last hundred under the second version
 * of its key. Four fields of the last reading do not open.
 */
export async function sendHistory(
  started: OwnerNode,
  device: SealingDevice,
  count: number,
  endAt: number,
): Promise<void> {
  const blockAt = (seq: number, instead = {}): BlockInput =>
    device.block({
      seq,
      timestamp: endAt - (count - seq) * MINUTE_MS,
      keyVersion: seq < count - 99 ? 1 : 2,
      values: valuesAt(seq),
      instead,
    });
  const blocks = Array.from({ length: count - 1 }, (_, index) => blockAt(index + 1));
  await send(started, 'local', blocks);
  // After the one before it: of two fields with one nonce the one that came first is genuine.
  const before = blocks.at(-1)!;
  const key = device.key(2);
  const last = blockAt(count, {
    ph: sealBytes(randomBytes(32), floatBytes(7)),
    ec: sealBytes(key, Buffer.alloc(5)),
    waterLevel: sealBytes(key, floatBytes(Number.NaN)),
    tempWater: before.tempWater,
  });
  await send(started, 'local', [last]);
}

/** Unlocks from wherever the page is, and stays there. */
export async function unlock(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Unlock the keys' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await typePassphrase(page);
  await expect(dialog).toBeHidden();
}

/** Returns the numbers in a chart's description. */
export async function summary(locator: Locator): Promise<{ count: number; min: number; max: number }> {
  const text = (await locator.getAttribute('aria-label'))!;
  const [, count, min, max] = /Values: ([\d,]+)\. Minimum ([\d.,-]+).*?, maximum ([\d.,-]+)/.exec(text)!;
  const number = (part: string) => Number(part.replaceAll(',', '').replace(/\.$/, ''));
  return { count: number(count!), min: number(min!), max: number(max!) };
}

/** Returns the true values of a field from one seq to another. */
export function truth(field: FieldName, from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => valuesAt(from + index)[field]);
}
