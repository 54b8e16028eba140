import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { sha256, verifyEd25519 } from '../../src/main/proof/log-key.ts';
import { publicKeyOf, sign } from '../../src/shared/crypto/ed25519.ts';
import { deriveFieldKey } from '../../src/shared/crypto/keyring/field-key.ts';
import { NonceRegistry } from '../../src/shared/crypto/keyring/nonce-registry.ts';
import { openEntries, type ProofOpened } from '../../src/shared/proof/opened.ts';
import { ProofCheck } from '../../src/shared/proof/proof-file.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import { makeSealedFolder, OWNER_SEED, PROVEN, provenText } from '../support/proven-store.ts';
import { verifyStandalone } from '../support/standalone-verifier.ts';
import { answerOf, wellhouse } from '../support/wellhouse.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const OWNER = hex(publicKeyOf(OWNER_SEED));
const FIELD_KEY = deriveFieldKey(OWNER_SEED, Buffer.from(PROVEN.id, 'hex'), 0);

let root: string;
let folder: string;
let proof: string;
let lines: string[];
/** The lines of the two statements. */
let said: [number, number];
beforeAll(async () => {
  root = temporaryFolder();
  folder = join(root, 'node');
  makeSealedFolder(folder);
  const opener = { seed: OWNER_SEED, keysOf: () => [FIELD_KEY], nonces: new NonceRegistry(), sha256 };
  proof = await provenText(folder, (entries) => openEntries(entries, opener).lines);
  lines = proof.split('\n').slice(0, -1);
  said = lines.flatMap((line, at) => (line.startsWith('{"opened"') ? [at] : [])) as [number, number];
});
afterAll(() => removeFolder(root));

function check(text: string) {
  const proofCheck = new ProofCheck({ sha256, verify: verifyEd25519 });
  proofCheck.take(Buffer.from(text));
  return { proven: proofCheck.finish(), fault: proofCheck.fault };
}

/** Gives the claim that the file without dependencies refuses; null: none. */
const standalone = async (text: string | Uint8Array) => (await verifyStandalone(text)).claim;

const textOf = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
const statement = (which: 0 | 1) => JSON.parse(lines[said[which]]!) as ProofOpened;
const withStatement = (which: 0 | 1, change: Partial<ProofOpened>) =>
  textOf(lines.with(said[which], JSON.stringify({ ...statement(which), ...change })));
/** The statement with another text, signed by its owner. */
const resigned = (which: 0 | 1, opened: string) =>
  withStatement(which, { opened, signature: hex(sign(Buffer.from(opened), OWNER_SEED)) });

it('is unchanged, byte by byte', async () => {
  await expect(proof).toMatchFileSnapshot('../vectors/proof-opened.ndjson');
});

it('has the opened values, signed by the owner, without copies or keys', async () => {
  const { proven, fault } = check(proof);
  expect(fault).toBeNull();
  expect(proven).toMatchObject({ readings: 5, sealed: 4, opened: { owner: OWNER, readings: 2, isRegistered: true } });
  expect(statement(0).opened).toMatch(/^wellhouse-opened\/1\nleaf [0-9a-f]{64}\nvalue ph 40c80000\n$/);
  expect(statement(1).opened).toMatch(/\nvalue ph 40d00000\nvalue tempWater 419e0000\n$/);
  for (const secret of [OWNER_SEED, FIELD_KEY]) expect(proof).not.toContain(hex(secret));
  expect(await standalone(proof)).toBeNull();
});

it('a key of no registration is reported as such', () => {
  const other = Buffer.alloc(32, 5);
  const swapped = lines.map((line) => {
    if (!line.startsWith('{"opened"')) return line;
    const { opened } = JSON.parse(line) as ProofOpened;
    const signature = hex(sign(Buffer.from(opened), other));
    return JSON.stringify({ opened, owner: hex(publicKeyOf(other)), signature });
  });
  expect(check(textOf(swapped)).proven).toMatchObject({ opened: { isRegistered: false } });
});

