import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type AlertOptions, NO_OPTIONS } from '../../shared/alerts/channel.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { ChannelList } from './channels/channel-list.ts';
import { Firings } from './firings.ts';
import { type AlertHandlers, alertHandlers } from './handlers.ts';
import type { NewsDesk } from './news.ts';
import { RuleBook } from './rule-book.ts';
import { type AlertsDocument, alertsDocument } from './state/document.ts';
import { AlertHistory } from './state/history.ts';
import { StateFile } from './state/state-file.ts';

/** What alerts are made of. */
export interface AlertsParts {
  /** The data folder. */
  readonly folder: { readonly path: string };
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
  readonly channels = new ChannelList();
  options: AlertOptions = NO_OPTIONS;
  readonly #parts: AlertsParts;
  readonly #file: StateFile;
  readonly #desk: NewsDesk = { add: () => {}, flush: () => {} };

  constructor(parts: AlertsParts) {
    const { folder, log } = parts;
    this.#parts = parts;
    this.history = new AlertHistory(join(folder.path, 'alert-history.ndjson'), log);
    this.#file = new StateFile({ path: join(folder.path, 'alerts.json'), log, snapshot: () => this.#document() });
    this.firings = new Firings({
      findRule: (id) => this.rules.find(id),
      onNews: (kind, alert, rule, at) =>
        this.#desk.add({ id: randomUUID(), kind, at, alert, channels: rule?.channels ?? 'all', device: null }),
      onEnded: (alert) => void this.history.add(alert),
      onChange: () => this.changed(),
    });
    this.handlers = alertHandlers(this);
  }

  start(): void {
    this.history.load();
    const kept = this.#file.read((document) => alertsDocument.parse(document));
    if (kept === null) return;
    this.rules.restore(kept.rules);
    this.firings.restore(kept.live);
    this.channels.restore(kept.channels);
    this.options = kept.options;
  }

  async stop(): Promise<void> {
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
    this.#desk.flush();
  }

  #document(): AlertsDocument {
    return {
      version: 1,
      savedAt: Date.now(),
      rules: this.rules.all,
      options: this.options,
      live: this.firings.all,
      channels: this.channels.snapshot(),
      outbox: null,
    };
  }
}
