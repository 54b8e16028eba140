import { existsSync, readFileSync } from 'node:fs';
import { uptime } from 'node:os';

/** The machine's clocks, which tests can replace. Milliseconds. */
export interface MachineClocks {
  /** Unix time; somebody may set it. */
  wall(): number;
  /** The monotonic time of this process, which stops while the machine sleeps. */
  steady(): number;
  /** The time since the machine's start, including sleep. */
  uptime(): number;
  /** Whether the system has had the time from the network since its start; null if it does not report it. */
  isSynchronised(): boolean | null;
  /** An id of the machine's start; null if the system has none. */
  readonly boot: string | null;
}

/**
 * The folder in which systemd-timesyncd, the time client of Debian and Raspberry Pi OS, reports that it has the time.
 */
const TIMESYNC = '/run/systemd/timesync';

/** The clocks of this machine. */
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
