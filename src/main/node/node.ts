import type { Logger } from 'pino';
import { Alerts } from '../alerts/alerts.ts';
import { postMessage } from '../alerts/channels/request.ts';
import { Audit } from '../audit/audit.ts';
import { Bridge } from '../bridge/bridge.ts';
import { bridgeHandlers } from '../bridge/handlers.ts';
import type { Care } from '../care/care.ts';
import { exportHandlers } from '../care/export-handlers.ts';
import { Exports } from '../care/exports.ts';
import { Retention } from '../care/retention/retention.ts';
import { SharedRetention } from '../care/retention/shared-retention.ts';
import { ArrivalMoves } from '../clock/arrival-moves.ts';
import type { MachineClocks } from '../clock/machine-clocks.ts';
import { NodeClock } from '../clock/node-clock.ts';
import { EventBus } from '../common/event-bus.ts';
import type { NodeEventMap, NodeEvents } from '../common/node-events.ts';
import { VERSION } from '../common/version.ts';
import { Door } from '../door/door.ts';
import { doorHandlers } from '../door/door-handlers.ts';
import { LocalListener } from '../http/listeners/local-listener.ts';
import { PublicListener } from '../http/listeners/public-listener.ts';
import { answersOf, refusalsOf } from '../http/refusals.ts';
import { DevicePages } from '../lan/device-pages.ts';
import { nodesHandlers } from '../nodes/handlers.ts';
import { OtherNodes } from '../nodes/other-nodes.ts';
import { ownAddresses } from '../owner/api/addresses.ts';
import { devicePageHandlers } from '../owner/api/device-pages.ts';
import { gateHandlers } from '../owner/api/gate.ts';
import { retentionHandlers } from '../owner/api/retention.ts';
import type { OwnerService } from '../owner/api/service.ts';
import type { Handlers, HostMethod } from '../owner/handlers.ts';
import { OwnerView } from '../owner/view.ts';
import { Checkpoints } from '../proof/checkpoints.ts';
import { brokenLogs } from '../proof/log-findings.ts';
import { outletsOf } from '../proof/outlet-kinds.ts';
import { refusedLogs, Witness } from '../proof/witness.ts';
import type { Settings } from '../settings/settings.ts';
import { Claims } from './claims.ts';
import { Exposure } from './exposure.ts';
import { Gate } from './gate.ts';
import { Intakes } from './intakes.ts';
import { Listeners } from './listeners.ts';
import { NodeFolder } from './node-folder.ts';
import { Parts } from './part.ts';
import { Pulse } from './pulse.ts';
import { Security } from './security.ts';
import { sharedLogOf, sharedReportOf, sharedStoreOf } from './shared-report.ts';
import { Stores } from './stores.ts';
import { witnessNodes } from './witness-nodes.ts';

/** The options of a node that are not settings. */
export interface NodeOptions {
  /** The place of the owner's view; null if there is none. */
  readonly ownerView: 'browser' | 'desktop' | null;
  /** Replaces the token of the view in the browser. */
  readonly newUiToken?: boolean;
  /** The handlers of owner calls about the program around the node. */
  readonly hostHandlers: Handlers<HostMethod>;
  /** The care of the data, which makes backups while the node runs. */
  readonly care?: Care;
  /** Replaces the machine's clocks, in tests. */
  readonly machineClocks?: MachineClocks;
}

/** A node: its parts in the order of their start. */
export class Node {
  readonly events: NodeEvents;
  #settings: Settings;
  #language: Settings['language'];
  readonly #log: Logger;
  readonly #folder: NodeFolder;
  readonly #view: OwnerView | null;
  readonly #listeners: Listeners;
  readonly #gate: Gate;
  readonly #pulse: Pulse;
  readonly #door: Door;
  readonly #bridge: Bridge;
  readonly #stores: Stores;
  readonly #parts: Parts;

