import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

// The pages name only existing files, links and npm scripts. A wrong name misleads the reader.

const files = spawnSync('git', ['ls-files'], { encoding: 'utf8' }).stdout.trim().split('\n');
/** The changelog describes earlier states. */
const pages = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
const scripts = Object.keys((JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object }).scripts);
const textOf = (page: string) => readFileSync(page, 'utf8');

it('finds the pages', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md']));
});

describe.each(pages)('%s', (page) => {
  it('names existing source files', () => {
    // Whole (`src/main/cli.ts`) or from a folder on (`intake/rules.ts`).
    const named = [...textOf(page).matchAll(/`([\w./-]+\.(?:[cm]?[jt]sx?|css|sh|yml))`/g)].map(([, name]) => name!);
    const ours = named.filter((name) => name.includes('/') && !name.startsWith('/') && !name.startsWith('out/'));
    const missing = ours.filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)));
    expect(missing).toEqual([]);
  });

  it('links to existing files', () => {
    const links = [...textOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link]) => link!);
    const here = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(here.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });

  it('names existing npm scripts', () => {
    const named = [...textOf(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });
});

it('CONTRIBUTING.md names every npm script', () => {
  const contributing = textOf('CONTRIBUTING.md');
  const named = (script: string) => new RegExp(`npm (?:run )?${script}(?![\\w:])`).test(contributing);
  expect(scripts.filter((script) => !named(script))).toEqual([]);
});

it('docs/threat-model.md names, for each thing that an attacker cannot do, a test that tries it', () => {
  const rows = textOf('docs/threat-model.md')
    .match(/^\|.*\|$/gm)!
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const attackers = rows.slice(rows.findIndex(([first]) => first === 'attacker') + 2);
  expect(attackers.length).toBeGreaterThan(20);
  for (const [, , cannot, tests = ''] of attackers) {
    const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    expect([cannot, named.length > 0]).toEqual([cannot, true]);
    expect([cannot, named.filter((name) => !/\.(?:test|spec)\.ts$/.test(name) || !files.includes(name))]).toEqual([
      cannot,
      [],
    ]);
  }
});
