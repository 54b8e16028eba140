import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { firmwareSeed } from '../shared/crypto/phrase/phrase.ts';
import type { ServerLists } from '../shared/device-page.ts';
import { MAX_UINT64 } from '../shared/protocol/uint64.ts';

/**
 * The locks of this process. A container gives a restarted process its old id, so the id alone does not identify the
 * holder.
 */
const held = new Set<string>();

/**
 * Takes a lock by writing this process's id to the file. Returns null, or the id of the living process that holds the
 * lock. The lock of a killed process is taken over. Throws errors of the file system.
 */
function takeLock(lock: string): number | null {
  for (let attempt = 0; ; attempt += 1) {
    try {
      fs.writeFileSync(lock, String(process.pid), { mode: 0o600, flag: 'wx' });
      held.add(lock);
      return null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(fs.readFileSync(lock, 'utf8'));
    const isTaken = holder === process.pid ? held.has(lock) : isAlive(holder);
    if (isTaken || attempt > 0) return holder;
    fs.rmSync(lock, { force: true });
  }
}

/** Releases a lock that this process has taken. */
function releaseLock(lock: string): void {
  if (held.delete(lock)) fs.rmSync(lock, { force: true });
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The number of seqs that are reserved on disk at a time, as in the firmware: a kill leaves a gap, but no seq is used
 * twice.
 */
export const SEQ_RESERVATION = 100n;

/** The saved state of one device. */
export interface DeviceState {
  /** The Ed25519 seed, 64 hex digits. */
  readonly seed: string;
  readonly mac: string;
  name: string;
  /** The servers that were entered at the device's own page; undefined for devices without one. */
  servers?: ServerLists | undefined;
  /** The first seq that no run has used or reserved. */
  reservedTo: bigint;
  /** The next seq to use in this run. */
  nextSeq: bigint;
}

/** The state file can't be read, written or used. The message is one line for the person at the terminal. */
export class StateError extends Error {
  override readonly name = 'StateError';
}

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));

const servers = z.array(z.object({ name: z.string(), url: z.string() }));

const stateFile = z.object({
  version: z.literal(1),
  ownerPhrase: z.string().min(1),
  devices: z.array(
    z.object({
      seed: hex(64),
      mac: hex(12),
      name: z.string(),
      servers: z.object({ external: servers, local: servers }).optional(),
      nextSeq: z.string().regex(/^[0-9]{1,20}$/),
    }),
  ),
});

const PLACES = ['Greenhouse', 'Nursery', 'Herb bench', 'Tomato row', 'Lettuce raft', 'Strawberry tower', 'Seed shelf'];

/**
 * Returns the default path of the state file. It is outside of any repository, because the file has keys: on Windows in
 * %LOCALAPPDATA%, elsewhere in $XDG_STATE_HOME or ~/.local/state.
 */