it('detects every changed byte of the statements and of the end', async () => {
  const ranges = [...said, lines.length - 1].map((at) => {
    const start = textOf(lines.slice(0, at)).length;
    return [start, start + lines[at]!.length + 1] as const;
  });
  const missed: number[] = [];
  for (const [start, end] of ranges) {
    for (let at = start; at < end; at += 1) {
      const flipped = proof.slice(0, at) + String.fromCharCode(proof.charCodeAt(at) ^ 1) + proof.slice(at + 1);
      if (check(flipped).fault === null) missed.push(at);
      if (at % 40 === 0) expect(await standalone(flipped), `${at}`).not.toBeNull();
    }
  }
  expect(missed).toEqual([]);
});

const FORGERIES: Readonly<Record<string, readonly [string, () => string]>> = {
  'a statement that was taken out': ['whole', () => textOf(lines.toSpliced(said[0], 1))],
  'a statement that is there twice': ['whole', () => textOf(lines.toSpliced(said[0], 0, lines[said[0]]!))],
  'a statement after another reading': ['opened', () => textOf(lines.with(said[0], lines[said[1]]!))],
  'a statement before all readings': ['whole', () => textOf([lines[0]!, lines[said[0]]!, ...lines.slice(1)])],
  'a statement by two owners': [
    'opened',
    () => {
      const other = Buffer.alloc(32, 5);
      const signature = hex(sign(Buffer.from(statement(1).opened), other));
      return withStatement(1, { owner: hex(publicKeyOf(other)), signature });
    },
  ],
  'the signature of another key': [
    'opened',
    () => withStatement(0, { signature: hex(sign(Buffer.from(statement(0).opened), Buffer.alloc(32, 5))) }),
  ],
  'another value': ['opened', () => withStatement(0, { opened: statement(0).opened.replace('40c8', '40c9') })],
  'a value of a field that is plain': [
    'opened',
    () => resigned(0, statement(0).opened.replace('value ph', 'value ec')),
  ],
  'a value of a field that is not there': ['opened', () => resigned(0, statement(0).opened.replace('ph', 'humidity'))],
  'a value that is no number': ['opened', () => resigned(0, statement(0).opened.replace('40c80000', '7f800000'))],
  'values in another order': [
    'opened',
    () => resigned(1, statement(1).opened.replace(/(value ph .*\n)(value tempWater .*\n)/, '$2$1')),
  ],
  'a value twice': ['opened', () => resigned(0, statement(0).opened.replace(/(value .*\n)/, '$1$1'))],
  'no value': ['opened', () => resigned(0, statement(0).opened.replace(/value .*\n/, ''))],
  'hex in upper case': ['opened', () => resigned(0, statement(0).opened.replace('40c8', '40C8'))],
  'a statement of another version': ['opened', () => resigned(0, statement(0).opened.replace('opened/1', 'opened/2'))],
};

test.each(Object.entries(FORGERIES))('%s is refused', async (_what, [claim, make]) => {
  const text = make();
  expect(text).not.toBe(proof);
  expect(check(text).fault).toMatchObject({ claim });
  expect(await standalone(text)).toBe(claim);
});

it('the command opens values only with the owner’s phrase, and names what the file reveals', async () => {
  const [file, phrase] = [join(root, 'b.proof'), join(root, 'phrase')];
  writeFileSync(phrase, hex(Buffer.alloc(32, 5)));
  const wrong = await wellhouse(folder, ['proof', 'Tank', '-o', file, '--opened', '--phrase-file', phrase]);
  expect([wrong.code, wrong.stdout + wrong.stderr]).toEqual([
    4,
    expect.stringContaining("not that of the device's owner"),
  ]);
  writeFileSync(phrase, hex(OWNER_SEED));
  expect((await wellhouse(folder, ['proof', 'Tank', '-o', file, '--phrase-file', phrase])).code).toBe(2);
  const written = await wellhouse(folder, [
    '--table',
    'proof',
    'Tank',
    '-o',
    file,
    '--opened',
    '--phrase-file',
    phrase,
  ]);
  expect(written.stdout).toContain('Anyone who has the file can read the opened values.');
  expect(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"opened"')),
  ).toEqual(said.map((at) => lines[at]));
  expect(await answerOf(root, ['verify', file])).toMatchObject({
    opened: { owner: OWNER, readings: 2, isRegistered: true },
  });
  const { stdout } = await wellhouse(root, ['--table', 'verify', file]);
  expect(stdout).toContain(`opened, said by the owner: sealed values of 2 readings, signed by the owner key ${OWNER}`);
});
