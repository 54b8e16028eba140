import { type Alert, alert as alertSchema } from '../../../shared/alerts/alert.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { StateFolder } from '../../state-files/aside.ts';
import { openLineFile } from '../../state-files/damaged-files.ts';
import type { LineFile } from '../../state-files/line-file.ts';

/** The most ended alerts that are kept. The file has at most twice as many lines. */
const MAX_KEPT = 5000;

export const HISTORY_FILE = { name: 'alert-history.ndjson', schema: alertSchema, maxEntries: 2 * MAX_KEPT } as const;

/** The selection of ended alerts. */
export interface HistoryQuery {
  readonly device: string | null;
  /** One rule or several; null for any rule. */
  readonly rule: string | readonly string[] | null;
  /** The last alert of the previous page. */
  readonly before: string | null;
  readonly limit: number;
}

/**
 * The ended alerts, in memory and in a file with one line of JSON for each. The file is only appended to. An alert that
 * was written twice, for example before and after a crash, is listed once.
 */
export class AlertHistory {
  readonly #file: LineFile<typeof alertSchema>;
  readonly #log: StateFolder['log'];
  readonly #turns = new SerialQueue();
  /** In the order of their end, the latest last. */
  #alerts = new Map<string, Alert>();
  /** The alerts that are not in the file yet. */
  #unwritten: readonly Alert[] = [];
  #isTried = true;
  #lines = 0;

  constructor(folder: StateFolder) {
    this.#file = openLineFile(HISTORY_FILE, folder);
    this.#log = folder.log;
  }

  /** Reads the file. Throws StartError if it may not be read. */
  load(): void {
    this.#alerts = new Map();
    const kept = this.#file.read();
    this.#lines = kept.length;
    for (const alert of kept) this.#keep(alert);
  }

  /** Returns a page of ended alerts, the latest end first. */
  list({ device, rule, before, limit }: HistoryQuery): { alerts: Alert[]; hasMore: boolean } {
    const rules = rule === null ? null : new Set([rule].flat());
    const fitting = [...this.#alerts.values()]
      .reverse()
      .filter((alert) => (device === null || alert.device === device) && (rules === null || rules.has(alert.rule)));
    const start = before === null ? 0 : fitting.findIndex(({ id }) => id === before) + 1;
    return { alerts: fitting.slice(start, start + limit), hasMore: fitting.length > start + limit };
  }

  /** Adds an ended alert in memory; `settle` writes it. */
  add(alert: Alert): void {
    this.#keep(alert);
    this.#unwritten = [...this.#unwritten, alert].slice(-MAX_KEPT);
    this.#isTried = false;
  }

  /**
   * Tries to write all added alerts, including those that are added meanwhile. Resolves with whether all are on disk.
   */
  async settle(): Promise<boolean> {
    do await this.#turns.run(() => this.#writeRest());
    while (!this.#isTried);
    return this.#unwritten.length === 0;
  }

  async #writeRest(): Promise<void> {
    this.#isTried = true;
    if (this.#unwritten.length === 0) return;
    try {
      await this.#write(this.#unwritten);
    } catch (error) {
      this.#log.error({ file: this.#file.path, err: error }, 'ended alerts can’t be written');
    }
  }

  async #write(alerts: readonly Alert[]): Promise<void> {
    if (this.#lines >= MAX_KEPT * 2) await this.#compact();
    else {
      await this.#file.append(alerts);
      this.#lines += alerts.length;
    }
    this.#unwritten = this.#unwritten.filter((alert) => !alerts.includes(alert));
  }

  #keep(alert: Alert): void {
    this.#alerts.delete(alert.id);
    this.#alerts.set(alert.id, alert);
    const [oldest] = this.#alerts.keys();
    if (this.#alerts.size > MAX_KEPT) this.#alerts.delete(oldest!);
  }

  async #compact(): Promise<void> {
    await this.#file.replace([...this.#alerts.values()]);
    this.#lines = this.#alerts.size;
  }
}
