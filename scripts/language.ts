import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Finds sentences that a native reader has to decode: npm run language, a part of `npm run check`. The rule is in
// CONTRIBUTING.md: subject, verb, object. The patterns below are the most frequent violations.

/** A pattern and its advice. */
interface Pattern {
  readonly find: RegExp;
  readonly advice: string;
}

/** Phrases that are searched for in every line of code and documentation. */
export const PHRASES: readonly Pattern[] = [
  { find: /\bthat of which\b/i, advice: 'name the thing' },
  { find: /\b(?:came|come|comes) of\b/i, advice: '"follows from", "is the result of"' },
  { find: /\b(?:become|becomes|became) of\b/i, advice: '"the outcome of"' },
  { find: /\b(?:is|are|was|were|be|been) had\b/i, advice: '"is available", "exists"' },
  { find: /\btold of\b/i, advice: '"hears about", "is reported"' },
  { find: /\b(?:anew|hitherto|thereof|whereof|wherein)\b/, advice: '"again", "so far", "of it"' },
  { find: /\bin vain\b/i, advice: '"without success", "a wrong try"' },
  { find: /\bnor the other way\b/i, advice: '"nor the reverse"' },
  { find: /\bas far as can be told\b/i, advice: '"counts as", "as far as the system reports"' },
  { find: /\bwhoever\b/i, advice: '"anyone who", "the owner", "the client that"' },
  { find: /\bgo(?:es)? by (?:the|its|when|what|arrival|whether)\b/i, advice: '"uses", "follows"' },
  { find: /\btells? of\b/i, advice: '"reports"' },
  { find: /\bsaid of\b/i, advice: '"said about", "applies to"' },
  { find: /\bhear[ds]? of\b/i, advice: '"gets the event", "notices"' },
  { find: /\bgives? back\b/i, advice: '"returns"' },
  { find: /\bonce more\b(?! than)/i, advice: '"again"' },
  { find: /\bno concern of\b/i, advice: '"does not apply to"' },
  { find: /\bbut for (?:the|its|their|those|one|some|what)\b/i, advice: '"except"' },
  {
    find: /\b(?:is|are) told (?:as|at once|from|with|once|so)\b/i,
    advice: '"is reported as", "is distinguished from"',
  },
  { find: /\bthat there is not\b/i, advice: '"that does not exist", "unknown"' },
];

/** Beginnings of doc comments that form no sentence and name no thing. */
export const BEGINNINGS: readonly Pattern[] = [
  { find: /^What\b/, advice: 'name the thing: "The outcome of …", or say the action: "Returns …"' },
  { find: /^(?:Of|Those|Beside)\b/, advice: 'begin with the noun: "The size of …", "The devices that …"' },
  { find: /^(?:null|true|false|undefined):/, advice: '"null if …"' },
  { find: /^(?:To be called|Told)\b/, advice: '"Call this when …", "Called for …"' },
  { find: /^Called where\b/, advice: '"Called when …", "Called if …"' },
  { find: /^(?:Said|Behind|Else|Also)\b/, advice: 'write a sentence with subject and verb' },
];

/** Parts of lines that may stay: quotations, and words of the page that translators know. */
const ALLOWED: readonly string[] = [];

/** Generated files, and records of what was said at that time. */
const NOT_READ =
  /^(?:CHANGELOG\.md|package-lock\.json|src\/shared\/texts\/english\.ts|scripts\/language\.ts|test\/language\.test\.ts)$/;
const READ = /\.(?:[cm]?[jt]sx?|md|sh|service|json)$/;

/** Returns a line for each finding in a file's text, with the file's name and the number of the line. */
export function findingsIn(file: string, text: string): string[] {
  const found: string[] = [];
  const report = (at: number, words: string, { advice }: Pattern) => found.push(`${file}:${at}: "${words}": ${advice}`);
  for (const [index, line] of text.split('\n').entries()) {
    if (ALLOWED.some((allowed) => line.includes(allowed))) continue;
    for (const phrase of PHRASES) {
      const words = phrase.find.exec(line)?.[0];
      if (words !== undefined) report(index + 1, words, phrase);
    }
  }
  if (!/\.[cm]?[jt]sx?$/.test(file)) return found;
  for (const { 1: comment = '', index } of text.matchAll(/\/\*\*\s*(?:\*\s)?([\s\S]*?)\*\//g)) {
    const beginning = BEGINNINGS.find(({ find }) => find.test(comment));
    const at = text.slice(0, index).split('\n').length;
    if (beginning !== undefined) report(at, comment.slice(0, 40).split('\n')[0]!.trim(), beginning);
  }
  return found;
}

function main(): void {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  const files = stdout.trim().split('\n');
  const found: string[] = [];
  for (const file of files.filter((name) => READ.test(name) && !NOT_READ.test(name))) {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      continue; // Deleted, and still in git's index.
    }
    found.push(...findingsIn(file, text));
  }
  for (const line of found) console.error(line);
  if (found.length > 0) console.error(`${found.length} sentences to say more plainly (scripts/language.ts)`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

if (import.meta.main) main();
