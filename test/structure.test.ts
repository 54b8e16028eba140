import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METHODS } from '../src/shared/owner-api/contract.ts';

// The import rules of docs/architecture.md are kept by machine; these tests show that breaking one fails the check.

const root = mkdtempSync(join(tmpdir(), 'wellhouse-structure-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function writeProbe(path: string, source: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), source);
}

function run(script: string[], ...args: string[]): { status: number | null; output: string } {
  const file = resolve('node_modules', ...script);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { cwd: root, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

const REFUSED = [
  ['src/shared/probe.ts', 'node:fs'],
  ['src/shared/probe.ts', 'electron'],
  ['src/shared/probe.ts', 'react'],
  ['src/shared/probe.ts', 'better-sqlite3'],
  ['src/shared/protocol/probe.ts', '../../main/node.ts'],
  ['src/main/probe.ts', 'electron'],
  ['src/main/http/probe.ts', 'electron'],
  ['src/main/headless.ts', 'electron'],
  ['src/main/owner/probe.ts', '../../renderer/router.ts'],
  ['src/renderer/probe.ts', '../main/node.ts'],
  ['src/simulator/probe.ts', '../main/node.ts'],
] as const;

const ALLOWED = [
  ['src/main/index.ts', 'electron'],
  ['src/main/desktop/probe.ts', 'electron'],
  ['src/main/http/other.ts', 'node:fs'],
  ['src/shared/other.ts', 'zod'],
] as const;

describe('the linter', () => {
  let output: string;
  beforeAll(() => {
    const rules = JSON.parse(readFileSync('biome.json', 'utf8'));
    writeFileSync(join(root, 'biome.json'), JSON.stringify({ ...rules, $schema: undefined, vcs: undefined }));
    const probes = Map.groupBy([...REFUSED, ...ALLOWED], ([path]) => path);
    for (const [path, imports] of probes) {
      const lines = imports.map(([, module], index) => `import thing${index} from '${module}';\n`);
      writeProbe(path, `${lines.join('')}\nexport default [${imports.map((_, index) => `thing${index}`)}];\n`);
    }
    ({ output } = run(['@biomejs', 'biome', 'bin', 'biome'], 'lint', '--max-diagnostics=none', 'src'));
  });
  const refusalsIn = (path: string) =>
    Array.from(output.matchAll(/^(\S+?):(\d+):\d+ lint\/\S*noRestrictedImports/gm))
      .filter(([, file]) => file === path)
      .map(([, , line]) => Number(line));

  it.each(REFUSED)('refuses in %s an import of %s', (path, module) => {
    const line = REFUSED.filter(([each]) => each === path).findIndex(([, each]) => each === module) + 1;
    expect(refusalsIn(path), output).toContain(line);
  });

  it.each(ALLOWED)('allows in %s an import of %s', (path) => {
    expect(refusalsIn(path)).toEqual([]);
  });
});

describe('the composite projects refuse', () => {
  beforeAll(() => {
    rmSync(join(root, 'src'), { recursive: true, force: true });
    cpSync('tsconfig.base.json', join(root, 'tsconfig.base.json'));
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
    for (const project of ['shared', 'main', 'renderer']) {
      mkdirSync(join(root, 'src', project), { recursive: true });
      const settings = JSON.parse(readFileSync(join('src', project, 'tsconfig.json'), 'utf8'));
      settings.compilerOptions.outDir = `../../out/${project}`;
      settings.compilerOptions.tsBuildInfoFile = `../../out/${project}.tsbuildinfo`;
      writeFileSync(join(root, 'src', project, 'tsconfig.json'), JSON.stringify(settings));
    }
  });

  function typecheck(project: string): number | null {
    return run(['typescript', 'bin', 'tsc'], '-b', '--force', join('src', project)).status;
  }

  it.each([
    ['renderer', 'main'],
    ['shared', 'renderer'],
    ['shared', 'main'],
  ])('an import from %s into %s', (from, into) => {
    for (const project of ['shared', 'main', 'renderer'])
      writeProbe(`src/${project}/probe.ts`, 'export const thing = 1;\n');
    expect(typecheck(from)).toBe(0);
    writeProbe(`src/${from}/probe.ts`, `export { thing } from '../${into}/probe.ts';\n`);
    expect(typecheck(from)).not.toBe(0);
  });
});

it('every test is type-checked', () => {
  const checked = ['test', 'component', 'e2e'].flatMap((project) => {
    const tsc = [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', project, '--showConfig'];
    const { stdout } = spawnSync(process.execPath, tsc, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
    return (JSON.parse(stdout) as { files: string[] }).files.map((file) => resolve(project, file));
  });
  const tests = spawnSync('git', ['ls-files', '*.test.ts', '*.test.tsx', '*.spec.ts'], { encoding: 'utf8' }).stdout;
  const files = tests.trim().split('\n');
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => !checked.includes(resolve(file)))).toEqual([]);
});

it('every script in a document exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const listed = spawnSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).stdout.trim().split('\n');
  const named = listed.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/npm run (?:-s )?([a-z][a-z0-9:-]*)/g)].map(([, script]) => script!),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
});

