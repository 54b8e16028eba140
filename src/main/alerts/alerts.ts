import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type AlertOptions, NO_OPTIONS } from '../../shared/alerts/channel.ts';
import type { Language } from '../../shared/texts/languages.ts';
import type { NodeEvents } from '../common/node-events.ts';
import type { StorePaths } from '../store/store-paths.ts';
import { Firings } from './firings.ts';
import { type AlertHandlers, alertHandlers } from './handlers.ts';
import { MessageDesk } from './outbox/message-desk.ts';
import { RuleBook } from './rule-book.ts';
import { type AlertsDocument, alertsDocument } from './state/document.ts';
import { AlertHistory } from './state/history.ts';
import { StateFile } from './state/state-file.ts';
import { OwnerUnits } from './words/owner-units.ts';

/** What alerts are made of. */
export interface AlertsParts {
  /** The data folder. */
  readonly folder: { readonly path: string };
  /** Where the open stores lie. */
  readonly stores: { readonly paths: StorePaths };
  /** Of the settings; null: the system's. */
  readonly language: () => Language | null;
  readonly events: NodeEvents;
  readonly log: Logger;
}

/** Watches what the node takes in, and tells its owner what is wrong: a part of every node, with or without a view. */
export class Alerts {
  readonly name = 'alerts';
  /** Answer the owner's calls about alerts, once it has started. */
  readonly handlers: AlertHandlers;
  readonly rules = new RuleBook();
  readonly firings: Firings;
  readonly history: AlertHistory;
  readonly desk: MessageDesk;
  options: AlertOptions = NO_OPTIONS;
  readonly #parts: AlertsParts;
  readonly #file: StateFile;
  readonly #units: OwnerUnits;

  constructor(parts: AlertsParts) {
    const { folder, stores, language, events, log } = parts;
    this.#parts = parts;
    this.#units = new OwnerUnits(() => stores.paths, log);
    this.desk = new MessageDesk({
      ...{ log, events, language, units: () => this.#units.now, options: () => this.options },
      persist: () => this.#file.persist(),
      onChange: () => this.changed(),
    });
    this.history = new AlertHistory(join(folder.path, 'alert-history.ndjson'), log);
    this.#file = new StateFile({ path: join(folder.path, 'alerts.json'), log, snapshot: () => this.#document() });
    this.firings = new Firings({
      findRule: (id) => this.rules.find(id),
      onNews: (kind, alert, rule, at) =>
        this.desk.add({ id: randomUUID(), kind, at, alert, channels: rule?.channels ?? 'all', device: null }),
      onEnded: (alert) => void this.history.add(alert),
      onChange: () => this.changed(),
    });
    this.handlers = alertHandlers(this);
  }

  async start(): Promise<void> {
    this.history.load();
    const kept = this.#file.read((document) => alertsDocument.parse(document));
    if (kept !== null) {
      this.rules.restore(kept.rules);
      this.firings.restore(kept.live);
      this.options = kept.options;
    }
    this.desk.restore(this.#parts.folder.path, { channels: kept?.channels, outbox: kept?.outbox });
    await this.#units.start(this.#parts.events);
    this.desk.start();
  }

  async stop(): Promise<void> {
    await this.#units.stop();
    await this.desk.stop();
    await this.#file.close();
    await this.history.close();
  }

  /** Tells the view that something is to be asked again. */
  changed(): void {
    this.#parts.events.emit('alertsChanged', () => ({}));
  }

  /** Resolves when all that is so now is on disk; what was to be told goes out then, and also where the disk takes nothing. */
  async save(): Promise<void> {
    this.changed();
    await this.#file.persist();
    this.desk.flush();
  }

  #document(): AlertsDocument {
    return {
      version: 1,
      savedAt: Date.now(),
      rules: this.rules.all,
      options: this.options,
      live: this.firings.all,
      ...this.desk.kept,
    };
  }
}
