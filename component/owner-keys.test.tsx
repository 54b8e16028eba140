import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { DoorView } from '../src/shared/owner-api/door.ts';
import { openPage } from './support/open-page.tsx';
import { expectTexts } from './support/page-parts.ts';

const [MINE, OTHER] = ['ab'.repeat(32), 'cd'.repeat(32)];
const NAMES = { [MINE]: 'Filomena', [OTHER]: 'Ana' };
const box = (key: string) => page.getByRole('checkbox', { name: NAMES[key]! });

/** Opens the page with two keys that are let in, by one of which a program came in. */
async function open(asked: (readonly string[])[]) {
  await openPage('#/people', {
    answers: (fake) => {
      let allowed: readonly string[] = [MINE, OTHER];
      const door = (): DoorView => {
        const view = fake.door({}) as DoorView;
        const came = { ...view.pairings[0]!, id: crypto.randomUUID(), name: 'Irrigation script', kind: 'key' as const };
        return {
          ...view,
          door: { state: 'listening', address: '0.0.0.0', port: 8443 },
          pairings: [...view.pairings, { ...came, ownerKey: MINE }],
          ownerKeys: [MINE, OTHER].map((key) => ({ key, name: NAMES[key]!, isAllowed: allowed.includes(key) })),
        };
      };
      return {
        door,
        setDoorKeys: ({ keys }) => {
          asked.push(keys);
          allowed = keys;
          return door();
        },
      };
    },
  });
}

test('says who loses access before an owner’s key is removed', async () => {
  const asked: (readonly string[])[] = [];
  await open(asked);
  await expect.element(box(MINE)).toBeChecked();
  await box(MINE).click();
  const dialog = page.getByRole('dialog', { name: 'Stop letting this key in?' });
  await expectTexts(dialog.getByRole('listitem'), ['Irrigation script']);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(box(MINE)).toBeChecked();
  expect(asked).toEqual([]);
  await box(MINE).click();
  await dialog.getByRole('button', { name: 'Stop letting it in' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(box(MINE)).not.toBeChecked();
  expect(asked).toEqual([[OTHER]]);
});

test('asks for no confirmation if nobody uses the key', async () => {
  const asked: (readonly string[])[] = [];
  await open(asked);
  await box(OTHER).click();
  await expect.element(box(OTHER)).not.toBeChecked();
  expect(asked).toEqual([[MINE]]);
});
