import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import { perNode, useNode } from '../api/node-connection.ts';
import type { KeySession } from '../keys/session/key-session.ts';
import { forgetNonces, openReadings } from '../keys/session/opening.ts';
import { keySessionOf } from '../keys/session/page-keys.ts';
import type { KeysView } from '../keys/session/types.ts';
import { OpenedStore } from './opened-store.ts';
import { SparklineLoader } from './sparkline-loader.ts';

/** If more readings than this were opened, a device's values are dropped when its page is left. */
const MOST_REMEMBERED = 5000;

/** A text that identifies the keys of a view; labels and settings don't matter. */
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
  #keys: string | null = null;

  constructor(session: KeySession, api: OwnerApi) {
    this.#session = session;
    this.store = new OpenedStore((device, readings) => openReadings(session, device, readings));
    this.sparklines = new SparklineLoader(this.store, api);
    session.onLock(() => this.#startOver(null));
    session.subscribe(() => this.#follow());
    this.#follow();
  }

  /** An identifier of the keys that values are opened with, to notice a change; null while they are locked. */
  readonly keys = (): string | null => this.#keys;

  /** Calls back on every change of the keys. Returns a function that unsubscribes. */
  readonly onKeysChange = (listener: () => void): (() => void) => this.#session.subscribe(listener);

  /**
   * Called when the page of a device is left. The worker remembers every nonce of a long range, about 1 kB per
   * reading. They are dropped together with the values, since copies could not be detected without them; values that
   * other pages show are opened again.
   */
  release(deviceId: string): void {
    if (this.store.openedOf(deviceId) > MOST_REMEMBERED) this.drop(deviceId);
  }

  /** Drops all opened values and nonces of a device that was forgotten. */
  drop(deviceId: string): void {
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

const openingOf = perNode((node) => new Opening(keySessionOf(node), node.api));

/** The opened values of the node that is shown. */
export function useOpening(): Opening {
  return openingOf(useNode());
}
