import type { z } from 'zod';
import { OwnerError } from '../../common/owner-error.ts';

/**
 * A list of the owner's in the private store. Items that this version can't read stay in it, for the version that wrote
 * them.
 */
export class KeptList<T extends { readonly id: string }> {
  readonly items: readonly T[];
  readonly #unread: readonly unknown[];
  readonly #what: string;

  /** `what` is the word for an item in errors. */
  constructor(value: unknown, schema: z.ZodType<T>, what: string) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [];
    const parsed = list.map((each) => ({ each, result: schema.safeParse(each) }));
    this.items = parsed.flatMap(({ result }) => (result.success ? [result.data] : []));
    this.#unread = parsed.flatMap(({ each, result }) => (result.success ? [] : [each]));
    this.#what = what;
  }

  /** Throws OwnerError if there is no such item. */
  find(id: string): T {
    const found = this.items.find((item) => item.id === id);
    if (found === undefined) throw new OwnerError('not_found', `there is no such ${this.#what}`);
    return found;
  }

  /** Returns the list with an item in the place of its former version, or at the end. */
  with(item: T): unknown {
    const isNew = !this.items.some(({ id }) => id === item.id);
    return [
      ...this.items.map((each) => (each.id === item.id ? item : each)),
      ...(isNew ? [item] : []),
      ...this.#unread,
    ];
  }

  without(id: string): unknown {
    return [...this.items.filter((item) => item.id !== id), ...this.#unread];
  }
}
