import { expect, it } from 'vitest';
import { findingsIn } from '../scripts/language.ts';

it.each([
  ['a phrase in a comment', '// What became of it is in the log.', 1],
  ['a phrase in a message', "log.info('a port can’t be had');", 1],
  ['a phrase in a document', 'The keys come of the phrase.', 1],
  ['"whoever"', '// Whoever reads it.', 1],
  ['a test title', "it('goes by its arrival', () => {});", 1],
  ['an exception', '// All of it but for the lock.', 1],
  ['a report', '// The node tells of it.', 1],
  ['a doc comment that begins with "What"', '/** What a rule is for. */', 1],
  ['a doc comment over several lines', '/**\n * Of the settings;\n * null: the system’s.\n */', 1],
  ['a doc comment that says only null', 'a;\n/** null: none. */', 2],
  ['a doc comment to be called', '/** To be called at a stop. */', 1],
  ['a doc comment that says where it is called', '/** Called where a device is refused. */', 1],
  ['a doc comment without a subject', '/** Said again once a minute. */', 1],
])('%s is found', (_name, text, line) => {
  expect(findingsIn('a.ts', text)).toEqual([expect.stringMatching(`^a.ts:${line}: `)]);
});

it.each([
  ['a noun', '/** The outcome of a batch. */'],
  ['an action', '/** Returns null if the device is not registered. */'],
  ['whether', '/** Whether the gate listens. */'],
  ['a word inside another', 'const whereOfThem = income.of(outcome);'],
  ['a ratio', '// It takes some 150 bytes, once more than that for a copy.'],
  ['code', 'const What = 1; /* Of */'],
])('%s is not', (_name, text) => {
  expect(findingsIn('a.ts', text)).toEqual([]);
});
