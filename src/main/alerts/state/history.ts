import { existsSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Alert, alert as alertSchema } from '../../../shared/alerts/alert.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import { writeAtomically } from '../../common/atomic-write.ts';

/** The most ended alerts that are kept; the file has at most twice as many lines. */
const MAX_KEPT = 5000;

/** Which of the ended alerts are wanted. */
export interface HistoryQuery {
  readonly device: string | null;
  readonly rule: string | null;
  /** The last alert of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/**
 * The alerts that ended, a line of JSON each in a file that is only added to, and in memory. An alert that was written
 * twice, as before and after a crash, is there once.
 */
export class AlertHistory {
  readonly #path: string;
  readonly #log: Logger;
  readonly #turns = new SerialQueue();
  /** In the order of their end, the latest last. */
  #alerts = new Map<string, Alert>();
  /** Those of them that are not in the file yet. */
  #unwritten: readonly Alert[] = [];
  #isTried = true;
  #lines = 0;

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  /** Reads what was kept. Lines that are none, such as the half of one that a crash left, are passed over. */
  load(): void {
    this.#alerts = new Map();
    this.#lines = 0;
    for (const line of this.#read().split('\n')) {
      if (line === '') continue;
      this.#lines += 1;
      const alert = parseLine(line);
      if (alert !== null) this.#keep(alert);
    }
  }

  /** The latest end first. */
  list({ device, rule, before, limit }: HistoryQuery): { alerts: Alert[]; hasMore: boolean } {
    const fitting = [...this.#alerts.values()]
      .reverse()
      .filter((alert) => (device === null || alert.device === device) && (rule === null || alert.rule === rule));
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
      this.#log.error({ file: this.#path, err: error }, 'ended alerts can’t be written');
    }
  }

  async #write(alerts: readonly Alert[]): Promise<void> {
    if (this.#lines >= MAX_KEPT * 2) await this.#compact();
    else {
      // Each a line of its own, also after half of one.
      const lines = alerts.map((alert) => `\n${JSON.stringify(alert)}`).join('');
      await appendFile(this.#path, lines, { mode: 0o600, flush: true });
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
    const lines = [...this.#alerts.values()].map((alert) => JSON.stringify(alert));
    await writeAtomically(this.#path, lines.join('\n'));
    this.#lines = lines.length;
  }

  #read(): string {
    if (!existsSync(this.#path)) return '';
    try {
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      this.#log.error({ file: this.#path, err: error }, 'the history of alerts can’t be read');
      return '';
    }
  }
}

function parseLine(line: string): Alert | null {
  try {
    return alertSchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
