import type { FieldName } from '../../protocol/fields.ts';

/** Where a nonce stood. */
export interface NoncePlace {
  readonly seq: string;
  readonly field: FieldName;
  /** Unix milliseconds of the node's clock. */
  readonly receivedAt: number;
}

/**
 * The nonces that opened fields of one device were sealed with, to tell copies: fields are not signed, so whoever holds
 * a sealed field can put it into another field or reading, where it would open as well. A device draws a fresh nonce for
 * every field, so of all places with one nonce at most the one that this node received first is genuine. Where the first
 * two arrived in the same millisecond, as two fields of one reading do, none can be told from the other, and none counts.
 *
 * It remembers what it was shown and nothing else: a copy whose original was never shown to it passes. Show it only
 * fields whose tag fits: a forged field must not be able to void a genuine one by carrying its nonce.
 */
export class NonceRegistry {
  readonly #places = new Map<string, NoncePlace | NoncePlace[]>();

  /** How many nonces it remembers, at some 150 bytes each. */
  get size(): number {
    return this.#places.size;
  }

  /**
   * Notes a place of a nonce (hex). The same reading's same field, seen again, is no copy. Returns the place that counted
   * as genuine until now and no longer does, if any: what was shown of it is to be taken back.
   */
  note(nonce: string, place: NoncePlace): NoncePlace | null {
    const known = this.#places.get(nonce);
    if (known === undefined) {
      this.#places.set(nonce, place);
      return null;
    }
    const before = genuineOf(known);
    const places = Array.isArray(known) ? known : [known];
    const index = places.findIndex((other) => isSame(other, place));
    if (index === -1) places.push(place);
    // Both stores can hold a reading, received at two times.
    else if (place.receivedAt < places[index]!.receivedAt) places[index] = place;
    this.#places.set(nonce, places.length === 1 ? places[0]! : places);
    const after = genuineOf(places);
    return before !== null && (after === null || !isSame(before, after)) ? before : null;
  }

  /** Whether a place that was noted is a copy, or can't be told from one. */
  isCopy(nonce: string, place: Pick<NoncePlace, 'seq' | 'field'>): boolean {
    const known = this.#places.get(nonce);
    if (known === undefined) return false;
    const genuine = genuineOf(known);
    return genuine === null || !isSame(genuine, place);
  }

  clear(): void {
    this.#places.clear();
  }
}

function genuineOf(places: NoncePlace | readonly NoncePlace[]): NoncePlace | null {
  if (!Array.isArray(places)) return places as NoncePlace;
  let first: NoncePlace | null = null;
  let isTied = false;
  for (const place of places as readonly NoncePlace[]) {
    if (first === null || place.receivedAt < first.receivedAt) {
      first = place;
      isTied = false;
    } else if (place.receivedAt === first.receivedAt) isTied = true;
  }
  return isTied ? null : first;
}

function isSame(a: Pick<NoncePlace, 'seq' | 'field'>, b: Pick<NoncePlace, 'seq' | 'field'>): boolean {
  return a.seq === b.seq && a.field === b.field;
}
