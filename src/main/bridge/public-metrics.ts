import type { Logger } from 'pino';
import type { Clock } from '../common/clock.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { Settings } from '../settings/settings.ts';
import { exposition } from './metrics/exposition.ts';
import { Meters } from './metrics/meters.ts';
import { MetricsListener } from './metrics/metrics-listener.ts';
import { nodeFamilies } from './metrics/node-families.ts';
import { sharedFamilies } from './metrics/shared-families.ts';
import { operatorPage } from './operator-page.ts';
import type { SharedStore } from './shared-store.ts';

export interface PublicMetricsDependencies {
  readonly folder: { readonly path: string };
  readonly settings: Settings;
  readonly events: NodeEvents;
  readonly log: Logger;
  readonly clock: Clock & { readonly info: { readonly state: Parameters<typeof nodeFamilies>[0]['clock'] } };
  readonly nodePublicKey: () => string;
  readonly shared: SharedStore;
}

/** Metrics and the operator's page of a node that serves only the public endpoint; a part of such a node. */
export class PublicMetrics {
  readonly name = 'metrics';
  readonly #dependencies: PublicMetricsDependencies;
  readonly #meters = new Meters();
  readonly #listener: MetricsListener;

  constructor(dependencies: PublicMetricsDependencies) {
    const { log, events, shared, clock } = dependencies;
    this.#dependencies = dependencies;
    this.#listener = new MetricsListener({
      ...{ log, events, onChange: () => {} },
      write: async (format) => exposition(await this.#families(), format),
      page: async (query) => operatorPage(await shared.operator(), clock.now(), query),
    });
  }

  async start(): Promise<void> {
    const { settings, events } = this.#dependencies;
    if (settings.metricsPort === null) return;
    this.#meters.start(events);
    await this.#listener.apply(settings, settings.metricsToken);
  }

  async stop(): Promise<void> {
    await this.#listener.stop();
    this.#meters.stop();
    await this.#dependencies.shared.close();
  }

  async #families() {
    const { folder, clock, nodePublicKey, shared } = this.#dependencies;
    const facts = await shared.facts();
    const node = await nodeFamilies({
      ...{
        node: nodePublicKey(),
        dataDir: folder.path,
        alerts: [],
        backupAt: null,
        clock: clock.info.state,
        mqtt: null,
      },
      storeBytes: new Map(facts.database === null ? [] : [['public', facts.database.bytes]]),
    });
    return [...node, ...sharedFamilies(facts), ...this.#meters.families];
  }
}