  constructor(settings: Settings, log: Logger, options: NodeOptions) {
    const { ownerView, newUiToken = false, hostHandlers, care, machineClocks } = options;
    const events = new EventBus<NodeEventMap>(log);
    const folder = new NodeFolder(settings, log);
    const clock = new NodeClock({ folder, events, log, ...(machineClocks && { machine: machineClocks }) });
    const audit = new Audit({
      ...{ dataDir: folder.path, log, clock, events },
      listening: () => namesOnly(security.addresses()),
    });
    const stores = new Stores({
      ...{ folder, settings, log, events, alsoShown: ownerView !== null },
      beforeMigration: async () => care?.beforeMigration(),
    });
    const alerts = new Alerts({
      ...{ folder, stores, log, events, clock, language: () => this.#language },
      withoutBackupSince: () => care?.withoutBackupSince ?? null,
      brokenLogs: () => brokenLogs(folder.path),
      writeEntry: async (entry) => {
        const id = await stores.find('private')?.writeEntry(entry);
        if (id != null) events.emit('journalChanged', () => ({ id }));
      },
    });
    const intakes = new Intakes({ folder, stores, settings, log, events, clock });
    const bridge = new Bridge({
      ...{ folder, stores, settings, events, log, clock, language: () => this.#language },
      nodePublicKey: () => this.publicKey,
      alerts: () => alerts.live,
      silenceRuleMs: () => alerts.silenceRuleMs,
      backupAt: () => care?.newestBackupAt ?? null,
      clockState: () => clock.info.state,
      shared: settings.publicStoreUrl === null ? null : sharedStoreOf({ folder, stores, intakes }),
    });
    const claims = new Claims({ locations: () => stores.locations, intakes, events, log });
    const moves = new ArrivalMoves({ clock, store: (name) => stores.find(name), events, log });
    const gate = new Gate({ folder, intakes, settings, log, events, clock });
    const door = new Door({
      ...{ settings, log, events, clock },
      dataDir: () => folder.path,
      nodePublicKey: () => this.publicKey,
      service: () => this.owner,
    });
    const retention = new Retention({
      store: (name) => stores.find(name),
      locations: () => stores.locations,
      ...{ events, log, clock },
    });
    const sharedRetention = new SharedRetention({
      ...{ store: () => stores.find('public'), keepDays: settings.publicKeepDays, clock, log },
    });
    const report = sharedReportOf({ stores, intakes, events, log, clock, url: () => this.urls.publicUrl });
    const checkpoints = new Checkpoints({
      ...{ dataDir: () => folder.path, locations: () => stores.locations, clock, log },
      store: (name) => stores.find(name),
      witnesses: () => (view === null ? [] : witnessNodes(otherNodes)),
      outlets: outletsOf(settings, postMessage),
    });
    const witness = new Witness({ path: folder.path, log, now: () => clock.now() });
    const exports = new Exports({ dataDir: () => folder.path, locations: () => stores.locations, events, log, clock });
    const otherNodes = new OtherNodes({ folder, events, clock, log });
    const exposure = new Exposure({
      localUrl: () => this.urls.localUrl,
      addresses: () => ownAddresses().map(({ address }) => address),
      ...{ events, log },
    });
    const security: Security = new Security({
      ...{ dataDir: folder.path, log, clock, events, gate, door, bridge },
      settings: () => this.#settings,
      listeners: () => this.#listeners,
      local: () => local,
      exposedAt: () => exposure.found,
    });
    const view =
      ownerView === null
        ? null
        : new OwnerView({
            log,
            nodeEvents: events,
            clock,
            ownerView,
            newUiToken,
            nodeInfo: () => ({
              version: VERSION,
              publicKey: this.publicKey,
              ...this.urls,
              exposedAt: [...exposure.found],
              dataDir: folder.path,
              clock: clock.info,
            }),
            store: (name) => stores.find(name),
            locations: () => stores.locations,
            intakes: () => intakes.all,
            silenceRuleMs: () => alerts.silenceRuleMs,
            photosMaxBytes: () => this.#settings.photosMaxBytes,
            record: (deed) => audit.record(deed),
            handlers: {
              ...hostHandlers,
              ...alerts.handlers,
              ...retentionHandlers(retention),
              ...exportHandlers(exports),
              ...doorHandlers({ door, privateStore: () => stores.find('private')! }),
              ...bridgeHandlers(bridge),
              ...nodesHandlers(otherNodes, () => this.publicKey),
              ...security.handlers,
              witnesses: () => ({
                ...{ stores: checkpoints.view, outlets: checkpoints.outlets },
                refused: refusedLogs(folder.path),
              }),
              cosignCheckpoint: (input) => witness.cosign(input),
              ...gateHandlers({
                gate,
                intake: () => intakes.find('private'),
                nodePublicKey: () => this.publicKey,
              }),
              ...devicePageHandlers({
                pages: new DevicePages({ events }),
                gate,
                store: (name) => stores.find(name),
              }),
            },
          });
    const pulse = new Pulse({ dataDir: folder.path, stores, events });
    const local = new LocalListener({
      ...{ log, settings, onProbe: exposure.onProbe, onRefused: refusalsOf(events, 'local') },
      onAnswered: answersOf(events, 'local'),
      addRoutes: (app) => view?.addRoutes(app),
      now: () => clock.now(),
      onForeignHost: () => events.emit('exposureChanged', () => ({})),
    });
    const listeners = new Listeners({
      kinds: [
        local,
        new PublicListener({
          log,
          settings,
          onRefused: refusalsOf(events, 'public'),
          onAnswered: answersOf(events, 'public'),
        }),
      ],
      ...{ intakes, settings, log, events },
    });

    this.events = events;
    this.#settings = settings;
    this.#language = settings.language;
    this.#log = log;
    this.#folder = folder;
    this.#view = view;
    this.#listeners = listeners;
    this.#gate = gate;
    this.#pulse = pulse;
    this.#stores = stores;
    this.#door = door;
    this.#bridge = bridge;
    this.#parts = new Parts(log, [
      folder,
      clock,
      audit,
      stores,
      moves,
      alerts,
      bridge,
      pulse,
      intakes,
      retention,
      sharedRetention,
      ...(settings.publicStoreUrl === null ? [] : [sharedLogOf({ folder, stores, clock, log }), report]),
      checkpoints,
      exports,
      ...(view === null ? [] : [otherNodes, view]),
      listeners,
      claims,
      gate,
      door,
      exposure,
      security,
      ...(view === null ? [] : [view.whileListening]),
      ...(care === undefined ? [] : [care.whileRunning]),
      audit.whileRunning,
    ]);
  }

