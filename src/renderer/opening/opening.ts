import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import { perNode, useNode } from '../api/node-connection.ts';
import type { KeySession } from '../keys/session/key-session.ts';
import { forgetNonces, openReadings } from '../keys/session/opening.ts';
import { keySessionOf } from '../keys/session/page-keys.ts';
import type { KeysView } from '../keys/types.ts';
import { OpenedStore } from './opened-store.ts';
import { SparklineLoader } from './sparklines/sparkline-loader.ts';

/** How many readings stay open that no page shows: six weeks at one per minute, about 60 MB in the worker. */
const MOST_REMEMBERED = 60_000;

/** Returns a text that identifies the keys of a view. Labels and settings are not part of it. */
function keysIn({ secrets, fieldKeys }: KeysView): string {
  const ofSecrets = secrets.flatMap(({ keys }) => keys.map(({ publicKey }) => publicKey));
  const kept = fieldKeys.map(({ deviceId, keyVersion, fingerprint }) => `${deviceId}/${keyVersion}/${fingerprint}`);
  return [...ofSecrets, ...kept].join(' ');
}

/** All opened values of a node's readings, while the keys that opened them are unlocked. */
export class Opening {
  readonly store: OpenedStore;
  readonly sparklines: SparklineLoader;
  readonly #session: KeySession;
  /** The devices whose pages were closed, the earliest first. */
  readonly #left = new Set<string>();
  #keys: string | null = null;

  constructor(session: KeySession, api: OwnerApi) {
    this.#session = session;
    this.store = new OpenedStore((device, readings) => openReadings(session, device, readings));
    this.sparklines = new SparklineLoader(this.store, api);
    session.onLock(() => this.#startOver(null));
    session.subscribe(() => this.#follow());
    this.#follow();
  }

  /** Returns an identifier of the keys that open values, to detect a change; null while they are locked. */
  readonly keys = (): string | null => this.#keys;

  /** Calls back at every change of the keys. Returns a function that stops it. */
  readonly onKeysChange = (listener: () => void): (() => void) => this.#session.subscribe(listener);

  /** Call it when the page of a device is opened. Its values are kept until the page is closed. */
  hold(deviceId: string): void {
    this.#left.delete(deviceId);
  }

  /**
   * Call it when the page of a device is closed. Its values stay open, so that it opens quickly the next time. If there
   * are too many values in total, those of the pages closed longest ago are dropped. The worker remembers every nonce,
   * about 1 kB per reading. Nonces are dropped with their values, as copies can't be detected without them. Values that
   * other pages show are opened again.
   */
  release(deviceId: string): void {
    this.#left.delete(deviceId);
    this.#left.add(deviceId);
    for (const id of this.#left) {
      if (this.store.openedInAll() <= MOST_REMEMBERED) return;
      this.drop(id);
    }
  }

  /** Drops all opened values and nonces of a device that was forgotten. */
  drop(deviceId: string): void {
    this.#left.delete(deviceId);
    this.sparklines.forget(deviceId);
    this.store.drop(deviceId);
    forgetNonces(this.#session, deviceId).catch(() => {});
  }

  #follow(): void {
    const view = this.#session.view();
    const next = view === null ? null : keysIn(view);
    if (next !== this.#keys) this.#startOver(next);
  }

  #startOver(keys: string | null): void {
    this.#keys = keys;
    this.sparklines.reset();
    this.store.reset();
  }
}

/** Returns the opened values of a node's readings. */
export const openingOf = perNode((node) => new Opening(keySessionOf(node), node.api));

/** Returns the opened values of the shown node. */
export function useOpening(): Opening {
  return openingOf(useNode());
}
