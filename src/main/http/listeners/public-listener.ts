import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { EndpointName } from '../../../shared/protocol/codes.ts';
import type { Settings } from '../../settings/settings.ts';
import { AdmissionQueue } from '../limits/admission-queue.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import { createListener, type ListenerOptions } from '../listener.ts';
import type { ListenAddress } from '../listening.ts';
import { protocolRoutes } from '../routes/protocol.ts';
import { TrustedProxies } from '../trusted-proxies.ts';
import type { ListenerKind, ServedStore } from './listener-kind.ts';

export interface PublicListenerOptions {
  readonly log: Logger;
  readonly settings: Settings;
  readonly onRefused: NonNullable<ListenerOptions['onRefused']>;
  readonly onAnswered: NonNullable<ListenerOptions['onAnswered']>;
}

/** Returns the address of the public listener: all addresses of this machine. */
export function publicAddress(port: number): ListenAddress {
  return { listener: 'public', host: '0.0.0.0', port, variable: 'PUBLIC_PORT' };
}

/**
 * The listener for everyone's devices, over the public store. Its limits keep strangers from starving the other parts.
 */
export class PublicListener implements ListenerKind {
  readonly name: EndpointName = 'public';
  readonly storeName = 'public';
  readonly #options: PublicListenerOptions;
  readonly #rateLimits: RateLimits;
  #admission: AdmissionQueue | null = null;

  constructor(options: PublicListenerOptions) {
    this.#options = options;
    this.#rateLimits = new RateLimits(options.settings.publicRateLimit);
  }

  address({ publicEnabled, publicPort }: Settings): ListenAddress | null {
    return publicEnabled ? publicAddress(publicPort) : null;
  }

  applySettings({ publicRateLimit }: Settings): void {
    this.#rateLimits.perSecond = publicRateLimit;
  }

  createServer(served: ServedStore): FastifyInstance {
    const { log, settings, onRefused, onAnswered } = this.#options;
    const { maxBodyBytes } = settings;
    const rateLimits = this.#rateLimits;
    this.#admission ??= new AdmissionQueue(served.intake.load);
    const admission = this.#admission;
    const { name } = this;
    const proxies = settings.trustedProxies.length === 0 ? null : new TrustedProxies(settings.trustedProxies);
    const guard = proxies?.guard ?? (() => null);
    const forwarding = proxies === null ? {} : { isTrustedProxy: proxies.has };
    return createListener(
      { name, log, guard, ...forwarding, rateLimits, onRefused, onAnswered, maxBodyBytes },
      (app) => {
        protocolRoutes(app, { name, ...served, rateLimits, admission, maxBodyBytes });
      },
    );
  }
}