  /** The node's public key in lowercase hex. */
  get publicKey(): string {
    return this.#folder.identity.publicKey;
  }

  /** The URLs of its listeners; `publicUrl` is null if the public listener is off. */
  get urls(): { readonly publicUrl: string | null; readonly localUrl: string } {
    const { local, public: publicUrl } = this.#listeners.urls;
    return { publicUrl, localUrl: local! };
  }

  /** The state of the node for a supervisor. */
  get pulse(): Pick<Pulse, 'vitals' | 'status'> {
    return this.#pulse;
  }

  /** The service for the owner's view; null if there is none. */
  get owner(): OwnerService | null {
    return this.#view?.service ?? null;
  }

  /** The link that opens the owner's view in a browser. It is as secret as its token. null if there is no view. */
  get uiLink(): string | null {
    return this.#view?.link ?? null;
  }

  /** Starts the node. Rejects with StartError, with all parts stopped, if it can't start. */
  async start(): Promise<void> {
    await this.#parts.start();
    const { publicKey, urls } = this;
    this.#log.info({ version: VERSION, publicKey, ...urls, dataDir: this.#folder.path }, 'node started');
  }

  /**
   * Applies new settings: other ports, the public listener on or off, other limits, durability. Rejects with StartError
   * and keeps the former settings if a port is not available. One call at a time.
   */
  async applySettings(settings: Settings): Promise<void> {
    const before = this.#settings;
    // The stores come first: they can be reverted if a port is not available, while a moved listener has lost its
    // clients.
    await this.#stores.apply(settings);
    try {
      await this.#listeners.apply(settings);
    } catch (error) {
      await this.#stores.apply(before);
      throw error;
    }
    this.#settings = settings;
    this.#language = settings.language;
    await this.#gate.apply(settings);
    await this.#door.apply(settings);
    await this.#bridge.apply(settings);
    this.events.emit('settingsChanged', () => ({}));
    await this.owner?.followNode();
  }

  /** Stops the listeners, finishes requests in flight (at most 5 s), commits and closes. */
  async stop(): Promise<void> {
    await this.#parts.stop();
    this.#log.info('node stopped');
  }
}

/** Returns the addresses of the active listeners, for an entry of the audit log. */
function namesOnly(addresses: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(addresses).flatMap(([name, at]) => (at === null ? [] : [[name, at]])));
}
