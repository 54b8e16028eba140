import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { EXIT, MEANINGS } from './exit-codes.ts';

it('the docs have the table of exit codes as the program has it', () => {
  const docs = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  const rows = Object.entries(EXIT).map(([name, code]) => `| ${code} | ${MEANINGS[name as keyof typeof EXIT]} |`);
  expect(docs).toContain(['| exit code | meaning |', '|---|---|', ...rows].join('\n'));
});
