import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { sbomOf } from './node-package/sbom.ts';
import { PackageError } from './node-package/target.ts';

// npm run sbom [-- FILE]: writes the software bill of materials (CycloneDX) of the packages.

const file = resolve(process.argv[2] ?? 'dist/sbom.cdx.json');
try {
  const text = sbomOf(resolve(import.meta.dirname, '..'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(file);
} catch (error) {
  if (!(error instanceof PackageError)) throw error;
  console.error(`sbom: ${error.message}`);
  process.exitCode = 1;
}
