import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../support/node-process.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => removeFolder(folder));

function run(script: string, ...args: readonly string[]) {
  const path = resolve('scripts/release', script);
  return spawnSync(process.execPath, [path, ...args], { cwd: folder, encoding: 'utf8' });
}

it('gives a release its number and date, and leaves a place for the next', () => {
  for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md']) cpSync(name, join(folder, name));
  expect(run('1-version.ts', '1.2.3').status).toBe(0);
  const json = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  expect([json('package.json').version, json('package-lock.json').version]).toEqual(['1.2.3', '1.2.3']);
  expect(json('package-lock.json').packages[''].version).toBe('1.2.3');
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(
    /^## Unreleased\n\n## 1\.2\.3, \d{4}-\d\d-\d\d\n/m,
  );
  // All else is as npm writes it.
  const others = (text: string) => text.split('\n').filter((line) => !line.includes('"version"'));
  for (const name of ['package.json', 'package-lock.json']) {
    expect(others(readFileSync(join(folder, name), 'utf8'))).toEqual(others(readFileSync(name, 'utf8')));
  }
});

it('gives no number twice', () => {
  for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md']) cpSync(name, join(folder, name));
  expect(run('1-version.ts', '1.2.3').status).toBe(0);
  const once = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
  expect(run('1-version.ts', '1.2.3')).toMatchObject({
    status: 1,
    stderr: 'CHANGELOG.md has a section of 1.2.3 already\n',
  });
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toBe(once);
  expect(run('1-version.ts', '1.2.30').status).toBe(0);
});

it.each(['', '1.0', 'v1.0.0', '1.0.0; rm'])('takes no version like %j', (version) => {
  for (const name of ['package.json', 'package-lock.json', 'CHANGELOG.md']) cpSync(name, join(folder, name));
  expect(run('1-version.ts', version).status).toBe(1);
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(readFileSync('package.json', 'utf8'));
});

it('writes the checksums of the packages, and of nothing else', () => {
  const dist = join(folder, 'dist');
  mkdirSync(dist);
  for (const name of ['wellhouse.deb', 'Wellhouse.dmg', 'builder-debug.yml']) writeFileSync(join(dist, name), name);
  const { status, stdout } = run('4-checksums.ts', dist);
  expect(status).toBe(0);
  expect(stdout).toBe(readFileSync(join(dist, 'SHA256SUMS'), 'utf8'));
  expect(stdout).toMatch(/^[0-9a-f]{64} {2}Wellhouse\.dmg\n[0-9a-f]{64} {2}wellhouse\.deb\n$/);
  expect(run('4-checksums.ts').status).toBe(1);
});

it('lists no package that a release page would rename', () => {
  for (const name of ['wellhouse-1.0.0-linux-amd64.deb', 'Wellhouse Setup 1.0.0.exe']) {
    writeFileSync(join(folder, name), name);
  }
  const { status, stderr } = run('4-checksums.ts', folder);
  expect(status).toBe(1);
  expect(stderr).toContain('"Wellhouse Setup 1.0.0.exe"');
  expect(existsSync(join(folder, 'SHA256SUMS'))).toBe(false);
});
