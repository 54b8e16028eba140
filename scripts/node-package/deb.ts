import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PLACES, settingsFile, template, unitFor } from './files.ts';
import { type Stage, stageProgram, valuesOf } from './stage.ts';
import { GLIBC_MINOR, run, type Target } from './target.ts';

export const DEB_NAME = 'wellhouse-node';
const MAINTAINER = 'The Wellhouse authors <maintainers@wellhouse.invalid>';
const SCRIPTS = ['preinst', 'postinst', 'prerm', 'postrm'];

/** The compression of dpkg-deb. `none` is for tests, which do not need a small file. */
export type Compression = 'xz' | 'none';

/** Returns a version in Debian's form, in which `1.0.0-beta.1` sorts before `1.0.0`. */
export function debianVersion(version: string): string {
  return version.replace('-', '~');
}

/** Returns the name of the package's file. */
export function debFile(version: string, { debian }: Target): string {
  return `${DEB_NAME}_${debianVersion(version)}_${debian}.deb`;
}

/** Lays out a Debian package under `root`, which must not exist. `at` is the time for the changelog. */
export function stageDeb(stage: Omit<Stage, 'place'>, root: string, at: Date): void {
  const place = PLACES.deb;
  const { target } = stage;
  const version = debianVersion(stage.version);
  const values = { ...valuesOf({ ...stage, place }), version };
  const write = (path: string, text: string | Uint8Array, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    chmodSync(join(root, path), mode);
  };
  stageProgram({ ...stage, version, place }, join(root, place.lib));
  write('usr/bin/wellhouse', template('wellhouse.sh', values), 0o755);
  write('usr/lib/systemd/system/wellhouse.service', unitFor(place));
  write('usr/lib/sysusers.d/wellhouse-node.conf', template('sysusers.conf', values));
  write('etc/default/wellhouse', settingsFile());
  write('usr/share/man/man1/wellhouse.1.gz', gzipSync(template('wellhouse.1', values), { level: 9 }));
  write('usr/share/lintian/overrides/wellhouse-node', template('lintian-overrides', values));
  const doc = `usr/share/doc/${DEB_NAME}`;
  write(`${doc}/copyright`, copyright(stage.project));
  write(`${doc}/changelog.gz`, gzipSync(changelog(version, at), { level: 9 }));
  const control: Readonly<Record<string, string>> = {
    control: controlOf(version, target, join(root, 'usr')),
    conffiles: '/etc/default/wellhouse\n',
    ...Object.fromEntries(SCRIPTS.map((script) => [script, template(`deb/${script}`, values)])),
  };
  for (const [name, text] of Object.entries(control)) {
    write(`DEBIAN/${name}`, text);
    // A second copy for a rollback: dpkg does not hand out all of these files.
    write(`${place.lib.slice(1)}/package/DEBIAN/${name}`, text);
  }
  write('DEBIAN/md5sums', md5sums(root));
  tidyModes(root);
  for (const script of SCRIPTS) chmodSync(join(root, 'DEBIAN', script), 0o755);
}

/** Packs the result of stageDeb. Throws PackageError. */
export function packDeb(root: string, file: string, compression: Compression = 'xz'): void {
  run('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', root, file], {
    missing: 'dpkg-deb is missing: make the .deb on Debian or Ubuntu, or say --tar for the other package alone',
  });
}

function controlOf(version: string, { debian }: Target, installed: string): string {
  return `Package: ${DEB_NAME}
Version: ${version}
Architecture: ${debian}
Maintainer: ${MAINTAINER}
Installed-Size: ${Math.ceil(sizeOf(installed) / 1024)}
Depends: libc6 (>= 2.${GLIBC_MINOR}), libgcc-s1, libstdc++6 (>= 11), init-system-helpers (>= 1.54), systemd | systemd-standalone-sysusers | systemd-sysusers
Recommends: systemd
Conflicts: wellhouse
Section: net
Priority: optional
Homepage: https://wellhouse.invalid/
Description: node for the signed readings of sensor devices
 The owner's own end of a network of sensor devices, as a service without a
 screen: takes in their signed readings, keeps them in two separate stores, and
 shows them on a page of its own. It brings its own Node.
`;
}

function copyright(project: string): string {
  const license = readFileSync(join(project, 'LICENSE'), 'utf8').trim().split('\n');
  const text = license.map((line) => (line === '' ? ' .' : ` ${line}`)).join('\n');
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Wellhouse
Comment: Node and each module under ${PLACES.deb.lib}/node_modules come with a
 license of their own, which lies beside them.

Files: *
Copyright: The Wellhouse authors
License: Expat
${text}
`;
}

function changelog(version: string, at: Date): string {
  const [day, date, month, year, time] = at.toUTCString().replace(',', '').split(' ');
  return `${DEB_NAME} (${version}) unstable; urgency=medium

  * What changed is in CHANGELOG.md of the sources.

 -- ${MAINTAINER}  ${day}, ${date} ${month} ${year} ${time} +0000
`;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sizeOf(folder: string): number {
  return filesUnder(folder).reduce((sum, path) => sum + statSync(path).size, 0);
}

function md5sums(root: string): string {
  return filesUnder(root)
    .map((path) => ({ path, name: relative(root, path).split(sep).join('/') }))
    .filter(({ name }) => !name.startsWith('DEBIAN/') && !name.startsWith('etc/'))
    .map(({ path, name }) => `${createHash('md5').update(readFileSync(path)).digest('hex')}  ${name}\n`)
    .join('');
}

/**
 * Sets modes, whatever the umask of the user who packs: everyone can read the installed files, and only root can write
 * them.
 */
export function tidyModes(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, isProgram(path) ? 0o755 : 0o644);
  }
}

const PROGRAMS = ['bin/node', 'bin/wellhouse', 'rollback', 'install-files', 'install.sh', 'package/wellhouse'];

function isProgram(path: string): boolean {
  const name = path.split(sep).join('/');
  return PROGRAMS.some((program) => name.endsWith(`/${program}`));
}
