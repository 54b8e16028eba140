import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../settings/settings.ts';
import { isJournal, journalLines } from './journal.ts';
import { stdoutLines } from './log-output.ts';

/**
 * Creates a logger that writes JSON lines to stdout and to other destinations; on stdout they are formatted if it is a
 * terminal or systemd's journal. Never log payloads, keys or headers.
 */
export function createLog(level: LogLevel, ...others: readonly DestinationStream[]): Logger {
  const stdout = process.stdout.isTTY
    ? (pino.transport({
        target: 'pino-pretty',
        options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' },
      }) as DestinationStream)
    : isJournal(1)
      ? journalLines(stdoutLines())
      : stdoutLines();
  const streams = [stdout, ...others].map((stream) => ({ stream, level: 'trace' as const }));
  return pino({ level, base: null }, others.length === 0 ? stdout : pino.multistream(streams));
}

const KEPT_LINES = 500;
const KEPT_CHARACTERS = 256 * 1024;

/** The newest lines of the log in memory, for the diagnostics of a node without a log file. */
export class RecentLog implements DestinationStream {
  #lines: string[] = [];
  #characters = 0;

  write(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#lines.length > 2 * KEPT_LINES || this.#characters > 2 * KEPT_CHARACTERS) {
      this.#lines = this.#newest();
      this.#characters = this.#lines.reduce((sum, { length }) => sum + length, 0);
    }
  }

  /** Whole lines, oldest first. */
  get text(): string {
    return this.#newest().join('');
  }

  #newest(): string[] {
    let first = this.#lines.length;
    let characters = 0;
    while (first > 0 && this.#lines.length - first < KEPT_LINES) {
      characters += this.#lines[first - 1]!.length;
      if (characters > KEPT_CHARACTERS) break;
      first -= 1;
    }
    return this.#lines.slice(first);
  }
}
