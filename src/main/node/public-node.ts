import type { Logger } from 'pino';
import { PublicMetrics } from '../bridge/public-metrics.ts';
import { SharedRetention } from '../care/retention/shared-retention.ts';
import { NodeClock } from '../clock/node-clock.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap } from '../common/node-events.ts';
import { StartError } from '../common/start-error.ts';
import { VERSION } from '../common/version.ts';
import { PublicListener } from '../http/listeners/public-listener.ts';
import { answersOf, refusalsOf } from '../http/refusals.ts';
import type { Settings } from '../settings/settings.ts';
import { Intakes } from './intakes.ts';
import { Listeners } from './listeners.ts';
import { NodeFolder } from './node-folder.ts';
import { Parts } from './part.ts';
import { Pulse } from './pulse.ts';
import { sharedLogOf, sharedReportOf, sharedStoreOf } from './shared-report.ts';
import { Stores } from './stores.ts';

/**
 * A node that serves only the public endpoint, over a shared store (`LOCAL_ENABLED=false`). It has no private store, no
 * owner and no page.
 */
export class PublicNode {
  readonly #log: Logger;
  readonly #folder: NodeFolder;
  readonly #listeners: Listeners;
  readonly #pulse: Pulse;
  readonly #parts: Parts;

  /** Throws StartError if the settings name no shared store. */
  constructor(settings: Settings, log: Logger) {
    if (!settings.publicEnabled || settings.publicStoreUrl === null) {
      throw new StartError('LOCAL_ENABLED is false: set PUBLIC_STORE_URL, and leave the public endpoint on');
    }
    const events = new EventBus<NodeEventMap>(log);
    const folder = new NodeFolder(settings, log);
    const clock = new NodeClock({ folder, events, log });
    const stores = new Stores({
      ...{ folder, settings, log, events, alsoShown: false, hasPrivate: false },
      beforeMigration: async () => {},
    });
    const intakes = new Intakes({ folder, stores, settings, log, events, clock });
    const retention = new SharedRetention({
      ...{ store: () => stores.find('public'), keepDays: settings.publicKeepDays, clock, log },
    });
    const listener = new PublicListener({
      ...{ log, settings },
      onRefused: refusalsOf(events, 'public'),
      onAnswered: answersOf(events, 'public'),
    });
    this.#log = log;
    this.#folder = folder;
    this.#listeners = new Listeners({ kinds: [listener], intakes, settings, log, events });
    this.#pulse = new Pulse({ dataDir: folder.path, stores, events });
    const sharedLog = sharedLogOf({ folder, stores, clock, log });
    const shared = sharedStoreOf({ folder, stores, intakes });
    const metrics = new PublicMetrics({
      ...{ folder, settings, events, log, clock, shared, nodePublicKey: () => folder.identity.publicKey },
    });
    const report = sharedReportOf({ stores, intakes, events, log, clock, url: () => this.urls.publicUrl });
    this.#parts = new Parts(log, [
      ...[folder, clock, stores, this.#pulse, intakes, retention, sharedLog, report, metrics, this.#listeners],
    ]);
  }

  /** The URL of its listener; available after the start. */
  get urls(): { readonly publicUrl: string | null } {
    return { publicUrl: this.#listeners.urls.public };
  }

  /** The state of the node for a supervisor. */
  get pulse(): Pick<Pulse, 'vitals' | 'status'> {
    return this.#pulse;
  }

  /** Starts the node. Rejects with StartError, with all parts stopped, if it can't start. */
  async start(): Promise<void> {
    await this.#parts.start();
    const { publicKey } = this.#folder.identity;
    const started = { version: VERSION, publicKey, ...this.urls, localUrl: null, dataDir: this.#folder.path };
    this.#log.info(started, 'node started');
  }

  /** Stops the listener, finishes requests in flight (at most 5 s), and closes. */
  async stop(): Promise<void> {
    await this.#parts.stop();
    this.#log.info('node stopped');
  }
}
