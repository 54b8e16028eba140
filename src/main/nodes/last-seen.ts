import type { RelayedMethod } from '../../shared/owner-api/nodes.ts';

/** The limits per node: the number of answers, and the bytes of their JSON. */
const MOST_ANSWERS = 100;
const MOST_BYTES = 4 * 1024 ** 2;

/** A stored answer. */
export interface SeenAnswer {
  readonly key: string;
  /** The time of the answer, Unix milliseconds of this node's clock. */
  readonly at: number;
  readonly json: string;
  /** The start of a history's range; null for unbounded. */
  readonly from: number | null;
}

type Ranged = { readonly from?: number | null };

/**
 * The last answers of one node, so that its data stays visible while it is unreachable; the oldest are dropped first.
 */
export class LastSeen {
  readonly #answers = new Map<string, SeenAnswer>();
  #bytes = 0;

  constructor(kept: readonly SeenAnswer[] = []) {
    for (const answer of kept) this.#put(answer);
  }

  get all(): readonly SeenAnswer[] {
    return [...this.#answers.values()];
  }

  keep(method: RelayedMethod, input: unknown, json: string, at: number): void {
    const key = keyOf(method, input);
    if (key !== null) this.#put({ key, at, json, from: (input as Ranged).from ?? null });
  }

  /** Returns the last answer to a call; null if there is none, or only one for a shorter range. */
  find(
    method: RelayedMethod,
    input: unknown,
    now: number,
  ): { readonly value: unknown; readonly seenAt: number } | null {
    const key = keyOf(method, input);
    const found = key === null ? undefined : this.#answers.get(key);
    if (found === undefined) return null;
    const { from } = input as Ranged;
    if (method === 'history' && found.from !== null && (from === null || from === undefined || from < found.from)) {
      return null;
    }
    const value: unknown = JSON.parse(found.json);
    // The node's clock has advanced since then.
    if (hasNow(value)) value.now += Math.max(0, now - found.at);
    return { value, seenAt: found.at };
  }

  #put(answer: SeenAnswer): void {
    this.#drop(answer.key);
    this.#answers.set(answer.key, answer);
    this.#bytes += answer.json.length;
    for (const key of this.#answers.keys()) {
      if (this.#answers.size <= MOST_ANSWERS && this.#bytes <= MOST_BYTES) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#answers.get(key)?.json.length ?? 0;
    this.#answers.delete(key);
  }
}

function hasNow(value: unknown): value is { now: number } {
  return typeof value === 'object' && value !== null && 'now' in value && typeof value.now === 'number';
}

/**
 * Returns the key of an answer, which is the same for the same question at another time; null if the answer is not
 * stored.
 */
function keyOf(method: RelayedMethod, input: unknown): string | null {
  switch (method) {
    case 'nodeInfo':
    case 'overview':
    case 'alerts':
    case 'alertRules':
    case 'ownerChoices':
    case 'tasks':
    case 'cycles':
      return method;
    case 'device':
    case 'history':
      return `${method} ${(input as { id: string }).id}`;
    case 'journal':
      return `${method} ${(input as { device: string | null }).device}`;
    case 'latestReadings': {
      const { id, limit } = input as { id: string; limit: number };
      return `${method} ${id} ${limit}`;
    }
    case 'readingsPage': {
      const { id, cursor, limit } = input as { id: string; cursor: string | null; limit: number };
      return cursor === null ? `${method} ${id} ${limit}` : null;
    }
    default:
      return null;
  }
}
