import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Arrows, cycles, forbiddenArrows, readImports, roomOf, siblingCycles } from './support/import-graph.ts';

/**
 * Which folder of `src` may import which: the arrows of docs/architecture.md. A row for a new folder goes where its
 * arrows stay in this order; an arrow upwards would close a cycle.
 */
const ARROWS: Arrows = {
  // The node. Entries → node → {http, owner, alerts, desktop} → intake → store → shared.
  'main/*.ts': [
    'main/command-line',
    'main/node',
    'main/desktop',
    'main/owner',
    'main/supervision',
    'main/settings',
    'main/data-folder',
    'main/log',
    'main/common',
  ],
  'main/command-line': [
    'main/care',
    'main/owner',
    'main/photos',
    'main/proof',
    'main/store',
    'main/audit',
    'main/settings',
    'main/data-folder',
    'main/state-files',
    'main/common',
    'shared',
  ],
  'main/node': [
    'main/door',
    'main/bridge',
    'main/care',
    'main/diagnostics',
    'main/lan',
    'main/nodes',
    'main/http',
    'main/owner',
    'main/alerts',
    'main/clock',
    'main/proof',
    'main/intake',
    'main/store',
    'main/audit',
    'main/settings',
    'main/data-folder',
    'main/state-files',
    'main/common',
    'shared',
  ],
  // Another face of the owner's view, with a listener of its own.
  'main/door': ['main/owner', 'main/http', 'main/settings', 'main/state-files', 'main/common', 'shared'],
  'main/desktop': ['main/owner', 'main/settings', 'main/data-folder', 'main/common', 'shared'],
  // The demo's devices are simulated ones, on a thread of their own.
  'main/owner': [
    'main/care',
    'main/photos',
    'main/intake',
    'main/store',
    'simulator',
    'main/audit',
    'main/proof',
    'main/settings',
    'main/data-folder',
    'main/state-files',
    'main/common',
    'shared',
  ],
  'main/http': ['main/intake', 'main/store', 'main/settings', 'main/common', 'shared'],
  'main/alerts': ['main/intake', 'main/store', 'main/state-files', 'main/common', 'shared'],
  // What reads the stores is `bridge/devices`, which hands plain values on: what publishes has no way to a sealed one.
  'main/bridge': [
    'main/bridge/devices',
    'main/bridge/mqtt',
    'main/bridge/metrics',
    'main/store',
    'main/settings',
    'main/state-files',
    'main/common',
    'shared',
  ],
  'main/bridge/devices': ['main/intake', 'main/store', 'main/common', 'shared'],
  'main/bridge/mqtt': ['main/bridge/devices', 'main/settings', 'main/common', 'shared'],
  'main/bridge/metrics': ['main/bridge/devices', 'main/http', 'main/settings', 'main/common', 'shared'],
  'main/clock': ['main/store', 'main/state-files', 'main/common', 'shared'],
  'main/proof': ['main/store', 'main/data-folder', 'main/state-files', 'main/common', 'shared'],
  'main/care': [
    'main/photos',
    'main/store',
    'main/audit',
    'main/data-folder',
    'main/state-files',
    'main/common',
    'shared',
  ],
  'main/intake': ['main/store', 'main/settings', 'main/state-files', 'main/common', 'shared'],
  'main/diagnostics': ['main/store', 'main/settings', 'main/common', 'shared'],
  'main/supervision': ['main/common'],
  'main/lan': ['main/common', 'shared'],
  'main/nodes': ['main/state-files', 'main/common', 'shared'],
  'main/audit': ['main/data-folder', 'main/state-files', 'main/common', 'shared'],
  // It is locked and moved with the stores in it.
  'main/data-folder': ['main/settings', 'main/state-files', 'main/store', 'main/common', 'shared'],
  'main/photos': ['main/common', 'shared'],
  'main/log': ['main/settings'],
  'main/settings': ['main/state-files', 'main/common', 'shared'],
  // The names of the stores' files are among those of a data folder.
  'main/state-files': ['main/store', 'main/common', 'shared'],
  'main/store': ['main/common', 'shared'],
  'main/common': ['shared'],

  // The page. Its entries join the shell and the pages, which know nothing of each other.
  'renderer/main.tsx': [
    'renderer/app.tsx',
    'renderer/providers.tsx',
    'renderer/styles.css',
    'renderer/texts',
    'renderer/api',
    'renderer/*.ts',
  ],
  'renderer/providers.tsx': ['renderer/api', 'renderer/*.ts'],
  'renderer/app.tsx': [
    'renderer/shell',
    'renderer/features/*',
    'renderer/components',
    'renderer/router',
    'renderer/api',
  ],
  'renderer/shell': [
    'renderer/alerts',
    'renderer/devices',
    'renderer/keys',
    'renderer/components',
    'renderer/format',
    'renderer/router',
    'renderer/api',
    'shared',
  ],
  'renderer/features/*': [
    'renderer/crops',
    'renderer/setup',
    'renderer/backups',
    'renderer/alerts',
    'renderer/devices',
    'renderer/journal',
    'renderer/charts',
    'renderer/export',
    'renderer/settings',
    'renderer/device-keys',
    'renderer/opening',
    'renderer/keys',
    'renderer/components',
    'renderer/format',
    'renderer/router',
    'renderer/texts',
    'renderer/api',
    'renderer/*.ts',
    'shared',
  ],
  // What pages and shell share: alerts and their rules, devices in lists, the owner's notes, keys and what they open, settings.
  'renderer/crops': [
    'renderer/alerts',
    'renderer/journal',
    'renderer/devices',
    'renderer/charts',
    'renderer/opening',
    'renderer/components',
    'renderer/format',
    'renderer/router',
    'renderer/api',
    'renderer/*.ts',
    'shared',
  ],
  'renderer/setup': ['renderer/alerts', 'renderer/api', 'shared'],
  'renderer/backups': ['renderer/settings', 'renderer/keys', 'renderer/components', 'renderer/api', 'shared'],
  'renderer/alerts': [
    'renderer/devices',
    'renderer/charts',
    'renderer/opening',
    'renderer/components',
    'renderer/format',
    'renderer/router',
    'renderer/api',
    'renderer/*.ts',
    'shared',
  ],
  'renderer/devices': [
    'renderer/opening',
    'renderer/components',
    'renderer/format',
    'renderer/router',
    'renderer/texts',
    'renderer/api',
    'renderer/*.ts',
    'shared',
  ],
  'renderer/journal': [
    'renderer/devices',
    'renderer/opening',
    'renderer/charts',
    'renderer/export',
    'renderer/components',
    'renderer/format',
    'renderer/api',
    'shared',
  ],
  'renderer/charts': [
    'renderer/opening',
    'renderer/components',
    'renderer/format',
    'renderer/router',
    'renderer/api',
    'shared',
  ],
  'renderer/export': ['renderer/format', 'shared'],
  'renderer/settings': ['renderer/components', 'renderer/api', 'shared'],
  'renderer/device-keys': [
    'renderer/opening',
    'renderer/keys',
    'renderer/components',
    'renderer/format',
    'renderer/router',
    'renderer/api',
    'shared',
  ],
  'renderer/opening': [
    'renderer/keys',
    'renderer/components',
    'renderer/format',
    'renderer/router',
    'renderer/api',
    'shared',
  ],
  'renderer/keys': ['renderer/components', 'renderer/format', 'renderer/router', 'renderer/api', 'shared'],
  'renderer/components': ['renderer/format', 'renderer/texts', 'renderer/api', 'renderer/*.ts', 'shared'],
  'renderer/format': ['renderer/texts', 'shared'],
  'renderer/*.ts': ['renderer/api', 'shared'],
  'renderer/texts': ['renderer/api', 'shared'],
  'renderer/router': ['shared'],
  'renderer/api': ['shared'],
  'renderer/styles.css': [],

  preload: ['shared'],
  simulator: ['shared'],
  shared: [],
};

