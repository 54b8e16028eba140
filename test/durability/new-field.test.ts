import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORE_VERSION } from '../../src/main/store/sqlite/file/migrations.ts';
import type { StepSums } from '../../src/main/store/stores-view.ts';
import { FIELD_NAMES, POLICY_FIELD_NAMES } from '../../src/shared/protocol/fields.ts';
import { KEPT_VERSIONS, rowsOf, schemaOf, unpackKeptStore } from '../support/kept-stores.ts';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FIELDS = 'src/shared/protocol/fields.ts';
const UNITS = 'src/shared/measures/units.ts';
const MIGRATIONS = 'src/main/store/sqlite/file/migrations.ts';

/** The lines of a field in the view `reading_forms`. */
const formsOf = (name: string) => `\
        iif(typeof(${name}) = 'blob', NULL, ${name}) AS ${name}_plain,
        iif(typeof(${name}) = 'blob', substr(${name}, 13), NULL) AS ${name}_cipher,
        iif(typeof(${name}) = 'blob', substr(${name}, 1, 12), NULL) AS ${name}_nonce`;

/** The next step of migrations.ts, if devices measured light too. A step names every column itself. */
const STEP = `
  (db) => {
    db.exec(\`
      ALTER TABLE readings ADD COLUMN light REAL;
      ALTER TABLE hourly_rollups ADD COLUMN light_count INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE hourly_rollups ADD COLUMN light_sealed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE hourly_rollups ADD COLUMN light_min REAL;
      ALTER TABLE hourly_rollups ADD COLUMN light_max REAL;
      ALTER TABLE hourly_rollups ADD COLUMN light_sum REAL NOT NULL DEFAULT 0;
      ALTER TABLE retained_hours ADD COLUMN light_count INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE retained_hours ADD COLUMN light_sealed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE retained_hours ADD COLUMN light_min REAL;
      ALTER TABLE retained_hours ADD COLUMN light_max REAL;
      ALTER TABLE retained_hours ADD COLUMN light_sum REAL NOT NULL DEFAULT 0;
      DROP VIEW reading_forms;
      CREATE VIEW reading_forms AS SELECT
        device, seq, timestamp, received_at, key_version,
${[...POLICY_FIELD_NAMES, 'light'].map(formsOf).join(',\n')}
      FROM readings;\`);
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
  const unit = "\n  lux: { quantity: 'light', symbol: 'lx', header: 'lx', digits: 0, ...same },";
  edit(join(copy, UNITS), /(?=\n\} as const satisfies)/, unit);
  edit(join(copy, UNITS), /(?<=const REFERENCE_UNITS[^}]*)(?=\n\};)/, "\n  light: 'lux',");
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
  expect(fresh.version).toBe(STORE_VERSION + 1);
  expect(JSON.stringify(fresh.schema)).toContain('light_sealed');
  for (const path of stores.migrated) expect(schemaOf(path)).toEqual(fresh);
});

test('the view has the three forms of the new field, beside those of all others', () => {
  const forms = [...POLICY_FIELD_NAMES, 'light'].flatMap((name) => [
    `${name}_plain`,
    `${name}_cipher`,
    `${name}_nonce`,
  ]);
  for (const path of [stores.fresh, ...stores.migrated]) {
    const db = new Database(path, { readonly: true });
    const rows = db.prepare('SELECT * FROM reading_forms WHERE light_plain IS NOT NULL').all() as object[];
    db.close();
    expect(rows).toHaveLength(3);
    expect(Object.keys(rows[0]!).slice(5)).toEqual(forms);
  }
});

test('each stores readings with the new field and returns them', () => {
  const values = Object.fromEntries([...FIELD_NAMES, 'light'].map((name, place) => [name, { value: 20 + place }]));
  for (const { latest, sums } of printed) {
    expect(JSON.parse(latest[0]!)).toMatchObject(values);
    expect(sums[1]).toMatchObject({
      readings: 1,
      fields: { ph: { mean: 10 }, light: { count: 1, sealed: 0, mean: 10 + FIELD_NAMES.length } },
    });
    expect(sums).toEqual(printed[0]!.sums);
  }
});

test('earlier readings are unchanged, without the new field', () => {
  const absent = Object.fromEntries(POLICY_FIELD_NAMES.map((name) => [name, null]));
  for (const [index, path] of stores.migrated.entries()) {
    const after = rowsOf(path).readings!;
    for (const [place, row] of before[index]!.readings!.entries()) {
      expect(after[place]).toEqual({
        clock: null,
        signature: null,
        signed: null,
        entry: null,
        first_arrival: null,
        ...absent,
        ...row,
        light: null,
      });
    }
  }
});
