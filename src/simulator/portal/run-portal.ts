import { createPhrase } from '../../shared/crypto/phrase/phrase.ts';
import { pause } from '../feed.ts';
import type { PortalOptions, SimulatorOptions } from '../options.ts';
import { type RunContext, sourceOf } from '../run.ts';
import { type DeviceState, SimulatorState, StateError } from '../state.ts';
import { PortalDevice } from './portal-device.ts';
import { PortalServer } from './portal-server.ts';

/**
 * Runs devices that serve their own page and post to the servers that are entered there, until the signal aborts.
 * Throws StateError if the state file or an address can't be used.
 */
export async function runPortals(
  options: SimulatorOptions & { readonly portal: PortalOptions },
  { print, signal }: RunContext,
): Promise<void> {
  const { host, port } = options.portal;
  const state = SimulatorState.open(options.state, options.devices, options.ownerPhrase, createPhrase);
  const closing: (() => Promise<void> | void)[] = [];
  try {
    const kept = state.devices.slice(0, options.devices);
    const devices = kept.map((device) => portalDevice(options, state, device, print));
    for (const [index, device] of devices.entries()) {
      const server = new PortalServer(device);
      const url = await server.listen(host, port === 0 ? 0 : port + index).catch((error: Error) => {
        throw new StateError(`the page of ${device.name} can't be served: ${error.message}`, { cause: error });
      });
      closing.push(
        () => server.close(),
        () => device.close(),
      );
      print(`${device.name}: device ${device.id}, its page: ${url}`);
    }
    await Promise.all(devices.map((device, index) => live(options, device, index / devices.length, signal)));
  } finally {
    for (const close of closing) await close();
    state.close();
  }
}

function portalDevice(
  options: SimulatorOptions & { readonly portal: PortalOptions },
  state: SimulatorState,
  kept: DeviceState,
  print: (line: string) => void,
): PortalDevice {
  const source = sourceOf(options, state, kept, Date.now());
  const registration = () => source.device.registration({ name: kept.name, publishTo: options.publishTo });
  return new PortalDevice({
    ...{ source, registration, print, name: kept.name, servers: kept.servers ?? { external: [], local: [] } },
    failedSensors: options.portal.failed,
    batteryPercent: options.portal.battery,
    save: (name, servers) => state.configure(kept, name, servers),
  });
}

async function live(
  { intervalMs, speed }: SimulatorOptions,
  device: PortalDevice,
  offset: number,
  signal: AbortSignal,
): Promise<void> {
  const periodMs = intervalMs / speed;
  const startedAt = Date.now();
  await pause(offset * periodMs, signal);
  while (!signal.aborted) {
    const now = Date.now();
    await device.tick({ measuredAt: startedAt + (now - startedAt) * speed, datedAt: now }, signal);
    await pause(Math.max(0, now + periodMs - Date.now()), signal);
  }
}
