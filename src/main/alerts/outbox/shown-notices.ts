import type { Clock } from '../../common/clock.ts';

/** A tab in the background of a busy machine has answered by then. */
const ANSWER_WITHIN_MS = 6000;
/** The time for another view to show a notification that the first could not show. */
const OTHERS_WITHIN_MS = 1000;

/** The notifications that were passed to the open views and that no view has confirmed yet. */
export class ShownNotices {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<(isShown: boolean) => void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Passes a notification to the views. Resolves with whether a view showed it. */
  async hand(id: string, hand: () => void, signal: AbortSignal): Promise<boolean> {
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const refuse = () => resolve(false);
    let endTimer = this.#clock.after(ANSWER_WITHIN_MS, refuse);
    const answer = (isShown: boolean) => {
      if (isShown) resolve(true);
      else {
        endTimer();
        endTimer = this.#clock.after(OTHERS_WITHIN_MS, refuse);
      }
    };
    waiting.add(answer);
    signal.addEventListener('abort', refuse);
    hand();
    const isShown = await promise;
    endTimer();
    signal.removeEventListener('abort', refuse);
    waiting.delete(answer);
    if (waiting.size === 0) this.#waiting.delete(id);
    return isShown;
  }

  /** Call this with a view's answer whether it showed a notification. */
  answer(id: string, isShown: boolean): void {
    for (const answer of this.#waiting.get(id) ?? []) answer(isShown);
  }
}
