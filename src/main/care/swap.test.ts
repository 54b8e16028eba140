import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultOf, makeBackedUpNode, seqsIn } from '../../../test/support/care.ts';
import { removeFolder } from '../../../test/support/node-process.ts';
import type { NodePaths } from './node-files.ts';
import { checkBackup } from './restore/restore.ts';
import { finishRestore, isRestoreCutOff, STAGING } from './swap.ts';

let folder: string;
let paths: NodePaths;
let backup: string;
beforeEach(async () => {
  ({ folder, paths, backup } = await makeBackedUpNode());
});
afterEach(() => removeFolder(folder));

const privateSeqs = (dataDir: string) => seqsIn(join(dataDir, 'private.db')).length;
const textOf = (dataDir: string, name: string) => readFileSync(join(dataDir, name), 'utf8');

describe('an interrupted restore', () => {
  /** Returns all files in a folder except the locks, by name. */
  const stateOf = (dataDir: string) =>
    readdirSync(dataDir)
      .filter((name) => !/lock$/.test(name))
      .sort();

  it('has no effect before its journal: the next work removes its files', async () => {
    mkdirSync(join(paths.dataDir, STAGING, 'new'), { recursive: true });
    writeFileSync(join(paths.dataDir, STAGING, 'new', 'private.db'), 'half');
    expect(finishRestore(paths.dataDir)).toBeNull();
    expect(privateSeqs(paths.dataDir)).toBe(20);
    await checkBackup(backup, null, paths.dataDir);
    expect(existsSync(join(paths.dataDir, STAGING))).toBe(false);
  });

  /** Returns a journal that is right except for a change, which leads out of the folder. */
  const leaving = (change: object) =>
    JSON.stringify({
      ...{ version: 1, from: `${STAGING}/new`, place: ['private.db'], aside: null, putAside: [], settingsFile: null },
      ...change,
    });
  it.each([
    ...['', '{"version":1}', '[1,', leaving({ from: '../other' }), leaving({ from: '/other' })],
    ...[leaving({ place: ['../private.db'] }), leaving({ aside: '..' }), leaving({ putAside: ['a/b'] })],
  ])('with a damaged journal (%j) is reported with a remedy', (text) => {
    writeFileSync(join(paths.dataDir, 'restore.json'), text);
    expect(() => finishRestore(paths.dataDir)).toThrow(
      /^restore\.json is damaged: move it away, then restore the backup again$/,
    );
    expect(privateSeqs(paths.dataDir)).toBe(20);
  });

  it('keeps the settings of before, however far the replacing of those outside of the folder came', () => {
    const settingsFile = join(folder, 'settings.json');
    const aside = 'before-restore-20260101T000000Z';
    for (const [present, kept, staged] of [
      ['old', null, 'new'],
      ['old', 'old', 'new'],
      ['new', 'old', 'new'],
      ['new', 'old', null],
    ] as const) {
      const dataDir = join(folder, `cut-${Math.random()}`);
      mkdirSync(join(dataDir, STAGING, 'new'), { recursive: true });
      mkdirSync(join(dataDir, aside));
      writeFileSync(settingsFile, present);
      if (kept !== null) writeFileSync(join(dataDir, aside, 'settings.json'), kept);
      if (staged !== null) writeFileSync(join(dataDir, STAGING, 'new', 'settings.json'), staged);
      const journal = { version: 1, from: `${STAGING}/new`, place: [], aside, putAside: [], settingsFile };
      writeFileSync(join(dataDir, 'restore.json'), JSON.stringify(journal));
      finishRestore(dataDir);
      expect([readFileSync(settingsFile, 'utf8'), textOf(join(dataDir, aside), 'settings.json')]).toEqual([
        'new',
        'old',
      ]);
      expect([isRestoreCutOff(dataDir), existsSync(join(dataDir, STAGING))]).toEqual([false, false]);
    }
  });

  it('is finished by the next start after any of its renames', async () => {
    const names = ['identity.mnemonic', 'private.db', 'private.db-wal', 'public.db', 'settings.json'];
    const placed = ['identity.mnemonic', 'private.db', 'restored.json'];
    await fc.assert(
      fc.asyncProperty(fc.nat(names.length + placed.length), fc.boolean(), async (renames, twice) => {
        const dataDir = join(folder, `cut-${Math.random()}`);
        mkdirSync(join(dataDir, STAGING, 'new'), { recursive: true });
        for (const name of names) writeFileSync(join(dataDir, name), `old ${name}`);
        for (const name of placed) writeFileSync(join(dataDir, STAGING, 'new', name), `new ${name}`);
        const aside = 'before-restore-20260101T000000Z';
        const journal = {
          version: 1,
          from: `${STAGING}/new`,
          place: placed,
          aside,
          putAside: names,
          settingsFile: null,
        };
        writeFileSync(join(dataDir, 'restore.json'), JSON.stringify(journal));
        if (renames > 0) mkdirSync(join(dataDir, aside));
        const steps = [
          ...names.map((name) => [join(dataDir, name), join(dataDir, aside, name)] as const),
          ...placed.map((name) => [join(dataDir, STAGING, 'new', name), join(dataDir, name)] as const),
        ];
        for (const [from, to] of steps.slice(0, renames)) renameSync(from, to);

        expect(isRestoreCutOff(dataDir)).toBe(true);
        expect(await faultOf(() => checkBackup(backup, null, dataDir))).toBe(
          existsSync(join(dataDir, 'private.db')) ||
            existsSync(join(dataDir, 'identity.mnemonic')) ||
            existsSync(join(dataDir, 'public.db'))
            ? 'busy'
            : 'none',
        );
        finishRestore(dataDir);
        if (twice) finishRestore(dataDir);
        expect(stateOf(dataDir)).toEqual([aside, ...placed].sort());
        for (const name of placed) expect(textOf(dataDir, name)).toBe(`new ${name}`);
        expect(readdirSync(join(dataDir, aside)).sort()).toEqual(['moved.json', ...names].sort());
        for (const name of names) expect(textOf(join(dataDir, aside), name)).toBe(`old ${name}`);
      }),
      { numRuns: 30 },
    );
  });
});
