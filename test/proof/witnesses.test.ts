import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { brokenLogs } from '../../src/main/proof/log-findings.ts';
import { LogSigner, sha256 } from '../../src/main/proof/log-key.ts';
import type { WitnessNode } from '../../src/main/proof/log-witnesses.ts';
import type { Witness } from '../../src/main/proof/witness.ts';
import { createPhrase } from '../../src/shared/crypto/phrase/phrase.ts';
import type { Input } from '../../src/shared/owner-api/contract.ts';
import { formatKey } from '../../src/shared/proof/note.ts';
import { formatRequest, parseRequest } from '../../src/shared/proof/witness-request.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import {
  addOther,
  makeIdentity,
  makeProvenFolder,
  provenText,
  signCheckpoint,
  WITNESS_AT,
  witnessOf,
} from '../support/proven-store.ts';

const NODE = 'ab'.repeat(32);

let root: string;
let dataDir: string;
let witness: Witness;
/** The requests to the witness, in turn. */
let asked: Input<'cosignCheckpoint'>[];
beforeEach(() => {
  root = temporaryFolder();
  dataDir = join(root, 'node');
  makeProvenFolder(dataDir);
  makeIdentity(join(root, 'witness'), createPhrase());
  witness = witnessOf(join(root, 'witness'));
  asked = [];
});
afterEach(() => removeFolder(root));

const node: WitnessNode = {
  id: NODE,
  ask: (input) => {
    asked.push(input);
    return witness.cosign(input);
  },
};
const sign = async () => (await signCheckpoint(dataDir, [node])).view[0]!;
const path = () => join(dataDir, 'private.db');
const headOf = async () =>
  JSON.parse((await provenText(dataDir)).split('\n')[0]!) as { witnesses: { checkpoint: string }[] };

