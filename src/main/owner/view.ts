import type { FastifyInstance } from 'fastify';
import { DemoDevices } from './api/demo.ts';
import { OwnerEvents } from './api/events.ts';
import { OwnerService, type OwnerServiceDependencies } from './api/service.ts';
import { forgetUiAddress, keepUiAddress } from './page/ui-address.ts';
import { rendererDir, type UiFiles, uiFilesIn } from './page/ui-files.ts';
import { linkOf, loadOrCreateUiToken } from './page/ui-token.ts';
import { localUiRoutes } from './transports/web.ts';

export interface OwnerViewDependencies extends Omit<OwnerServiceDependencies, 'demo' | 'events' | 'nodeInfo'> {
  readonly ownerView: 'browser' | 'desktop';
  /** Replaces the token of the view in the browser. */
  readonly newUiToken: boolean;
  /** Called at each use: addresses are known once the node listens. */
  readonly nodeInfo: () => Omit<ReturnType<OwnerServiceDependencies['nodeInfo']>, 'ownerView'>;
}

/** The options of serving the view to a browser. */
interface BrowserOptions {
  readonly token: string;
  readonly files: UiFiles;
}

/**
 * The owner's view of a node: the service that answers its calls, and for a browser the token and the routes. `start`
 * throws StartError if the token or the built page can't be read.
 */
export class OwnerView {
  readonly name = "owner's view";
  /** Starts after the listeners and stops before them. */
  readonly whileListening = {
    name: "owner's calls",
    start: () => this.#listening(),
    stop: () => this.#stopping(),
  };
  readonly #dependencies: OwnerViewDependencies;
  #browser: BrowserOptions | null = null;
  #service: OwnerService | null = null;

  constructor(dependencies: OwnerViewDependencies) {
    this.#dependencies = dependencies;
  }

  /** The service that answers owner calls; null before the start. */
  get service(): OwnerService | null {
    return this.#service;
  }

  /** The link that opens the view in a browser, as secret as its token; null if no browser is served. */
  get link(): string | null {
    return this.#browser === null ? null : linkOf(this.#dependencies.nodeInfo().localUrl, this.#browser.token);
  }

  /** Adds the routes for a browser to a listener, if one is served. */
  addRoutes(app: FastifyInstance): void {
    if (this.#browser !== null) localUiRoutes(app, { service: this.#service!, ...this.#browser });
  }

  start(): void {
    const { ownerView, newUiToken, nodeInfo, ...dependencies } = this.#dependencies;
    if (ownerView === 'browser') {
      const token = loadOrCreateUiToken(nodeInfo().dataDir, newUiToken);
      this.#browser = { token, files: uiFilesIn(rendererDir()) };
    }
    this.#service = new OwnerService({
      ...dependencies,
      nodeInfo: () => ({ ...nodeInfo(), ownerView }),
      events: new OwnerEvents(dependencies.nodeEvents),
      demo: new DemoDevices(dependencies.log),
    });
  }

  async stop(): Promise<void> {
    await this.#service?.close();
    this.#service = null;
  }

  #listening(): void {
    const keep = () => {
      const { dataDir, localUrl } = this.#dependencies.nodeInfo();
      if (this.#browser !== null) keepUiAddress(dataDir, localUrl);
    };
    keep();
    this.#dependencies.nodeEvents.on('listenersChanged', keep);
  }

  #stopping(): void {
    forgetUiAddress(this.#dependencies.nodeInfo().dataDir);
    this.#service?.stopSoon();
  }
}