export function defaultStatePath(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  const home = os.homedir();
  // A relative XDG directory is invalid and ignored (XDG Base Directory Specification).
  const xdg = env.XDG_STATE_HOME !== undefined && path.isAbsolute(env.XDG_STATE_HOME) ? env.XDG_STATE_HOME : undefined;
  const base =
    platform === 'win32'
      ? (env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'))
      : (xdg ?? path.join(home, '.local', 'state'));
  return path.join(base, 'wellhouse', 'simulator.json');
}

/** The simulator's keys, names and seqs, saved in one file. Only one process may use it at a time. */
export class SimulatorState {
  readonly file: string;
  readonly ownerPhrase: string;
  readonly devices: DeviceState[];
  readonly #lock: string;

  private constructor(file: string, ownerPhrase: string, devices: DeviceState[], lock: string) {
    this.file = file;
    this.ownerPhrase = ownerPhrase;
    this.devices = devices;
    this.#lock = lock;
  }

  /**
   * Reads the file or creates one with the phrase, and adds devices up to `count`. Throws StateError if the file is in
   * use, unreadable or of another owner, since a registered device can't change its owner.
   */
  static open(file: string, count: number, ownerPhrase: string | undefined, newPhrase: () => string): SimulatorState {
    const lock = `${file}.lock`;
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      // Two runs on one file would use one seq for two readings, and a node keeps only the first.
      const holder = takeLock(lock);
      if (holder !== null) {
        throw new StateError(
          `${file} is in use by process ${holder}; name another with --state (if that is no simulator, delete ${lock})`,
        );
      }
    } catch (error) {
      throw asStateError(error, `cannot use the state file ${file}`);
    }
    try {
      const kept = read(file);
      if (kept !== null && ownerPhrase !== undefined && !sameOwner(kept.ownerPhrase, ownerPhrase)) {
        throw new StateError(`the devices in ${file} belong to another owner phrase; name another file with --state`);
      }
      const devices = (kept?.devices ?? []).map(({ nextSeq, ...device }): DeviceState => {
        const seq = BigInt(nextSeq);
        return { ...device, reservedTo: seq, nextSeq: seq };
      });
      while (devices.length < count) devices.push(newDevice(devices.length));
      const state = new SimulatorState(file, kept?.ownerPhrase ?? ownerPhrase ?? newPhrase(), devices, lock);
      state.#write();
      return state;
    } catch (error) {
      releaseLock(lock);
      throw asStateError(error, `cannot use the state file ${file}`);
    }
  }

  /** Returns a seq that this device never used before. It is reserved on disk before. Throws StateError. */
  takeSeq(device: DeviceState): bigint {
    if (device.nextSeq >= device.reservedTo) {
      const before = device.reservedTo;
      device.reservedTo = device.nextSeq + SEQ_RESERVATION;
      try {
        if (device.reservedTo > MAX_UINT64) throw new StateError(`${device.name} has used up its seqs`);
        this.#write();
      } catch (error) {
        device.reservedTo = before;
        throw asStateError(error, `cannot write the state file ${this.file}`);
      }
    }
    const seq = device.nextSeq;
    device.nextSeq += 1n;
    return seq;
  }

  /** Saves the settings that were entered at a device's page. Throws StateError. */
  configure(device: DeviceState, name: string, servers: ServerLists): void {
    device.name = name;
    device.servers = servers;
    try {
      this.#write();
    } catch (error) {
      throw asStateError(error, `cannot write the state file ${this.file}`);
    }
  }

  /** Returns unused reserved seqs, writes the file and releases its lock. Throws StateError. */
  close(): void {
    for (const device of this.devices) device.reservedTo = device.nextSeq;
    try {
      this.#write();
    } catch (error) {
      throw asStateError(error, `cannot write the state file ${this.file}`);
    } finally {
      releaseLock(this.#lock);
    }
  }

  /** Writes a temporary file, syncs and renames it: after a crash the file is complete, either old or new. */
  #write(): void {
    const devices = this.devices.map(({ seed, mac, name, servers, reservedTo }) => ({
      seed,
      mac,
      name,
      ...(servers === undefined ? {} : { servers }),
      nextSeq: reservedTo.toString(),
    }));
    const text = `${JSON.stringify({ version: 1, ownerPhrase: this.ownerPhrase, devices }, null, 2)}\n`;
    const aside = `${this.file}.tmp`;
    // A leftover of a killed run may have another mode, so it is deleted and not reused.
    fs.rmSync(aside, { force: true });
    fs.writeFileSync(aside, text, { mode: 0o600, flag: 'wx', flush: true });
    fs.renameSync(aside, this.file);
  }
}

function read(file: string): z.infer<typeof stateFile> | null {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new StateError(`${file} is not a state file of the simulator; move it away or name another with --state`);
  }
  const parsed = stateFile.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new StateError(`${file} is not a state file of this simulator (at "${where}"); name another with --state`);
}

function newDevice(index: number): DeviceState {
  const place = PLACES[index % PLACES.length]!;
  const round = Math.floor(index / PLACES.length);
  return {
    seed: randomBytes(32).toString('hex'),
    mac: `02${randomBytes(5).toString('hex')}`,
    name: round === 0 ? place : `${place} ${round + 1}`,
    reservedTo: 1n,
    nextSeq: 1n,
  };
}

function sameOwner(a: string, b: string): boolean {
  return Buffer.from(firmwareSeed(a)).equals(firmwareSeed(b));
}

function asStateError(error: unknown, what: string): StateError {
  if (error instanceof StateError) return error;
  return new StateError(`${what}: ${(error as Error).message}`, { cause: error });
}
