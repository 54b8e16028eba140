import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { LogSigner, sha256, verifyEd25519 } from '../../src/main/proof/log-key.ts';
import { publicKeyOf, sign } from '../../src/shared/crypto/ed25519.ts';
import {
  checkpointText,
  formatKey,
  formatNote,
  SignatureType,
  signNote,
  type VerifyEd25519,
} from '../../src/shared/proof/note.ts';
import { ProofCheck } from '../../src/shared/proof/proof-file.ts';
import type { ProofEntry, ProofHead } from '../../src/shared/proof/proof-format.ts';
import { parseJson64 } from '../../src/shared/protocol/json64.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import {
  addOther,
  makeIdentity,
  makeProvenFolder,
  PROVEN,
  PROVEN_AT,
  provenText,
  signCheckpoint,
  witnessOf,
} from '../support/proven-store.ts';
import { VERIFIER, verifyStandalone } from '../support/standalone-verifier.ts';
import { THOROUGH } from '../support/thorough.ts';

/** The third phrase of the BIP-39 test vectors. */
const WITNESS_PHRASE = `${'letter advice cage absurd amount doctor acoustic avoid '}letter advice cage above`;

let folder: string;
let proof: string;
let lines: string[];
/** A proof of the same readings before the log had one entry more. */
let older: string[];
beforeAll(async () => {
  folder = temporaryFolder();
  makeProvenFolder(folder);
  const other = join(folder, 'witness');
  makeIdentity(other, WITNESS_PHRASE);
  const witness = witnessOf(other);
  await signCheckpoint(folder, [{ id: 'ab'.repeat(32), ask: (input) => witness.cosign(input) }]);
  older = (await provenText(folder)).split('\n').slice(0, -1);
  addOther(folder, 3);
  proof = await provenText(folder);
  lines = proof.split('\n').slice(0, -1);
});
afterAll(() => removeFolder(folder));

const verified = new Map<string, boolean>();
/** Verifies a signature once: most forgeries below leave most signatures as they are. */
const verify: VerifyEd25519 = (...parts) => {
  const key = parts.map((part) => Buffer.from(part).toString('base64')).join(' ');
  const known = verified.get(key) ?? verifyEd25519(...parts);
  verified.set(key, known);
  return known;
};

/** Verifies as the program does. */
function check(text: string | Uint8Array) {
  const proofCheck = new ProofCheck({ sha256, verify });
  proofCheck.take(Buffer.from(text));
  return { proven: proofCheck.finish(), fault: proofCheck.fault };
}

/** Gives the claim that the file without dependencies refuses; null: none. */
const standalone = async (text: string | Uint8Array) => (await verifyStandalone(text)).claim;

/** The proof with the object of a line changed. */
function withLine(at: number, change: (value: never) => object): string {
  const value = JSON.parse(lines[at]!) as never;
  return `${lines.with(at, JSON.stringify(change(value))).join('\n')}\n`;
}
const entryAt = (at: number) => JSON.parse(lines[at]!) as ProofEntry;

it('is unchanged, byte by byte', async () => {
  await expect(proof).toMatchFileSnapshot('../vectors/proof.ndjson');
});

it('proves its claims', async () => {
  const { proven, fault } = check(proof);
  expect(fault).toBeNull();
  expect(proven).toMatchObject({
    ...{ device: PROVEN.id, readings: 6, signed: 5, signedValues: 3, sealed: 1 },
    corrections: [{ kind: 'correction', clock: 3, next: 4, by: -5000 }],
    registrations: [{ at: PROVEN_AT, way: 'adopted', by: '"Anna\'s phone"' }],
    witnesses: [
      { key: { type: SignatureType.COSIGNATURE }, at: (PROVEN_AT + 1_000_000) / 1000, size: 11, readings: 6 },
    ],
    checkpoint: { size: 12 },
  });
  // As the device sent it, whatever the owner has made of it.
  expect(parseJson64(proven!.registrations[0]!.received!)).toMatchObject({
    ...{ id: PROVEN.id, name: 'Tank, as sent', mac: '02a1b2c3d4e5', location: 2n ** 64n - 1n },
  });
  expect(formatKey(sha256, proven!.log)).toBe(formatKey(sha256, new LogSigner(folder).keyOf('private')));
  expect(await standalone(proof)).toBeNull();
});