describe('in the page', () => {
  const calls = new RegExp(`\\.call\\(\\s*'(${Object.keys(METHODS).join('|')})'`);
  const files = readdirSync('src/renderer', { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\./.test(path));
  const callers = files.filter((path) => calls.test(readFileSync(join('src/renderer', path), 'utf8')));

  it('the owner API is called in api/ alone', () => {
    expect(callers).toContain('api/queries/overview.ts');
    expect(callers.filter((path) => !path.startsWith('api/'))).toEqual([]);
  });
});

describe('the styles of the page', () => {
  const root = 'src/renderer';
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path));
  const textOf = (file: string) => readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '');
  const styles = new Map(files.filter((file) => file.endsWith('.module.css')).map((file) => [file, textOf(file)]));
  /** Each module with the styles that it imports. */
  const pages = files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => {
      const text = textOf(file);
      const imported = text.matchAll(/from '([^']+\.module\.css)'/g);
      return { text, uses: Array.from(imported, ([, path]) => join(dirname(file), path!)) };
    });
  const has = (text: string, name: string) => new RegExp(`\\.${name}\\b`).test(text);
  /** Each class that a style takes from another file, with that file. */
  const taken = [...styles].flatMap(([file, text]) =>
    [...text.matchAll(/composes:\s*([\w\s-]+?)\s+from\s+["'](.+?)["']/g)].flatMap(([, names, from]) =>
      names!.split(/\s+/).map((name) => ({ file, name, from: join(dirname(file), from!) })),
    ),
  );

  it('use only existing classes', () => {
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.filter(({ name, from }) => !has(styles.get(from) ?? '', name))).toEqual([]);
  });

  it('have no unused class', () => {
    const unused = [...styles].flatMap(([style, text]) => {
      const users = pages.filter(({ uses }) => uses.includes(style));
      const names = new Set([...text.matchAll(/\.([a-zA-Z]\w*)(?![\w-])(?=[^{}]*\{)/g)].map(([, name]) => name!));
      return [...names]
        .filter((name) => !users.some((user) => has(user.text, name) || user.text.includes('classes[')))
        .filter((name) => !taken.some((each) => each.from === style && each.name === name))
        .filter((name) => !new RegExp(`composes:[^;]*\\b${name}\\b`).test(text))
        .map((name) => `${style}: ${name}`);
    });
    expect(unused).toEqual([]);
  });
});

it('no test passes its user’s folders to the programs that it starts', () => {
  const listed = spawnSync('git', ['ls-files', 'test', 'e2e', '*.test.ts'], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n');
  const given =
    /\b(?:HOME|USERPROFILE|APPDATA|XDG_\w+_HOME)\b.*= process\.env\b|process\.env\.(?:HOME|USERPROFILE|APPDATA|XDG_\w+_HOME)\b/;
  const whole = /\.\.\.process\.env(?!, \.\.\.isolatedHome)/;
  const files = listed.filter((file) => file.endsWith('.ts'));
  const bad = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return given.test(text) || whole.test(text);
  });
  expect(bad.filter((file) => file !== 'test/structure.test.ts')).toEqual([]);
});
