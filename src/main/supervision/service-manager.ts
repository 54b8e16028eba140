import { spawn } from 'node:child_process';
import type { Logger } from 'pino';

/** The program waits until systemd has read what it sent; a systemd that does not is not waited for. */
const GIVE_UP_MS = 10_000;

/** The variables that systemd sets for a service of `Type=notify`. */
export type ServiceEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Tells the systemd that started this process how it is, as sd_notify(3) does. Through systemd's own program, since Node
 * can't send a datagram to a Unix socket and native modules that can are worth less than the 20 ms.
 */
export class ServiceManager {
  readonly #env: Record<string, string>;
  readonly #log: Logger;
  #isMissing = false;

  private constructor(env: Record<string, string>, log: Logger) {
    this.#env = env;
    this.#log = log;
  }

  /** null if no systemd waits for messages. */
  static of(env: ServiceEnvironment, log: Logger): ServiceManager | null {
    const { NOTIFY_SOCKET, PATH = '' } = env;
    return NOTIFY_SOCKET ? new ServiceManager({ NOTIFY_SOCKET, PATH }, log) : null;
  }

  /** Sends assignments such as `READY=1` in one message. Never rejects; resolves with whether that went well. */
  async tell(...assignments: readonly string[]): Promise<boolean> {
    if (this.#isMissing) return false;
    const fault = await this.#send(assignments.map((text) => text.replace(/\s+/g, ' ')));
    if (fault === null) return true;
    this.#isMissing = fault === 'ENOENT';
    const hint = this.#isMissing ? 'systemd-notify is not installed: systemd can’t watch this node' : null;
    this.#log.error({ reason: fault }, hint ?? 'systemd could not be notified');
    return false;
  }

  /** The problem; null if there is none. */
  #send(assignments: readonly string[]): Promise<string | null> {
    return new Promise((resolve) => {
      const child = spawn('systemd-notify', assignments, { env: this.#env, stdio: 'ignore', timeout: GIVE_UP_MS });
      child.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      child.on('exit', (code, signal) => resolve(code === 0 ? null : `systemd-notify ended with ${code ?? signal}`));
    });
  }
}

/** How often systemd wants to hear of this process, in milliseconds, as sd_watchdog_enabled(3) has it; null: not at all. */
export function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: ServiceEnvironment): number | null {
  if (WATCHDOG_PID !== undefined && Number(WATCHDOG_PID) !== process.pid) return null;
  const ms = Number(WATCHDOG_USEC) / 1000;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