test('the file without dependencies is a program', () => {
  const file = join(folder, 'a.proof');
  for (const [text, exit, said] of [
    [proof, 0, 'ok  whole: 6 readings'],
    [proof.slice(0, -1), 1, 'REFUSED  whole: '],
  ] as const) {
    writeFileSync(file, text);
    const { status, stdout } = spawnSync(process.execPath, [VERIFIER, file], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([exit, expect.stringContaining(said)]);
  }
});

test('detects changed bytes; the long run changes every byte', () => {
  const bytes = Buffer.from(proof);
  const unnoticed: number[] = [];
  // One bit of every other byte; the long run flips three of each byte.
  const step = THOROUGH > 1 ? 1 : 2;
  for (let at = 0; at < bytes.length; at += step) {
    const bits = [0x01, 0x20, 0x80];
    for (const bit of THOROUGH > 1 ? bits : [bits[at % 3]!]) {
      const forged = Buffer.from(bytes);
      forged[at]! ^= bit;
      if (check(forged.toString('utf8')).proven !== null) unnoticed.push(at);
    }
  }
  expect(unnoticed).toEqual([]);
});

test('the file without dependencies detects changed bytes, too', async () => {
  const bytes = Buffer.from(proof);
  for (let at = 3; at < bytes.length; at += Math.ceil(bytes.length / 60)) {
    const forged = Buffer.from(bytes);
    forged[at]! ^= 1;
    expect(await standalone(forged), `byte ${at}`).not.toBeNull();
  }
}, 60_000);

test('detects cuts anywhere; the long run tries every byte', () => {
  const step = THOROUGH > 1 ? 1 : 5;
  for (let end = 0; end < proof.length; end += step) expect(check(proof.slice(0, end)).proven, `${end}`).toBeNull();
});

test('detects every missing, repeated or moved line, and every member', () => {
  const forged: string[][] = [];
  for (const [at, line] of lines.entries()) {
    forged.push(lines.toSpliced(at, 1), lines.toSpliced(at, 0, line));
    if (at > 0) forged.push(lines.with(at, lines[at - 1]!).with(at - 1, line));
    const members = Object.entries(JSON.parse(line) as object);
    for (const [name] of members) {
      forged.push(lines.with(at, JSON.stringify(Object.fromEntries(members.filter(([other]) => other !== name)))));
    }
    const { witnesses } = JSON.parse(line) as Partial<ProofHead>;
    for (const name of Object.keys(witnesses?.[0] ?? {})) {
      const less = { ...witnesses![0], [name]: undefined };
      forged.push(lines.with(at, JSON.stringify({ ...Object.fromEntries(members), witnesses: [less] })));
    }
    forged.push(lines.with(at, JSON.stringify({ ...Object.fromEntries(members), more: 1 })));
    forged.push(lines.with(at, JSON.stringify(Object.fromEntries(members.toReversed()))));
  }
  for (const each of forged) {
    const text = `${each.join('\n')}\n`;
    expect(check(text).proven, text).toBeNull();
  }
});

describe('refuses a forgery with the failed claim', () => {
  const seed = new Uint8Array(32).fill(5);
  const foreignKey = { name: 'wellhouse/other/private', type: SignatureType.ED25519, publicKey: publicKeyOf(seed) };
  const foreignCheckpoint = (size: number, root: Uint8Array) => {
    const text = checkpointText({ origin: foreignKey.name, size, root });
    return formatNote({ text, signatures: [signNote(sha256, text, foreignKey, (message) => sign(message, seed))] });
  };
  const witnessed = (value: ProofHead, change: object) => ({
    ...value,
    witnesses: [{ ...value.witnesses[0]!, ...change }],
  });
  const reading = (at: number, change: (text: string) => string) =>
    withLine(at, (value: ProofEntry) => ({ ...value, entry: change(value.entry) }));

  const FORGERIES: Readonly<Record<string, readonly [claim: string, make: () => string]>> = {
    'a changed plain value': ['kept', () => reading(3, (text) => text.replace(/plain ph 40/, 'plain ph 41'))],
    'a changed sealed value': ['kept', () => reading(4, (text) => text.replace('sealed ph 0001', 'sealed ph 0002'))],
    'a changed time of arrival': ['kept', () => reading(3, (text) => text.replace(/received 1/, 'received 2'))],
    'a changed registration': ['kept', () => reading(2, (text) => text.replace('Anna', 'Anne'))],
    'a registration of another device': ['whole', () => reading(2, (text) => text.replace(PROVEN.id, 'ab'.repeat(32)))],
    'a registration of an unknown way': ['whole', () => reading(2, (text) => text.replace('way adopted', 'way else'))],
    'a signature that was taken away': [
      'kept',
      () => reading(3, (text) => text.replace(/signature .*\nsigned .*\n/, '')),
    ],
    'the path of another leaf': [
      'kept',
      () => withLine(3, (value: ProofEntry) => ({ ...value, path: entryAt(5).path })),
    ],
    'the index of another leaf': [
      'kept',
      () => withLine(3, (value: ProofEntry) => ({ ...value, index: entryAt(5).index })),
    ],
    'an index beyond the tree': ['kept', () => withLine(3, (value: ProofEntry) => ({ ...value, index: 12 }))],
    'the root of another tree, signed by another log': [
      'kept',
      () =>
        withLine(0, (value: ProofHead) => ({
          ...value,
          log: formatKey(sha256, foreignKey),
          checkpoint: foreignCheckpoint(12, new Uint8Array(32)),
          witnesses: [],
        })),
    ],
    'a checkpoint of another log': [
      'checkpoint',
      () => withLine(0, (value: ProofHead) => ({ ...value, checkpoint: foreignCheckpoint(12, new Uint8Array(32)) })),
    ],
    'a checkpoint that another key signed': [
      'checkpoint',
      () =>
        withLine(0, (value: ProofHead) => ({
          ...value,
          log: formatKey(sha256, { ...foreignKey, name: value.log.split('+')[0]! }),
        })),
    ],
    'a checkpoint that was put back to an earlier one of the log': [
      'kept',
      () =>
        withLine(0, (value: ProofHead) => ({ ...value, checkpoint: value.witnesses[0]!.checkpoint, witnesses: [] })),
    ],
    'a checkpoint that was put back behind a witness': [
      'witnessed',
      () => withLine(0, (value: ProofHead) => ({ ...value, checkpoint: value.witnesses[0]!.checkpoint })),
    ],
    'a reading from an earlier proof of the log': ['kept', () => `${lines.with(3, older[3]!).join('\n')}\n`],
    'the head of an earlier proof of the log': ['kept', () => `${lines.with(0, older[0]!).join('\n')}\n`],
    'all entries of an earlier proof of the log': [
      'kept',
      () => `${[lines[0]!, ...older.slice(1, -1), lines.at(-1)!].join('\n')}\n`,
    ],
    'the signature of another reading': [
      'kept',
      () => reading(3, (text) => text.replace(/signature \w+/, /signature \w+/.exec(entryAt(4).entry)![0])),
    ],
    'a smaller tree in the checkpoint': [
      'checkpoint',
      () => withLine(0, (value: ProofHead) => ({ ...value, checkpoint: value.checkpoint.replace('\n12\n', '\n11\n') })),
    ],
    'a witness of another log': [
      'witnessed',
      () =>
        withLine(0, (value: ProofHead) => witnessed(value, { checkpoint: foreignCheckpoint(12, new Uint8Array(32)) })),
    ],
    'a witness whose signature was taken away': [
      'witnessed',
      () =>
        withLine(0, (value: ProofHead) =>
          witnessed(value, { checkpoint: value.witnesses[0]!.checkpoint.replace(/— \S*witness .*\n/, '') }),
        ),
    ],
    'a witness that signed at another time': [
      'witnessed',
      () =>
        withLine(0, (value: ProofHead) =>
          witnessed(value, { checkpoint: value.witnesses[0]!.checkpoint.replace(/(witness .{10})./, '$1z') }),
        ),
    ],
    'a witness with another key': [
      'witnessed',
      () => withLine(0, (value: ProofHead) => witnessed(value, { key: value.log })),
    ],
    'a witness without the proof of consistency': [
      'witnessed',
      () => withLine(0, (value: ProofHead) => witnessed(value, { consistency: [] })),
    ],
    'a witness that is there twice': [
      'witnessed',
      () => withLine(0, (value: ProofHead) => ({ ...value, witnesses: [...value.witnesses, ...value.witnesses] })),
    ],
    'another device in the head': [
      'whole',
      () => withLine(0, (value: ProofHead) => ({ ...value, device: 'ab'.repeat(32) })),
    ],
    'a reading of another device': ['whole', () => reading(3, (text) => text.replace(PROVEN.id, 'ab'.repeat(32)))],
    'an index in another spelling': ['whole', () => proof.replace('"index":0', '"index":0.0')],
    'an index with an exponent': ['whole', () => proof.replace('"index":2', '"index":2e0')],
    'a seq with a leading zero': ['whole', () => reading(3, (text) => text.replace('seq 1', 'seq 01'))],
    'hex in upper case': [
      'whole',
      () => reading(3, (text) => text.replace(/signed .*/, (line) => `signed ${line.slice(7).toUpperCase()}`)),
    ],
    'a space between members': ['whole', () => proof.replace('","path"', '", "path"')],
    'carriage returns': ['whole', () => proof.replaceAll('\n', '\r\n')],
    'a byte order mark': ['whole', () => `\ufeff${proof}`],
    'an empty file': ['whole', () => ''],
    'no newline at the end': ['whole', () => proof.slice(0, -1)],
    'a newline more': ['whole', () => `${proof}\n`],
  };

  test.each(Object.entries(FORGERIES))('%s', async (_what, [claim, make]) => {
    const text = make();
    expect(text).not.toBe(proof);
    expect(check(text).fault).toMatchObject({ claim });
    expect(await standalone(text)).toBe(claim);
  });
});

it('reads a file in pieces of any size', () => {
  const bytes = Buffer.from(proof);
  for (const size of [1, 7, 1000]) {
    const proofCheck = new ProofCheck({ sha256, verify: verifyEd25519 });
    for (let at = 0; at < bytes.length; at += size) proofCheck.take(bytes.subarray(at, at + size));
    expect(proofCheck.finish()).toMatchObject({ readings: 6 });
  }
});

it('refuses bytes that are not UTF-8, and lines beyond 2^20 bytes', async () => {
  const bytes = Buffer.from(proof);
  const name = bytes.indexOf("Anna's");
  // A decoder that replaces what is wrong would take the first for U+FFFD, which it is not.
  const broken = Buffer.concat([bytes.subarray(0, name), Buffer.of(0xff), bytes.subarray(name + 1)]);
  const surrogate = Buffer.concat([bytes.subarray(0, name), Buffer.of(0xed, 0xa0, 0x80), bytes.subarray(name + 1)]);
  const endless = Buffer.concat([bytes.subarray(0, name), Buffer.alloc(2 ** 20, 'a'), bytes.subarray(name)]);
  for (const each of [broken, surrogate, endless, endless.subarray(0, name + 2 ** 20)]) {
    expect(check(each).fault).toMatchObject({ claim: 'whole', line: 3 });
    expect(await standalone(each)).toBe('whole');
  }
});

/** Numbers that a careless reader takes for the one that was written. */
const SPELLINGS: readonly (readonly [claim: string, from: string | RegExp, to: string])[] = [
  ...['+1', '1.0', '1.', '1e0', '0x1', '0b1', '1_', ' 1', '1 ', '\u0661', '\uff11', '-1', '18446744073709551617'].map(
    (to) => ['whole', '\\nseq 1\\n', `\\nseq ${to}\\n`] as const,
  ),
  ...['-0', '00', '', '0.0', '9007199254740992'].map((to) => ['whole', '\\nclock 0\\n', `\\nclock ${to}\\n`] as const),
  ...['-05000', '--5000', '+5000', '-5e3', '-5000.0'].map(
    (to) => ['whole', '\\nby -5000\\n', `\\nby ${to}\\n`] as const,
  ),
  ...['-0', '0.0', '0e1', '"0"', '[0]', 'null', '00'].map((to) => ['whole', '"index":0,', `"index":${to},`] as const),
  ...['6.0', '06', '"6"', '6e0', '60e-1'].map((to) => ['whole', '"readings":6,', `"readings":${to},`] as const),
  ...['-0', 'false', '0.0'].map((to) => ['whole', '"opened":0}', `"opened":${to}}`] as const),
  ...['012', '12.0', '+12', '1.2e1', '٠١٢'].map((to) => ['checkpoint', '\\n12\\n', `\\n${to}\\n`] as const),
];

test.each(SPELLINGS)('a number in an odd spelling is refused as %s: %s as %s', async (claim, from, to) => {
  const text = proof.replace(from, to);
  expect(text).not.toBe(proof);
  expect(check(text).fault).toMatchObject({ claim });
  expect(await standalone(text)).toBe(claim);
});
