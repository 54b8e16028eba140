import { type Alert, alert as alertSchema } from '../../../shared/alerts/alert.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { StateFolder } from '../../state-files/aside.ts';
import { openLineFile } from '../../state-files/damaged-files.ts';
import type { LineFile } from '../../state-files/line-file.ts';

/** The most ended alerts that are kept; the file has at most twice as many lines. */
const MAX_KEPT = 5000;

export const HISTORY_FILE = { name: 'alert-history.ndjson', schema: alertSchema, maxEntries: 2 * MAX_KEPT } as const;

/** Which of the ended alerts are wanted. */
export interface HistoryQuery {
  readonly device: string | null;
  /** Alerts of this rule, or of one of these; null for any. */
  readonly rule: string | readonly string[] | null;
  /** The last alert of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/**
 * The alerts that ended, a line of JSON each in a file that is only added to, and in memory. An alert that was written
 * twice, as before and after a crash, is there once.
 */
export class AlertHistory {
  readonly #file: LineFile<typeof alertSchema>;
  readonly #log: StateFolder['log'];
  readonly #turns = new SerialQueue();
  /** In the order of their end, the latest last. */
  #alerts = new Map<string, Alert>();
  /** The ones that are not in the file yet. */
  #unwritten: readonly Alert[] = [];
  #isTried = true;
  #lines = 0;

  constructor(folder: StateFolder) {
    this.#file = openLineFile(HISTORY_FILE, folder);
    this.#log = folder.log;
  }

  /** Reads what was kept. Throws StartError where it may not be read. */
  load(): void {
    this.#alerts = new Map();
    const kept = this.#file.read();
    this.#lines = kept.length;
    for (const alert of kept) this.#keep(alert);
  }

  /** The latest end first. */
  list({ device, rule, before, limit }: HistoryQuery): { alerts: Alert[]; hasMore: boolean } {
    const rules = rule === null ? null : new Set([rule].flat());
    const fitting = [...this.#alerts.values()]
      .reverse()
      .filter((alert) => (device === null || alert.device === device) && (rules === null || rules.has(alert.rule)));
    const start = before === null ? 0 : fitting.findIndex(({ id }) => id === before) + 1;
    return { alerts: fitting.slice(start, start + limit), hasMore: fitting.length > start + limit };
  }

  /** Keeps an alert that ended; `settle` writes it. */
  add(alert: Alert): void {
    this.#keep(alert);
    this.#unwritten = [...this.#unwritten, alert].slice(-MAX_KEPT);
    this.#isTried = false;
  }

  /** Resolves when it was tried to write all that was added, and none was added since; with whether all is on disk. */
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
