import { existsSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** The machine's clocks, so that tests can have their own. Milliseconds. */
export interface MachineClocks {
  /** Unix time; somebody may set it. */
  wall(): number;
  /** The monotonic time of this process: it stands still while the machine sleeps. */
  steady(): number;
  /** Since the machine's start, with the time in which it slept. */
  uptime(): number;
  /** Whether the system had the time from the network since its start; null: it does not say. */
  isSynchronised(): boolean | null;
  /** Another one for each start of the machine; null where there is no such name. */
  readonly boot: string | null;
}

/** Where systemd-timesyncd, the clock of Debian and of Raspberry Pi OS, says that it has the time. */
const TIMESYNC = '/run/systemd/timesync';

/** This machine's. */
export const MACHINE_CLOCKS: MachineClocks = {
  wall: () => Date.now(),
  steady: () => performance.now(),
  uptime: () => uptime() * 1000,
  isSynchronised: () => (existsSync(TIMESYNC) ? existsSync(`${TIMESYNC}/synchronized`) : null),
  boot: bootId(),
};

function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}
