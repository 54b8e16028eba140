import { spawn } from 'node:child_process';
import type { Logger } from 'pino';

/**
 * The program waits until systemd has read the message; if systemd does not read it, the program gives up after this
 * time.
 */
const GIVE_UP_MS = 10_000;

/** The variables that systemd sets for a service of `Type=notify`. */
export type ServiceEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Reports the state of this process to the systemd that started it, like sd_notify(3). It uses systemd's own program:
 * Node can't send a datagram to a Unix socket, and a native module is not worth the 20 ms that it would save.
 */
export class ServiceManager {
  readonly #env: Record<string, string>;
  readonly #log: Logger;
  #isMissing = false;

  private constructor(env: Record<string, string>, log: Logger) {
    this.#env = env;
    this.#log = log;
  }

  /** Returns null if no systemd waits for messages. */
  static of(env: ServiceEnvironment, log: Logger): ServiceManager | null {
    const { NOTIFY_SOCKET, PATH = '' } = env;
    return NOTIFY_SOCKET ? new ServiceManager({ NOTIFY_SOCKET, PATH }, log) : null;
  }

  /** Sends assignments such as `READY=1` in one message. Never rejects; resolves with whether it succeeded. */
  async tell(...assignments: readonly string[]): Promise<boolean> {
    if (this.#isMissing) return false;
    const fault = await this.#send(assignments.map((text) => text.replace(/\s+/g, ' ')));
    if (fault === null) return true;
    this.#isMissing = fault === 'ENOENT';
    const hint = this.#isMissing ? 'systemd-notify is not installed: systemd can’t watch this node' : null;
    this.#log.error({ reason: fault }, hint ?? 'systemd could not be notified');
    return false;
  }

  /** Resolves with the problem, or null. */
  #send(assignments: readonly string[]): Promise<string | null> {
    return new Promise((resolve) => {
      const child = spawn('systemd-notify', assignments, { env: this.#env, stdio: 'ignore', timeout: GIVE_UP_MS });
      child.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      child.on('exit', (code, signal) => resolve(code === 0 ? null : `systemd-notify ended with ${code ?? signal}`));
    });
  }
}

/**
 * Returns the interval within which systemd expects a message of this process, in milliseconds, like
 * sd_watchdog_enabled(3); null if it expects none.
 */
export function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: ServiceEnvironment): number | null {
  if (WATCHDOG_PID !== undefined && Number(WATCHDOG_PID) !== process.pid) return null;
  const ms = Number(WATCHDOG_USEC) / 1000;
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}
