import type { FieldName } from '../../protocol/fields.ts';

/** The field of a reading that a nonce was used for. */
export interface NoncePlace {
  readonly seq: string;
  readonly field: FieldName;
  /** Unix milliseconds of the node's clock. */
  readonly receivedAt: number;
}

/**
 * The nonces of the encrypted fields of one device, to detect copies. Fields are not signed: anyone who has an
 * encrypted field can put it into another field or reading, where it would decrypt as well. A device uses a new nonce
 * for every field. So at most one place with a nonce is genuine: the one that this node received first. If the first
 * two arrived in the same millisecond, as two fields of one reading do, they can't be distinguished, and neither
 * counts.
 *
 * It knows only the nonces that it was given: a copy passes if its original was never noted. Note only fields whose tag
 * matches: a forged field must not invalidate a genuine one by using its nonce.
 */
export class NonceRegistry {
  readonly #places = new Map<string, NoncePlace | NoncePlace[]>();

  /** The number of stored nonces, at about 150 bytes each. */
  get size(): number {
    return this.#places.size;
  }

  /**
   * Notes the place of a nonce (hex). The same field of the same reading is not a copy. Returns the place that counted
   * as genuine until now and no longer does, if any: its shown value must be withdrawn.
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
    // Both stores can have a reading, received at different times.
    else if (place.receivedAt < places[index]!.receivedAt) places[index] = place;
    this.#places.set(nonce, places.length === 1 ? places[0]! : places);
    const after = genuineOf(places);
    return before !== null && (after === null || !isSame(before, after)) ? before : null;
  }

  /** Returns whether a noted place is a copy, or can't be distinguished from one. */
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
