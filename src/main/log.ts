import { type Logger, pino } from 'pino';
import type { LogLevel } from './settings.ts';

/** JSON lines on stdout, made readable where stdout is a terminal. Payloads, keys and headers are never logged. */
export function createLog(level: LogLevel): Logger {
  const options = { level, base: null };
  if (!process.stdout.isTTY) return pino(options);
  return pino({
    ...options,
    transport: { target: 'pino-pretty', options: { translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname' } },
  });
}
