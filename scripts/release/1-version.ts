import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// node scripts/release/1-version.ts VERSION [FOLDER]: sets the number and the date of the release in package.json, the
// lockfile and the changelog. Changes no other file; docs/releasing.md describes the next steps.

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/;
const HEADING = '## Unreleased';

const [version = '', folder = '.'] = process.argv.slice(2);
const changelog = join(folder, 'CHANGELOG.md');
const text = readFileSync(changelog, 'utf8');
const problem = !VERSION.test(version)
  ? 'usage: node scripts/release/1-version.ts VERSION, such as 1.0.0'
  : !text.includes(`${HEADING}\n`)
    ? `${changelog} has no heading "${HEADING}": what is in this release?`
    : text.includes(`\n## ${version}, `)
      ? `${changelog} has a section of ${version} already`
      : null;
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
const today = new Date().toISOString().slice(0, 10);
writeFileSync(changelog, text.replace(HEADING, `${HEADING}\n\n## ${version}, ${today}`));
for (const name of ['package.json', 'package-lock.json']) {
  const path = join(folder, name);
  const before = JSON.parse(readFileSync(path, 'utf8')) as {
    version: string;
    packages?: Record<string, { version: string }>;
  };
  before.version = version;
  if (before.packages?.[''] !== undefined) before.packages[''].version = version;
  writeFileSync(path, `${JSON.stringify(before, null, 2)}\n`);
}
const { stdout } = spawnSync('git', ['diff', '--stat'], { cwd: folder, encoding: 'utf8' });
process.stdout.write(stdout ?? '');
