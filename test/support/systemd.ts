import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The messages to systemd, one per line. */
export interface Heard {
  /** The variables that direct a process here. */
  readonly env: Readonly<Record<string, string>>;
  readonly messages: () => string[];
  readonly close: () => void;
}

/** Creates a `systemd-notify` that comes first in the path and records its arguments, one call per line. */
export function notifyStub(folder: string): Heard {
  const said = join(folder, 'said');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemd-notify'), `#!/bin/sh\nprintf '%s|' "$@" >>'${said}'\necho >>'${said}'\n`, {
    mode: 0o755,
  });
  return {
    env: { PATH: `${bin}${delimiter}${process.env.PATH}`, NOTIFY_SOCKET: join(folder, 'socket') },
    messages: () => linesOf(said).map((line) => line.replace(/\|$/, '').replaceAll('|', '\n')),
    close: () => {},
  };
}

/** Returns why a test can't receive the messages of systemd's own program; null if it can. */
export function whyNoDatagrams(): string | null {
  if (spawnSync('systemd-notify', ['--version']).status !== 0) return 'systemd-notify is not installed';
  // Of the programs of that name, only OpenBSD's supports such sockets.
  const help = spawnSync('nc', ['-h'], { encoding: 'utf8' });
  return /-U\s/.test(`${help.stdout}${help.stderr}`) ? null : 'netcat-openbsd is not installed';
}

/** Opens a datagram socket like systemd's. Resolves when it is open. */
export async function notifySocket(folder: string): Promise<Heard> {
  const socket = join(folder, 'notify.sock');
  const netcat = spawn('nc', ['-klUu', socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  netcat.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  while (!existsSync(socket)) {
    if (netcat.exitCode !== null) throw new Error('netcat ended');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return {
    env: { PATH: process.env.PATH ?? '', NOTIFY_SOCKET: socket },
    // After each message, the program sends one more to wait until the message was read.
    messages: () => said.split('BARRIER=1').filter(Boolean),
    close: () => netcat.kill(),
  };
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}
