import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { get } from '../common/http-client.ts';
import { type ServiceEnvironment, ServiceManager, watchdogMs } from './service-manager.ts';

/** systemd gets three messages within its interval, because one may be lost or late. */
const BEATS = 3;
const REQUEST_TIMEOUT_MS = 5000;
const ASK_AGAIN_AFTER_MS = 250;

/** The supervised program. */
export interface Supervised {
  /** The URLs of its listeners: each must answer before the program counts as started. */
  readonly urls: () => readonly string[];
  /**
   * Starts checks of what may hang, by name. Only that a check ends matters, not its result. Throws if nothing is
   * running.
   */
  readonly vitals: () => Readonly<Record<string, Promise<unknown>>>;
  /** The state in one line, for `systemctl status`. */
  readonly status: () => string;
}

export interface SupervisionDependencies {
  readonly env: ServiceEnvironment;
  readonly log: Logger;
  readonly of: Supervised;
}

/**
 * The program's side of systemd's supervision for a service of `Type=notify`. It reports when the program has started,
 * then, as long as nothing hangs, that it is alive, and when it stops. If the process is stopped or hangs, it sends
 * nothing, and systemd restarts it.
 */
export class Supervision {
  readonly #dependencies: SupervisionDependencies;
  readonly #manager: ServiceManager | null;
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  /** The checks that the current self-check still waits for. */
  readonly #awaited = new Set<string>();

  constructor(dependencies: SupervisionDependencies) {
    this.#dependencies = dependencies;
    this.#manager = ServiceManager.of(dependencies.env, dependencies.log);
  }

  /** Call this after the start. Resolves when systemd was notified, or at once without systemd. */
  async started(): Promise<void> {
    if (this.#manager === null) return;
    await this.#untilAllAnswer();
    if (this.#end.signal.aborted) return;
    await this.#manager.tell('READY=1', this.#status);
    const within = watchdogMs(this.#dependencies.env);
    if (within === null || this.#end.signal.aborted) return;
    this.#timer = setInterval(() => void this.#beat(), within / BEATS).unref();
    await this.#beat();
  }

  /** Call this when the program is about to stop. */
  stopping(): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    if (this.#timer !== null) clearInterval(this.#timer);
    void this.#manager?.tell('STOPPING=1', 'STATUS=stopping');
  }

  get #status(): string {
    return `STATUS=${this.#dependencies.of.status()}`;
  }

  /**
   * Waits until every listener answers. Any answer counts: another check reports a store that refuses writes, and a
   * restart would not help it.
   */
  async #untilAllAnswer(): Promise<void> {
    for (;;) {
      const answers = await Promise.all(this.#dependencies.of.urls().map(answersAt));
      if (this.#end.signal.aborted || answers.every(Boolean)) return;
      await pause(ASK_AGAIN_AFTER_MS);
    }
  }

  async #beat(): Promise<void> {
    const { log, of } = this.#dependencies;
    if (this.#awaited.size > 0) {
      const hangs = [...this.#awaited];
      log.error({ hangs }, 'the self-check hangs: systemd will restart this node');
      return;
    }
    try {
      const vitals = Object.entries(of.vitals());
      for (const [name] of vitals) this.#awaited.add(name);
      await Promise.all(vitals.map(([name, look]) => look.catch(() => {}).then(() => this.#awaited.delete(name))));
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'the self-check failed: systemd will restart this node');
      return;
    }
    if (!this.#end.signal.aborted) await this.#manager!.tell('WATCHDOG=1', this.#status);
  }
}

/** Returns whether something answers a request for /health at a listener's URL on this machine. */
function answersAt(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const host = hostname === '0.0.0.0' ? '127.0.0.1' : hostname.replace(/^\[::\]$/, '[::1]').replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const request = get({ host, port, path: '/health', agent: false, timeout: REQUEST_TIMEOUT_MS }, (response) => {
      response.resume();
      resolve(true);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
    request.on('close', () => resolve(false));
  });
}