/**
 * The violations that are still there, each with the work that it takes. An entry that is no longer true fails the
 * test: delete it.
 */
const KNOWN_VIOLATIONS: { arrow?: string; cycleThrough?: string; why: string }[] = [];

const imports = readImports('src');

describe('in src', () => {
  it('every import follows an allowed arrow', () => {
    const found = [...forbiddenArrows(imports, ARROWS)].filter(([arrow]) => !isKnown({ arrow }));
    const lines = found.map(([arrow, links]) => `${arrow}: ${links.map(({ from, to }) => `${from} imports ${to}`)}`);
    expect(lines, 'imports that the table ARROWS of this file does not allow').toEqual([]);
  });

  it('only two files name a store engine, besides the interface that it implements: they choose it', () => {
    const outside = ['main/store/sqlite/', 'main/store/postgres/'].flatMap((inside) =>
      imports.filter(({ from, to }) => to.startsWith(inside) && !from.startsWith(inside)),
    );
    const files = ['engines', 'locations'].map((name) => `main/store/${name}.ts`);
    expect([...new Set(outside.map(({ from }) => from))].sort()).toEqual(files);
  });

  it('no files import each other in a cycle', () => {
    const found = cycles(imports).filter((files) => !files.some((cycleThrough) => isKnown({ cycleThrough })));
    expect(found, 'files that reach each other').toEqual([]);
  });

  it.each(['src', 'e2e', 'component', 'bench'])('no folders of %s import each other, at any depth', (root) => {
    expect(siblingCycles(root === 'src' ? imports : readImports(root))).toEqual([]);
  });

  it('no folder lies deeper than two levels below its room', () => {
    const files = [...new Set(imports.flatMap(({ from, to }) => [from, to]))];
    const levels = (path: string) => path.split('/').length;
    const deep = files.filter((file) => levels(file) - 1 - levels(roomOf(file, ARROWS)!.room) > 2);
    expect(deep).toEqual([]);
  });

  it('the page uses schemas, whose library is large, only for the forms of alerts', () => {
    const links = imports.filter(({ from, typeOnly }) => !typeOnly && /^(renderer|shared)\//.test(from));
    const usesSchemas = (file: string): boolean =>
      /^import .*'zod(\/mini)?';$/m.test(readFileSync(join('src', file), 'utf8')) ||
      links.some(({ from, to }) => from === file && to.startsWith('shared/') && usesSchemas(to));
    const users = links.filter(
      ({ from, to }) => from.startsWith('renderer/') && to.startsWith('shared/') && usesSchemas(to),
    );
    // The worker of the keys is a program of its own.
    const pages = users.map(({ from }) => from).filter((file) => !file.startsWith('renderer/keys/worker/'));
    expect([...new Set(pages)].sort()).toEqual([
      'renderer/alerts/channels/channel-form.ts',
      'renderer/features/alerts/sections/digest-section.tsx',
      'renderer/features/alerts/sections/options-section.tsx',
    ]);
  });

  it('every arrow of the table is needed', () => {
    const used = new Set(imports.map(({ from, to }) => `${roomOf(from, ARROWS)?.row} → ${roomOf(to, ARROWS)?.row}`));
    const rows = Object.entries(ARROWS).flatMap(([from, row]) => row.map((to) => `${from} → ${to}`));
    expect(
      rows.filter((arrow) => !used.has(arrow)),
      'arrows to delete',
    ).toEqual([]);
  });

  it('the known violations of the table still exist', () => {
    const [arrows, inCycles] = [forbiddenArrows(imports, ARROWS), cycles(imports).flat()];
    const fixed = KNOWN_VIOLATIONS.filter(
      ({ arrow, cycleThrough }) => !(arrow && arrows.has(arrow)) && !(cycleThrough && inCycles.includes(cycleThrough)),
    );
    expect(fixed, 'entries of KNOWN_VIOLATIONS to delete').toEqual([]);
  });

  it('every file belongs to a room', () => {
    const files = [...new Set(imports.flatMap(({ from, to }) => [from, to]))];
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter((file) => roomOf(file, ARROWS) === undefined)).toEqual([]);
  });

  it('the table itself has no cycle', () => {
    const rows = Object.entries(ARROWS).flatMap(([from, row]) => row.map((to) => ({ from, to })));
    expect(rows.filter(({ to }) => !(to in ARROWS))).toEqual([]);
    expect(cycles(rows.filter(({ from, to }) => from !== to))).toEqual([]);
  });
});

