import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXTS = join(import.meta.dirname, '..', 'src', 'shared', 'texts');
const TYPES = join(TEXTS, 'english.ts');

/**
 * Returns the type of the English texts, with each text as a literal: TypeScript sees only strings in an imported JSON
 * file.
 */
function englishTypes(): string {
  const namespaces = readdirSync(join(TEXTS, 'en')).map((file) => {
    const texts = readFileSync(join(TEXTS, 'en', file), 'utf8').trimEnd();
    return `  ${file.replace('.json', '')}: ${texts.replaceAll('\n', '\n  ')};\n`;
  });
  return `// Written by \`npm run texts\` from en/*.json; not in git.\nexport interface English {\n${namespaces.join('')}}\n`;
}

/** Writes the types if they are missing or out of date. */
export function writeEnglishTypes(): void {
  const types = englishTypes();
  if (!existsSync(TYPES) || readFileSync(TYPES, 'utf8') !== types) writeFileSync(TYPES, types);
}

if (import.meta.main) writeEnglishTypes();
