import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The messages to systemd: one message a line. */
export interface Heard {
  /** The variables with which a process finds it. */
  readonly env: Readonly<Record<string, string>>;
  readonly messages: () => string[];
  readonly close: () => void;
}

/** A `systemd-notify` first on the path that writes its arguments down, one call a line. */
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

/** Why systemd's own program can't be heard here; null where it can. */
export function whyNoDatagrams(): string | null {
  if (spawnSync('systemd-notify', ['--version']).status !== 0) return 'systemd-notify is not installed';
  // Of the programs of that name, OpenBSD's alone knows such sockets.
  const help = spawnSync('nc', ['-h'], { encoding: 'utf8' });
  return /-U\s/.test(`${help.stdout}${help.stderr}`) ? null : 'netcat-openbsd is not installed';
}

/** A datagram socket as systemd has one. Resolves when it is open. */
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
    // Each message is followed by one with which the program waits until it was read.
    messages: () => said.split('BARRIER=1').filter(Boolean),
    close: () => netcat.kill(),
  };
}

function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}