function isKnown({ arrow, cycleThrough }: { arrow?: string; cycleThrough?: string }): boolean {
  return KNOWN_VIOLATIONS.some((known) =>
    arrow === undefined ? known.cycleThrough === cycleThrough : known.arrow === arrow,
  );
}

describe('in a tree written for the purpose', () => {
  const root = mkdtempSync(join(tmpdir(), 'wellhouse-imports-'));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function readTree(files: Record<string, string>) {
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), source);
    }
    return readImports(root);
  }

  it.each([
    ['an import', "import { a } from '../http/a.ts';", false],
    ['an import for its effects', "import '../http/a.ts';", false],
    ['an import of a type', "import type { A } from '../http/a.ts';", true],
    ['an import of types one by one', "import { type A } from '../http/a.ts';", true],
    ['an import of a type and a value', "import { type A, a } from '../http/a.ts';", false],
    ['a type named in place', "type A = import('../http/a.ts').A;", true],
    ['the type of a module', "type A = typeof import('../http/a.ts');", true],
    ['an export from', "export { a } from '../http/a.ts';", false],
    ['an export of all', "export * from '../http/a.ts';", false],
    ['an export of a type', "export type { A } from '../http/a.ts';", true],
    ['an import at run time', "const a = await import('../http/a.ts');", false],
    ['an import of a name worked out', 'const a = import(`../http/\x24{name}.ts`);', false],
    ['a thread', "new Worker(new URL('../http/a.ts', import.meta.url));", false],
    ['a thread by a path kept in a variable', "const file = '../http/a.ts';\nnew URL(file, import.meta.url);", false],
    ['an import over several lines', "import {\n  // from '../http/b.ts'\n  a,\n} from '../http/a.ts';", false],
  ])('%s is found against the arrows', (_name, source, typeOnly) => {
    const tree = readTree({ 'main/store/x.ts': source, 'main/http/a.ts': 'export const a = 1;' });
    expect(tree).toEqual([{ from: 'main/store/x.ts', to: 'main/http/a.ts', typeOnly }]);
    expect([...forbiddenArrows(tree, ARROWS).keys()]).toEqual(['main/store → main/http']);
  });

  it('allows an import along the arrows, inside a room, or in a comment', () => {
    const tree = readTree({
      'main/http/a.ts': "import { b } from './b.ts';\nimport { c } from '../store/c.ts';",
      'main/http/b.ts': "// import { d } from '../owner/d.ts';\nexport const b = 1;",
      'main/store/c.ts': 'export const c = 1;',
      'main/owner/d.ts': 'export const d = 1;',
    });
    expect(tree).toHaveLength(2);
    expect(forbiddenArrows(tree, ARROWS).size).toBe(0);
    expect(cycles(tree)).toEqual([]);
  });

  it('a page that imports another page is found, a page that imports itself is not', () => {
    const tree = readTree({
      'renderer/features/one/page.tsx': "import { two } from '../two/page.tsx';\nimport { own } from './own/own.ts';",
      'renderer/features/one/own/own.ts': 'export const own = 1;',
      'renderer/features/two/page.tsx': 'export const two = <p>two</p>;',
    });
    expect([...forbiddenArrows(tree, ARROWS).keys()]).toEqual(['renderer/features/one → renderer/features/two']);
  });

  it('a file in an unlisted folder is found', () => {
    const tree = readTree({ 'main/new/a.ts': "import '../common/b.ts';", 'main/common/b.ts': '' });
    expect([...forbiddenArrows(tree, ARROWS).keys()]).toEqual(['main/new/a.ts → main/common']);
  });

  it.each([
    ['at run time', "import { b } from './b.ts';", "import { c } from './c.ts';", "import { a } from './a.ts';"],
    [
      'of types',
      "import type { B } from './b.ts';",
      "import type { C } from './c.ts';",
      "import type { A } from './a.ts';",
    ],
    [
      'of both',
      "import { b } from './b.ts';",
      "import type { C } from './c.ts';",
      "new URL('./a.ts', import.meta.url);",
    ],
  ])('a cycle %s is found', (_name, a, b, c) => {
    const files = { 'main/store/a.ts': a, 'main/store/b.ts': b, 'main/store/c.ts': c };
    expect(cycles(readTree({ ...files, 'main/store/d.ts': "import './a.ts';" }))).toEqual([Object.keys(files)]);
  });

  it.each([
    ['two folders', 'main/care/a/x.ts', "import '../b/y.ts';", 'main/care/b/y.ts', "import '../a/z.ts';"],
    ['a folder and a file beside it', 'main/care/a/x.ts', "import '../y.ts';", 'main/care/y.ts', "import './a/z.ts';"],
  ])('a cycle of %s is found even without a cycle of files', (_name, x, ofX, y, ofY) => {
    const tree = readTree({ [x]: ofX, [y]: ofY, 'main/care/a/z.ts': '' });
    expect(cycles(tree)).toEqual([]);
    expect(siblingCycles(tree)).toHaveLength(1);
  });

  it('an import that can’t be followed stops the reading', () => {
    expect(() => readTree({ 'main/store/a.ts': "import { b } from './b';" })).toThrow('main/store/a.ts imports ./b');
    expect(() => readTree({ 'main/store/a.ts': 'import {' })).toThrow('main/store/a.ts');
  });
});
