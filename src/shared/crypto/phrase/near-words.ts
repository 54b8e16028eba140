import { foldWord, type WordList } from './languages.ts';

const MAX_DISTANCE = 2;
const MAX_OFFERED = 5;
/** The first four letters identify a word of the Latin lists: anyone who typed them right meant that word. */
const TELLING_LETTERS = 4;

/**
 * Returns the list words that a person may have meant by a word that is in no list: at most five, the likeliest first,
 * in composed characters. A word of one character (Chinese) has no near words: all others would be equally near.
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
  // Among equally near words, those with the same beginning come first: a typing error seldom changes the first letter.
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

/** Returns how near a word is; smaller is nearer. Above `MAX_DISTANCE` it is not near. */
function scoreOf(folded: string, candidate: string): number {
  if (candidate.length < 2) return Number.POSITIVE_INFINITY;
  const distance = editDistance(folded, candidate);
  if (candidate.startsWith(folded)) return Math.min(distance, 0.5);
  const beginning = candidate.slice(0, TELLING_LETTERS);
  if (beginning.length === TELLING_LETTERS && folded.startsWith(beginning)) return Math.min(distance, 1.5);
  // Two edits change a short word into almost any other.
  return distance === MAX_DISTANCE && folded.length <= 3 ? Number.POSITIVE_INFINITY : distance;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string
 * alignment).
 */
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
