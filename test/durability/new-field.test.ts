import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StepSums } from '../../src/main/store/port.ts';
import { FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { KEPT_VERSIONS, rowsOf, schemaOf, unpackKeptStore } from '../support/kept-stores.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FIELDS = 'src/shared/protocol/fields.ts';
const MIGRATIONS = 'src/main/store/sqlite/file/migrations.ts';

/** What the next step of migrations.ts would be, if devices measured light too. */
const STEP = `
  (db) => {
    db.exec(\`
      ALTER TABLE readings ADD COLUMN light REAL;
      ALTER TABLE hourly_rollups ADD COLUMN light_count INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE hourly_rollups ADD COLUMN light_sealed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE hourly_rollups ADD COLUMN light_min REAL;
      ALTER TABLE hourly_rollups ADD COLUMN light_max REAL;
      ALTER TABLE hourly_rollups ADD COLUMN light_sum REAL NOT NULL DEFAULT 0;\`);
  },
];`;

const folder = temporaryFolder();
const stores = {
  fresh: join(folder, 'fresh', 'private.db'),
  migrated: KEPT_VERSIONS.map((version) => join(folder, `from-${version}`, 'private.db')),
};
let before: ReturnType<typeof rowsOf>[];
let printed: { readonly latest: string[]; readonly sums: StepSums[] }[];

afterAll(() => removeFolder(folder));
beforeAll(() => {
  const copy = join(folder, 'copy');
  const tests = ['test/durability/new-field.ts', 'test/support/readings.ts'];
  for (const part of ['src/main', 'src/shared', 'src/simulator', ...tests, 'package.json']) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'), 'junction');
  edit(join(copy, FIELDS), /\n\] as const;/, "\n  { name: 'light', policyName: 'light' },\n] as const;");
  edit(join(copy, MIGRATIONS), /\n\];(?=\n\n\/\*\* The version)/, STEP);
  for (const [index, path] of stores.migrated.entries()) unpackKeptStore('local', KEPT_VERSIONS[index]!, path);
  mkdirSync(join(folder, 'fresh'));
  before = stores.migrated.map(rowsOf);
  const paths = [stores.fresh, ...stores.migrated];
  const script = join(copy, 'test/durability/new-field.ts');
  printed = JSON.parse(execFileSync(process.execPath, [script, ...paths], { encoding: 'utf8' })) as typeof printed;
});

function edit(path: string, where: RegExp, text: string): void {
  const source = readFileSync(path, 'utf8');
  const edited = source.replace(where, () => text);
  expect(edited, path).not.toBe(source);
  writeFileSync(path, edited);
}

test('with one more field and one more step, a new store and those of every version have one schema', () => {
  const fresh = schemaOf(stores.fresh);
  expect(fresh.version).toBe(KEPT_VERSIONS.length + 1);
  expect(JSON.stringify(fresh.schema)).toContain('light_sealed');
  for (const path of stores.migrated) expect(schemaOf(path)).toEqual(fresh);
});

test('each takes readings with the new field and gives them back', () => {
  const values = Object.fromEntries([...FIELD_NAMES, 'light'].map((name, place) => [name, { value: 20 + place }]));
  for (const { latest, sums } of printed) {
    expect(JSON.parse(latest[0]!)).toMatchObject(values);
    expect(sums[1]).toMatchObject({
      readings: 1,
      fields: { ph: { mean: 10 }, light: { count: 1, sealed: 0, mean: 16 } },
    });
    expect(sums).toEqual(printed[0]!.sums);
  }
});

test('what was stored before is as it was, without the new field', () => {
  for (const [index, path] of stores.migrated.entries()) {
    const after = rowsOf(path).readings!;
    for (const [place, row] of before[index]!.readings!.entries()) {
      expect(after[place]).toEqual({ ...row, light: null });
    }
  }
});
