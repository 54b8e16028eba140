import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CARE_FAULTS } from '../../shared/care/faults.ts';
import { EXIT, exitCodeOf, MEANINGS } from './exit-codes.ts';

it('the docs have the table of exit codes as the program has it', () => {
  const docs = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
  const rows = Object.entries(EXIT).map(([name, code]) => `| ${code} | ${MEANINGS[name as keyof typeof EXIT]} |`);
  expect(docs).toContain(['| exit code | meaning |', '|---|---|', ...rows].join('\n'));
});

it('each failure of a backup, check, restore or export ends with the code that scripts know', () => {
  const codes = Object.fromEntries(CARE_FAULTS.map((fault) => [fault, exitCodeOf(fault)]));
  expect(codes).toEqual({
    ...{ refused: 1, cancelled: 1 },
    ...{ not_a_backup: 3, damaged: 3, bad_data: 3 },
    ...{ needs_key: 4, needs_passphrase: 4, wrong_key: 4, wrong_passphrase: 4 },
    ...{ busy: 5 },
    ...{ no_file: 6, no_folder: 6, other_node: 6, no_room: 6, not_empty: 6, nothing_kept: 6 },
    ...{ newer: 7 },
  });
});
