import { foldWord, type WordList } from './languages.ts';

const MAX_DISTANCE = 2;
const MAX_OFFERED = 5;
/** The first four letters name a word of the Latin lists; whoever got them right had that word in mind. */
const TELLING_LETTERS = 4;

/**
 * The list words that somebody may have meant by a word that is in none of the lists, the likeliest first, at most five,
 * in composed characters. A word of one character (Chinese) has no near ones: every other would be as near.
 */
export function nearWords(typed: string, lists: readonly WordList[]): string[] {
  const folded = foldWord(typed);
  if ([...folded].length < 2) return [];
  const found = new Map<string, number>();
  for (const list of lists) {
    for (const [candidate, word] of list.byFold) {
      const score = scoreOf(folded, candidate);
      if (score <= MAX_DISTANCE) found.set(word, Math.min(score, found.get(word) ?? score));
    }
  }
  // Of words as near, the one that begins the same: a slip of the hand seldom hits the first letter.
  const ranked = [...found]
    .map(([word, score]) => ({ word, score, shared: sharedBeginning(folded, foldWord(word)) }))
    .sort((a, b) => a.score - b.score || b.shared - a.shared || (a.word < b.word ? -1 : 1));
  return ranked.slice(0, MAX_OFFERED).map(({ word }) => word.normalize('NFC'));
}

function sharedBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** Smaller is nearer; above `MAX_DISTANCE` is not near at all. */
function scoreOf(folded: string, candidate: string): number {
  if (candidate.length < 2) return Number.POSITIVE_INFINITY;
  const distance = editDistance(folded, candidate);
  if (candidate.startsWith(folded)) return Math.min(distance, 0.5);
  const beginning = candidate.slice(0, TELLING_LETTERS);
  if (beginning.length === TELLING_LETTERS && folded.startsWith(beginning)) return Math.min(distance, 1.5);
  // Two edits make any other word out of a short one.
  return distance === MAX_DISTANCE && folded.length <= 3 ? Number.POSITIVE_INFINITY : distance;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment). */
function editDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > MAX_DISTANCE) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[to.length]!;
}
