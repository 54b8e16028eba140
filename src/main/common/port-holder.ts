import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { PortHolder } from '../../shared/node-state.ts';
import { get } from './http-client.ts';

const LISTENING = '0A';
/** A busy program takes a second and more. Only one that speaks no HTTP costs the whole time. */
const ASK_WITHIN_MS = 3000;
const MAX_ANSWER_BYTES = 1000;

/**
 * Returns the program that listens on a TCP port of this machine, as far as the system reveals it (Linux, programs of
 * the same user), and whether it answers like Wellhouse. null if neither is known.
 */
export async function portHolder(port: number): Promise<PortHolder | null> {
  const process = processAt(port);
  const isWellhouse = process?.pid === globalThis.process.pid ? 'self' : (await answersAsWellhouse(port)) && 'other';
  if (process === null && isWellhouse === false) return null;
  return { pid: process?.pid ?? null, name: process?.name ?? null, wellhouse: isWellhouse || null };
}

function processAt(port: number): { pid: number; name: string } | null {
  if (process.platform !== 'linux') return null;
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => socketsOf(table, port)));
    const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, sockets));
    return pid === undefined ? null : { pid: Number(pid), name: programName(pid) };
  } catch {
    return null;
  }
}

/**
 * Returns the name of a program's file: a process can rename its threads, and Node calls its main thread `MainThread`.
 */
function programName(pid: string): string {
  return basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '');
}

/** Returns the sockets that listen on a port; the columns are documented in proc(5). */
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
    return readdirSync(`/proc/${pid}/fd`).some((fd) => sockets.has(targetOf(`/proc/${pid}/fd/${fd}`)));
  } catch {
    // The process belongs to another user or has ended.
    return false;
  }
}

/** Returns the target of an open file; empty if it was closed meanwhile. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Returns whether the program serves Wellhouse's API description, as every endpoint does. */
function answersAsWellhouse(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const request = get({ host: '127.0.0.1', port, path: '/openapi.json' }, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.length > MAX_ANSWER_BYTES) response.destroy();
    });
    response.on('error', () => {});
    response.on('close', () => resolve(text.includes('Wellhouse')));
  });
  const deadline = setTimeout(() => {
    resolve(false);
    request.destroy();
  }, ASK_WITHIN_MS);
  request.on('error', () => resolve(false));
  return promise.finally(() => clearTimeout(deadline));
}
