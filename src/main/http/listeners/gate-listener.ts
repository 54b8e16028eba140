import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../../common/clock.ts';
import type { Intake } from '../../intake/intake.ts';
import type { Joining } from '../../intake/joining/joining.ts';
import type { RefusedDevice } from '../../intake/refused-devices.ts';
import type { Settings } from '../../settings/settings.ts';
import { guardGateRequest } from '../guards.ts';
import { AdmissionQueue } from '../limits/admission-queue.ts';
import { DeviceBudgets } from '../limits/device-budget.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import { createListener, type ListenerOptions } from '../listener.ts';
import { registerRoute } from '../routes/devices.ts';
import { type HealthRouteOptions, healthRoute } from '../routes/health.ts';
import { addRoute, type Route } from '../routes/route.ts';
import { telemetryRoute } from '../routes/telemetry.ts';
import type { StoreReads } from '../store-reads.ts';

/**
 * The gate's batches share the intake with the local endpoint's, which wait for batches that have begun: this is about
 * 10 ms of work.
 */
const MAX_CHECKS_WAITING = 100;

/**
 * The objects that the gate may use: the intake of the private store, and the lookup of its devices. No reading can be
 * read through it.
 */
export interface GateStore extends HealthRouteOptions {
  readonly devices: Pick<StoreReads, 'device'>;
  readonly intake: Intake;
}

export interface GateListenerOptions {
  readonly log: Logger;
  readonly settings: Settings;
  readonly joining: Joining;
  readonly clock: Clock;
  readonly onRefused: NonNullable<ListenerOptions['onRefused']>;
  readonly onAnswered: NonNullable<ListenerOptions['onAnswered']>;
  /** Called when a further device exceeds its budget. */
  readonly onOverBudget: () => void;
}

/**
 * The listener for devices on the owner's network. It registers devices while joining is open and accepts their
 * readings for the private store. It answers everything else with 404. It outlives its servers, so that a change of
 * address does not reset the limits.
 */
export class GateListener {
  readonly #options: GateListenerOptions;
  readonly #rateLimits: RateLimits;
  readonly #deviceBudgets: DeviceBudgets;
  #admission: AdmissionQueue | null = null;

  constructor(options: GateListenerOptions) {
    this.#options = options;
    this.#rateLimits = new RateLimits(options.settings.publicRateLimit);
    const { settings, clock, onOverBudget } = options;
    this.#deviceBudgets = new DeviceBudgets({
      perSecond: settings.gateDeviceRate,
      now: () => clock.now(),
      onOver: onOverBudget,
    });
  }

  /** The devices that exceeded their budget within the last day, latest last. */
  get overBudget(): readonly RefusedDevice[] {
    return this.#deviceBudgets.over;
  }

  /** Applies the settings that can change without a new server. */
  applySettings({ publicRateLimit, gateDeviceRate }: Settings): void {
    this.#rateLimits.perSecond = publicRateLimit;
    this.#deviceBudgets.perSecond = gateDeviceRate;
  }

  /** Creates a server, which does not listen yet. */
  createServer(store: GateStore): FastifyInstance {
    const { log, settings, joining, onRefused, onAnswered } = this.#options;
    const { maxBodyBytes } = settings;
    const rateLimits = this.#rateLimits;
    const deviceBudgets = this.#deviceBudgets;
    this.#admission ??= new AdmissionQueue(store.intake.load, MAX_CHECKS_WAITING);
    const admission = this.#admission;
    const options = {
      name: 'gate',
      log,
      guard: guardGateRequest,
      rateLimits,
      maxBodyBytes,
      hidesTheRest: true,
    } as const;
    return createListener({ ...options, onRefused, onAnswered }, (app) => {
      for (const route of gateRoutes({ ...store, joining, rateLimits, deviceBudgets, admission, maxBodyBytes }))
        addRoute(app, route);
    });
  }
}

/** Returns all routes of the gate. */
export function gateRoutes(
  options: HealthRouteOptions &
    Omit<Parameters<typeof registerRoute>[0], 'list' | 'onDeviceLimit' | 'sharedLimits'> &
    Omit<Parameters<typeof telemetryRoute>[0], 'name' | 'tellsUnknownDevices'>,
): Route[] {
  return [
    healthRoute(options),
    // The private store has no limit of devices.
    registerRoute({ ...options, list: null, sharedLimits: null, onDeviceLimit: () => {} }),
    telemetryRoute({ ...options, name: 'gate', tellsUnknownDevices: true }),
  ];
}
