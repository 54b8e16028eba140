import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTENING = '0A';

/**
 * The program that listens on a TCP port of this machine, as `name (process 123)`; null where the system does not tell:
 * another user's program, or another system than Linux.
 */
export function portHolder(port: number): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => socketsOf(table, port)));
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, sockets));
    return pid === undefined ? null : `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`;
  } catch {
    return null;
  }
}

/** The inodes of the sockets that listen on the port; the columns are those of proc(5). */
function socketsOf(table: string, port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(`/proc/net/${table}`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[1]?.endsWith(`:${hexPort}`) && columns[3] === LISTENING)
    .map((columns) => `socket:[${columns[9]}]`);
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`)));
  } catch {
    // Another user's process, or one that ended meanwhile.
    return false;
  }
}
