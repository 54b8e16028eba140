import { deviceName } from '../../../shared/display-text.ts';
import type { DeviceSummary } from '../../../shared/owner-api/devices.ts';
import type { Overview } from '../../../shared/owner-api/overview.ts';

/** A notice for the owner while the window is hidden. */
export type Notice =
  | { readonly kind: 'silent'; readonly device: string; readonly name: string; readonly since: number }
  | { readonly kind: 'knocking'; readonly device: string }
  | { readonly kind: 'store' };

/** A failing store is reported at most once in this time. */
const STORE_AGAIN_MS = 3_600_000;
const ACTIVE = 0;

/**
 * Finds the changes between two overviews. The window shows the state at the first overview: otherwise each start would
 * notify of everything that happened while the app was off.
 */
export class NoticeWatch {
  #silent: Set<string> | null = null;
  #knocking: Set<string> | null = null;
  #storeToldAt = Number.NEGATIVE_INFINITY;

  /** Returns the changes in this overview. */
  look({ now, devices, unregistered }: Pick<Overview, 'now' | 'devices' | 'unregistered'>): Notice[] {
    const silent = devices.filter((device) => isSilent(device, now));
    const knocking = unregistered.filter(({ isOurs }) => isOurs).map(({ id }) => id);
    const notices: Notice[] = [];
    if (this.#silent !== null) {
      for (const device of silent) {
        if (this.#silent.has(device.id)) continue;
        notices.push({ kind: 'silent', device: device.id, name: deviceName(device), since: device.lastReceivedAt! });
      }
    }
    if (this.#knocking !== null) {
      for (const id of knocking) {
        if (!this.#knocking.has(id)) notices.push({ kind: 'knocking', device: id });
      }
    }
    this.#silent = new Set(silent.map(({ id }) => id));
    // An id is announced only once, since the list may drop it and find it again.
    this.#knocking = new Set([...(this.#knocking ?? []), ...knocking]);
    return notices;
  }

  /** Call this when a store refused a write at `now` (Unix milliseconds). */
  storeFailed(now: number): Notice[] {
    if (now - this.#storeToldAt < STORE_AGAIN_MS) return [];
    this.#storeToldAt = now;
    return [{ kind: 'store' }];
  }
}

/** Returns whether a device of the owner is silent and should not be. */
function isSilent({ mine, notes, lastReceivedAt, silentAfterMs }: DeviceSummary, now: number): boolean {
  return mine && notes.status === ACTIVE && lastReceivedAt !== null && now - lastReceivedAt > silentAfterMs;
}
