import { powerMonitor } from 'electron';
import type { Wake } from '../../../shared/desktop-api.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';

/** Shorter sleeps have no effect: devices repeat unconfirmed readings. */
const MIN_SLEEP_MS = 60_000;

/** The effects of the power state on the app. */
export interface PowerActions {
  /** Called when the machine sleeps or is locked, so nobody watches. */
  lockKeys(): void;
  /** Called after a sleep that is long enough to report. */
  woke(wake: Wake): void;
}

/** Watches for sleep, and for a locked screen if Electron reports it (not on Linux). */
export function watchPower(actions: PowerActions, platform: NodeJS.Platform = process.platform): void {
  let sleptAt: number | null = null;
  powerMonitor.on('suspend', () => {
    sleptAt = SYSTEM_CLOCK.now();
    actions.lockKeys();
  });
  if (platform === 'darwin' || platform === 'win32') powerMonitor.on('lock-screen', () => actions.lockKeys());
  powerMonitor.on('resume', () => {
    const wake = sleptAt === null ? null : { from: sleptAt, to: SYSTEM_CLOCK.now() };
    sleptAt = null;
    if (wake !== null && wake.to - wake.from >= MIN_SLEEP_MS) actions.woke(wake);
  });
}

/**
 * Calls `listener` when the machine shuts down or the owner logs out, before the app is asked to quit. Windows
 * announces neither.
 */
export function onShutdown(listener: () => void, platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32') powerMonitor.on('shutdown', listener);
}
