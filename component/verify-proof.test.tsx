import { expect, test } from 'vitest';
import { commands, page } from 'vitest/browser';
import { complaints } from './support/complaints.ts';
import { openPage } from './support/open-page.tsx';
import './support/page-parts.ts';

const choose = async (text: string, name = 'tank.proof') => {
  await page.getByLabelText('Choose a file').upload(new File([text], name));
};

test('the page verifies a proof, and shows each claim', async () => {
  const proof = await commands.readFile('test/vectors/proof.ndjson');
  await openPage('#/export');
  await choose(proof);
  const result = page.getByRole('status');
  await expect.element(result.getByText('tank.proof is a valid proof')).toBeVisible();
  await expect.element(result.getByText(/^Signed by the device: 5 readings\. In 3 of them/)).toBeVisible();
  await expect.element(result.getByText(/^Kept unchanged by the node: 6 readings/)).toBeVisible();
  await expect.element(result.getByText('Times of arrival were corrected 1 time since.')).toBeVisible();
  expect(await complaints()).toEqual([]);
});

test('a forged proof and a file of another kind are refused with the failed claim', async () => {
  const proof = await commands.readFile('test/vectors/proof.ndjson');
  await openPage('#/export');
  await choose(proof.replace('plain ph 4018', 'plain ph 4019'));
  const result = page.getByRole('alert');
  await expect.element(result.getByText('tank.proof proves nothing')).toBeVisible();
  await expect.element(result.getByText('Line 4: the node did not keep this reading as it is here.')).toBeVisible();
  await choose('a note', 'note.txt');
  await expect.element(result.getByText('note.txt proves nothing')).toBeVisible();
  await expect.element(result.getByText('Line 1: the file is damaged, cut or changed.')).toBeVisible();
});

test('opened values are separate from the values that the device signed', async () => {
  const proof = await commands.readFile('test/vectors/proof-opened.ndjson');
  await openPage('#/export');
  await choose(proof);
  const result = page.getByRole('status');
  await expect
    .element(
      result.getByText(/^Opened by the owner: sealed values of 2 readings\..*Only the field key could show it:$/),
    )
    .toBeVisible();
  await choose(proof.replace('value ph 40c80000', 'value ph 40c90000'));
  await expect
    .element(page.getByRole('alert').getByText(/^Line \d+: the owner did not sign these opened values\.$/))
    .toBeVisible();
});
