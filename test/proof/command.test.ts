import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { brokenLogs } from '../../src/main/proof/log-findings.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';
import {
  makeProvenFolder,
  PROVEN,
  PROVEN_AT,
  provenReadings,
  signCheckpoint as signCheckpointOf,
} from '../support/proven-store.ts';
import { answerOf, wellhouse } from '../support/wellhouse.ts';

let root: string;
const dataDir = () => join(root, 'data');
const file = () => join(root, 'a.proof');
const path = () => join(dataDir(), 'private.db');
beforeEach(() => {
  root = temporaryFolder();
  makeProvenFolder(dataDir());
});
afterEach(() => removeFolder(root));

function tamper(sql: string): void {
  const db = new Database(path());
  db.exec(sql);
  db.close();
}

/** Signs what the node would sign within its first hour. */
const signCheckpoint = () => signCheckpointOf(dataDir());

function addReadings(from: number, count: number): void {
  const writer = new DirectWriter(path());
  writer.append(provenReadings(from, count));
  writer.sumUp();
  writer.close();
}

interface Verified {
  readonly logs: readonly {
    readonly problems: readonly object[];
    readonly broken: readonly number[];
    readonly badSignatures: readonly object[];
  }[];
}
async function verifyStore(): Promise<{ readonly code: number | null; readonly log: Verified['logs'][0] }> {
  const { code, stdout } = await wellhouse(dataDir(), ['verify', '--store']);
  return { code, log: (JSON.parse(stdout) as Verified).logs[0]! };
}

describe('proof and verify', () => {
  it('write files that others can verify, without a node', async () => {
    const written = await answerOf(dataDir(), ['proof', 'Tank', '-o', file()]);
    expect(written).toMatchObject({ device: PROVEN.id, store: 'private', readings: 6, leftOut: 0, treeSize: 11 });
    const proven = await answerOf(join(root, 'nowhere'), ['verify', file()]);
    expect(proven).toMatchObject({ isProven: true, device: PROVEN.id, readings: 6, signed: 5, treeSize: 11 });
    await answerOf(join(root, 'nowhere'), ['verify', file(), '--log', String(proven.log)]);
    const other = await wellhouse(root, ['verify', file(), '--log', String(proven.log).replace('+', 'x+')]);
    expect(other.code).toBe(3);
    expect(JSON.parse(other.stdout)).toMatchObject({ isProven: false, fault: { claim: 'checkpoint' } });
  });

  it('accept a span, and refuse one that ends before it begins, a store without the device, and an existing file', async () => {
    const at = (minutes: number) => new Date(PROVEN_AT + minutes * 60_000).toISOString();
    const span = ['--from', at(2), '--to', at(4)];
    expect(await answerOf(dataDir(), ['proof', 'Tank', '-o', file(), ...span])).toMatchObject({ readings: 3 });
    expect((await wellhouse(dataDir(), ['proof', 'Tank', '-o', file()])).code).toBe(6);
    const another = join(root, 'b.proof');
    expect((await wellhouse(dataDir(), ['proof', 'Tank', '-o', another, '--from', at(4), '--to', at(2)])).code).toBe(2);
    expect((await wellhouse(dataDir(), ['proof', 'Tank', '-o', another, '--store', 'public'])).code).toBe(2);
  });

  it('refuse a changed file with the claim and the line', async () => {
    await answerOf(dataDir(), ['proof', 'Tank', '-o', file()]);
    writeFileSync(file(), readFileSync(file(), 'utf8').replace('plain ph 4018', 'plain ph 4019'));
    const { code, stdout } = await wellhouse(root, ['verify', file()]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ isProven: false, fault: { claim: 'kept', line: 4 } });
    const text = await wellhouse(root, ['--table', 'verify', file()]);
    expect(text.stdout).toMatch(/^REFUSED {2}kept unchanged by the node: line 4: /);
  });

  it('report a file that is not a proof, and a missing one', async () => {
    writeFileSync(file(), 'not a proof');
    expect((await wellhouse(root, ['verify', file()])).code).toBe(3);
    expect((await wellhouse(root, ['verify', join(root, 'nothing')])).code).toBe(6);
  });
});

describe('verify --store', () => {
  it('finds nothing wrong with a store that only the program wrote', async () => {
    await signCheckpoint();
    addReadings(100, 300);
    await signCheckpoint();
    expect(await verifyStore()).toMatchObject({
      ...{ code: 0 },
      log: { size: 311, problems: [], broken: [], badSignatures: [], checkpoints: 2, unlogged: 0 },
    });
  });

  it('names a reading that was edited', async () => {
    tamper('UPDATE readings SET ph = 6.1 WHERE seq = 1 AND device = 1');
    const { code, log } = await verifyStore();
    expect(code).toBe(3);
    expect(log.problems).toEqual([{ index: 2, kind: 'changed', reading: { device: PROVEN.id, seq: '1' } }]);
    // The node warns its owner until the next check finds nothing.
    expect(brokenLogs(dataDir())).toMatchObject([{ store: 'private' }]);
    const { stdout } = await wellhouse(dataDir(), ['--table', 'verify', '--store']);
    expect(stdout).toContain(`entry 2 (reading 1 of ${PROVEN.id}) was changed after it was stored`);
    tamper('UPDATE readings SET ph = 6.2 WHERE seq = 1 AND device = 1');
    expect((await verifyStore()).code).toBe(0);
    expect(brokenLogs(dataDir())).toEqual([]);
  });

  it('finds a reading that was deleted', async () => {
    tamper('DELETE FROM readings WHERE seq = 1 AND device = 1');
    const { code, log } = await verifyStore();
    expect([code, log.problems]).toEqual([3, [{ index: 2, kind: 'deleted', reading: null }]]);
  });

  it('finds a signature of another device, also if the log was made to match', async () => {
    tamper('UPDATE readings SET signature = zeroblob(64) WHERE seq = 1 AND device = 1');
    expect((await verifyStore()).log.badSignatures).toEqual([{ device: PROVEN.id, seq: '1' }]);
  });

  it('finds a store that was put back to an earlier state, also after it has grown again', async () => {
    copyFileSync(path(), join(root, 'earlier.db'));
    addReadings(100, 20);
    await signCheckpoint();
    copyFileSync(join(root, 'earlier.db'), path());
    expect(await verifyStore()).toMatchObject({ code: 3, log: { broken: [31] } });
    addReadings(200, 40);
    expect(await verifyStore()).toMatchObject({ code: 3, log: { broken: [31], problems: [] } });
    // Nothing more is signed for it.
    await signCheckpoint();
    expect((await verifyStore()).log).toMatchObject({ checkpoints: 0 });
  });

  it('finds a log that was written again with other readings', async () => {
    await signCheckpoint();
    tamper(`UPDATE readings SET ph = 6.1 WHERE seq = 1 AND device = 1; DELETE FROM log_leaves; DELETE FROM log_nodes;
      UPDATE log_state SET size = 0`);
    const writer = new DirectWriter(path());
    writer.sumUp();
    writer.close();
    expect(await verifyStore()).toMatchObject({ code: 3, log: { broken: [11], problems: [] } });
  });

  it('finds a checkpoint that was changed', async () => {
    await signCheckpoint();
    tamper("UPDATE log_checkpoints SET note = replace(note, '11', '10')");
    expect(await verifyStore()).toMatchObject({ code: 3, log: { broken: [11] } });
  });
});