it('another node cosigns each checkpoint that continues the previous one, and proofs contain the signature', async () => {
  const first = await sign();
  expect(first).toMatchObject({
    store: 'private',
    broken: null,
    witnesses: [{ node: NODE, size: 11, refusedAt: null }],
  });
  // What is cosigned is not asked for again.
  await sign();
  expect(asked).toHaveLength(1);
  addOther(dataDir, 3);
  const second = await sign();
  expect(second.witnesses).toMatchObject([{ size: 12, since: first.witnesses[0]!.since, refusedAt: null }]);
  expect(parseRequest(asked[1]!.request)).toMatchObject({ old: 11, said: { size: 12 } });
  const { witnesses } = await headOf();
  expect(witnesses).toHaveLength(1);
  expect(witnesses[0]!.checkpoint).toMatch(/^wellhouse\/[0-9a-f]{64}\/private\n12\n/);
  // Signed by two keys, none of which is the other's.
  const names = [...witnesses[0]!.checkpoint.matchAll(/^— (\S+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(2);
});

it('a restored older store is refused, also with its own older notes, and after it has grown again', async () => {
  for (const name of ['private.db', 'log-heads.json'])
    if (name === 'private.db') copyFileSync(path(), join(root, name));
  addOther(dataDir, 3);
  await sign();
  copyFileSync(join(root, 'private.db'), path());
  // The node itself notices as long as it remembers what it signed.
  expect(await sign()).toMatchObject({ broken: { size: 12 }, witnesses: [{ size: 12, refusedAt: null }] });
  expect(brokenLogs(dataDir)).toMatchObject([{ store: 'private' }]);
  for (const name of ['log-heads.json', 'log-heads.json.previous']) rmSync(join(dataDir, name), { force: true });
  const shorter = await sign();
  expect(shorter).toMatchObject({ broken: null, witnesses: [{ size: 12 }] });
  expect(shorter.witnesses[0]!.refusedAt).not.toBeNull();
  for (const seq of [4, 5]) addOther(dataDir, seq);
  expect((await sign()).witnesses[0]!.refusedAt).toBe(shorter.witnesses[0]!.refusedAt);
  // Both nodes warn their owners.
  expect(brokenLogs(dataDir)).toEqual([{ store: 'private', since: shorter.witnesses[0]!.refusedAt }]);
  expect(brokenLogs(join(root, 'witness'))).toEqual([{ store: null, since: WITNESS_AT }]);
  expect((await headOf()).witnesses).toEqual([]);
});

it('a witness refuses after a restore, until its owner lets it begin again', async () => {
  copyFileSync(path(), join(root, 'private.db'));
  addOther(dataDir, 3);
  await sign();
  // What a restore leaves: a store of before, and nothing of what was signed since.
  copyFileSync(join(root, 'private.db'), path());
  const forget = (folder: string, ...names: string[]) => {
    for (const name of names.flatMap((each) => [each, `${each}.previous`])) rmSync(join(folder, name), { force: true });
  };
  forget(dataDir, 'log-heads.json', 'log-witnesses.json');
  expect(await sign()).toMatchObject({ broken: null, witnesses: [] });
  expect(brokenLogs(dataDir)).toEqual([]);
  expect(brokenLogs(join(root, 'witness'))).toEqual([{ store: null, since: WITNESS_AT }]);
  for (const seq of [4, 5]) addOther(dataDir, seq);
  expect((await sign()).witnesses).toEqual([]);
  // As docs/proof.md says.
  forget(join(root, 'witness'), 'witnessed-logs.json');
  witness = witnessOf(join(root, 'witness'));
  expect(brokenLogs(join(root, 'witness'))).toEqual([]);
  expect((await sign()).witnesses).toMatchObject([{ size: 13, refusedAt: null }]);
});

it('a log that lost its cosigned checkpoint asks again with the witness’s size', async () => {
  await sign();
  addOther(dataDir, 3);
  rmSync(join(dataDir, 'log-witnesses.json'));
  expect((await sign()).witnesses).toMatchObject([{ size: 12, refusedAt: null }]);
  expect(asked.map(({ request }) => parseRequest(request)!.old)).toEqual([0, 0, 11]);
});

it('a restarted witness still refuses another tree, and cosigns only notes signed by the log', async () => {
  await sign();
  const { log, request } = asked[0]!;
  witness = witnessOf(join(root, 'witness'));
  expect(await witness.cosign({ log, request })).toEqual({ outcome: 'conflict', size: 11 });
  const { note, said } = parseRequest(request)!;
  const again = (over: object) =>
    witness.cosign({ log, request: formatRequest({ old: 11, proof: [], note, ...over }) });
  expect(await again({})).toMatchObject({ outcome: 'cosigned' });
  expect(await again({ proof: [said.root] })).toEqual({ outcome: 'refused', reason: 'consistency' });
  // A wrong proof for the same tree is no other tree.
  expect(brokenLogs(join(root, 'witness'))).toEqual([]);
  expect(await again({ note: note.replace('\n11\n', '\n12\n') })).toEqual({ outcome: 'refused', reason: 'signature' });
  expect(await again({ old: 12 })).toEqual({ outcome: 'refused', reason: 'form' });
  const otherStore = formatKey(sha256, new LogSigner(dataDir).keyOf('public'));
  expect(await witness.cosign({ log: otherStore, request })).toEqual({ outcome: 'refused', reason: 'form' });
  for (const bad of ['', 'old 0\n', request.replace('old 0', 'old 00'), request.replace('old 0', 'old 0\nx')]) {
    expect(await witness.cosign({ log, request: bad })).toEqual({ outcome: 'refused', reason: 'form' });
  }
});

it('a node that does not answer, or without a witness signature, changes nothing', async () => {
  const silent = await signCheckpoint(dataDir, [{ id: NODE, ask: async () => null }]);
  expect(silent.view[0]!.witnesses).toEqual([]);
  const key = formatKey(sha256, new LogSigner(dataDir).keyOf('private'));
  const liar: WitnessNode = { id: NODE, ask: async () => ({ outcome: 'cosigned', line: '— x AAAAAAAA', key }) };
  expect((await signCheckpoint(dataDir, [liar])).view[0]!.witnesses).toEqual([]);
});
