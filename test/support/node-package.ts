import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packDeb, stageDeb } from '../../scripts/node-package/deb.ts';
import { TARGETS } from '../../scripts/node-package/target.ts';

/** This machine's target. The project has its modules installed. */
export const TARGET = TARGETS.find(({ npm }) => npm === process.arch)!;
/** Whether a Debian package can be made and installed on this machine. */
export const HAS_DPKG = process.platform === 'linux' && spawnSync('dpkg-deb', ['--version']).status === 0;

/** Lays out the package of the built project with the modules installed here, without npm. */
export function stageHere(root: string): void {
  const project = resolve('.');
  stageDeb({ version: '1.0.0', target: TARGET, modules: project, project }, root, new Date(0));
}

/**
 * Makes the package of a later version from a laid out one. Its stores have another schema if `schemaStep` is not 0.
 */
export function nextPackage(root: string, into: string, version: string, schemaStep: number): string {
  const next = join(into, version);
  cpSync(root, next, { recursive: true });
  const lib = join(next, 'usr/lib/wellhouse');
  const schema = Number(readFileSync(join(lib, 'schema'), 'utf8'));
  writeFileSync(join(lib, 'version'), `${version}\n`);
  writeFileSync(join(lib, 'schema'), `${schema + schemaStep}\n`);
  const control = ['control', 'preinst', 'postinst'].flatMap((name) => [
    `DEBIAN/${name}`,
    `usr/lib/wellhouse/package/DEBIAN/${name}`,
  ]);
  for (const name of control) {
    const text = readFileSync(join(next, name), 'utf8')
      .replaceAll('1.0.0', version)
      .replace(`keep_for_rollback ${schema}`, `keep_for_rollback ${schema + schemaStep}`);
    writeFileSync(join(next, name), text);
  }
  const file = join(into, `${version}.deb`);
  packDeb(next, file, 'none');
  return file;
}

/** Stubs for the programs that the maintainer scripts call. They log their calls and do what a test can do. */
const STUBS: Readonly<Record<string, string>> = {
  setpriv: 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
  chown: '',
  id: 'echo 0',
  systemctl: '',
  'apt-mark': '',
  'systemd-sysusers': '',
  'deb-systemd-helper': '',
  'deb-systemd-invoke': '',
};

/** A root folder with its own dpkg database. The user who runs the tests really installs packages in it. */
export class ScratchRoot {
  readonly path: string;
  readonly #bin: string;

  constructor(path: string) {
    this.path = path;
    this.#bin = join(path, '.stubs');
    for (const folder of ['var/lib/dpkg/info', 'var/lib/dpkg/updates', '.stubs']) {
      mkdirSync(join(path, folder), { recursive: true });
    }
    for (const file of ['status', 'available']) writeFileSync(join(path, 'var/lib/dpkg', file), '');
    const dpkg = `exec /usr/bin/dpkg ${this.#flags().join(' ')} "$@"`;
    for (const [name, act] of Object.entries({ ...STUBS, dpkg })) {
      const stub = join(this.#bin, name);
      writeFileSync(stub, `#!/bin/sh\necho "${name} $*" >>"${path}/.calls"\n${act}\n`);
      chmodSync(stub, 0o755);
    }
  }

  /** Runs dpkg or another program on this root. */
  run(program: string, ...args: readonly string[]) {
    const { PATH = '' } = process.env;
    const env = {
      PATH: `${this.#bin}:${PATH}:/usr/sbin:/sbin`,
      DPKG_ROOT: this.path,
      DPKG_ADMINDIR: join(this.path, 'var/lib/dpkg'),
      LC_ALL: 'C',
    };
    const done = spawnSync(program, args, {
      encoding: 'utf8',
      env: program === 'dpkg' ? { ...env, DPKG_ROOT: '' } : env,
    });
    return { code: done.status, said: done.stdout + done.stderr };
  }

  /** Returns the calls of the stubs, one per line. */
  calls(): string[] {
    return readFileSync(join(this.path, '.calls'), 'utf8').trim().split('\n');
  }

  at(path: string): string {
    return join(this.path, path);
  }

  #flags(): string[] {
    const force = 'not-root,script-chrootless,depends,unsafe-io,bad-path,architecture,confold,confdef';
    return [`--root=${this.path}`, `--force-${force}`, '--log=/dev/null'];
  }
}
