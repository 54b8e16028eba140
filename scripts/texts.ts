import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXTS = join(import.meta.dirname, '..', 'src', 'shared', 'texts');
const TYPES = join(TEXTS, 'english.ts');

/** The type of the English texts, with each text itself: TypeScript sees mere strings in an imported JSON file. */
export function englishTypes(): string {
  const namespaces = readdirSync(join(TEXTS, 'en')).map((file) => {
    const texts = readFileSync(join(TEXTS, 'en', file), 'utf8').trimEnd();
    return `  ${file.replace('.json', '')}: ${texts.replaceAll('\n', '\n  ')};\n`;
  });
  return `// Written by \`npm run texts\` from en/*.json; not to be edited.\nexport interface English {\n${namespaces.join('')}}\n`;
}

if (import.meta.main) writeFileSync(TYPES, englishTypes());
