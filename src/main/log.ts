import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './settings.ts';

/**
 * JSON lines on stdout, made readable where stdout is a terminal, and to further destinations. Payloads, keys and headers
 * are never logged.
 */
export function createLog(level: LogLevel, ...others: readonly DestinationStream[]): Logger {
  const stdout = process.stdout.isTTY
    ? pino.transport({
        target: 'pino-pretty',
        options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' },
      })
    : pino.destination(1);
  const streams = [stdout as DestinationStream, ...others].map((stream) => ({ stream, level: 'trace' as const }));
  return pino({ level, base: null }, others.length === 0 ? stdout : pino.multistream(streams));
}

const KEPT_LINES = 500;

/** The newest lines of the log in memory, for the diagnostics of a node that writes no log file. */
export class RecentLog implements DestinationStream {
  #lines: string[] = [];

  write(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > 2 * KEPT_LINES) this.#lines = this.#lines.slice(-KEPT_LINES);
  }

  /** Whole lines, oldest first. */
  get text(): string {
    return this.#lines.slice(-KEPT_LINES).join('');
  }
}
