import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// node scripts/release/4-checksums.ts FOLDER: writes SHA256SUMS next to the packages of all systems, in the form that
// `sha256sum --check` reads.

const PACKAGES = /\.(?:deb|tar\.[gx]z|dmg|exe)$/;
/**
 * The characters that a release page keeps. It replaces all others by a dot, and then the list would name a missing
 * file.
 */
const KEPT_NAME = /^[\w.-]+$/;

const [folder = ''] = process.argv.slice(2);
const names =
  folder === ''
    ? []
    : readdirSync(folder)
        .filter((name) => PACKAGES.test(name))
        .sort();
if (names.length === 0) {
  console.error('usage: node scripts/release/4-checksums.ts FOLDER, where the packages of all systems are');
  process.exit(1);
}
const renamed = names.find((name) => !KEPT_NAME.test(name));
if (renamed !== undefined) {
  console.error(
    `release: a release page would rename "${renamed}": give it a name of letters, digits, dots and dashes`,
  );
  process.exit(1);
}
const lines = names.map((name) => {
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
  return `${sum}  ${name}\n`;
});
writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
process.stdout.write(lines.join(''));
