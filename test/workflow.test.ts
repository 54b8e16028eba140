import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const FOLDER = '.github/workflows';
/** A tag can be moved to other code; a commit's hash can't. The version beside it is for people. */
const PINNED = /^[\w.-]+\/[\w.-]+(?:\/[\w./-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;

/** The action that each `uses:` of a workflow names, with its comment. */
function actionsIn(text: string): string[] {
  return Array.from(text.matchAll(/^\s*(?:-\s*)?['"]?uses['"]?\s*:\s*(.*?)\s*$/gm), ([, named = '']) => named);
}

describe.each(readdirSync(FOLDER))('the workflow %s', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');

  it('names each action by the hash of a commit', () => {
    const actions = actionsIn(text);
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(PINNED);
  });

  it('gives its token no write permission', () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\S/m);
    expect(text).not.toMatch(/:\s*write\b/);
  });
});

it('a workflow audits the packages of users', () => {
  const texts = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
  expect(texts.some((text) => /^\s*- run: npm audit --omit=dev$/m.test(text))).toBe(true);
});

it.each(['actions/checkout@v4', 'actions/checkout@main', 'actions/checkout@3d3c42e # v7.0.1', './.github/actions/own'])(
  '%s is not pinned',
  (action) => expect(actionsIn(`    steps:\n      - uses: ${action}\n`)).toEqual([expect.not.stringMatching(PINNED)]),
);
