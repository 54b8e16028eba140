import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_VERSION } from '../../src/main/store/sqlite/file/migrations.ts';
import { type Place, settingsFile, template, unitFor, type Values } from './files.ts';
import { copyModules } from './modules.ts';
import { sbomOf } from './sbom.ts';
import { GLIBC_MINOR, run, type Target } from './target.ts';

// Lays out the program's own folder, which is the same in every package for one processor.

/** The files that start the node, without the desktop's entry. */
const ENTRIES = ['headless.js', 'wellhouse.js'];

/** The contents of a package. */
export interface Stage {
  readonly version: string;
  readonly target: Target;
  readonly place: Place;
  /** An installed project: its dependencies and Node for the target. */
  readonly modules: string;
  /** The built project. */
  readonly project: string;
}

/** Installs what the node needs on a processor into an empty folder; runs on any machine. Throws PackageError. */
export function installModules(project: string, into: string, { npm }: Target): void {
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(project, file), join(into, file));
  run('npm', ['ci', '--omit=dev', '--os=linux', `--cpu=${npm}`, '--libc=glibc', '--no-audit', '--no-fund'], {
    cwd: into,
  });
}

/** Returns the values that the templates of a package need. */
export function valuesOf({ version, target, place }: Pick<Stage, 'version' | 'target' | 'place'>): Values {
  return {
    lib: place.lib,
    kind: place.kind,
    version,
    schema: STORE_VERSION,
    arch: target.npm,
    machine: target.machine,
    glibc_minor: GLIBC_MINOR,
  };
}

/**
 * Returns the files of out/main that the node's entries name, directly or through other files. Workers are named by
 * their file too.
 */
export function builtFiles(folder: string): string[] {
  const all = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const code = readFileSync(join(folder, name), 'utf8');
    for (const other of all) if (code.includes(`./${other}`)) visit(other);
  };
  for (const entry of ENTRIES) visit(entry);
  return [...found].sort();
}

/** Creates the program's folder in `into`, which must not exist. */
export function stageProgram(stage: Stage, into: string): void {
  const { project, modules, target, place, version } = stage;
  const values = valuesOf(stage);
  const write = (path: string, text: string, mode = 0o644) => {
    writeFileSync(join(into, path), text);
    chmodSync(join(into, path), mode);
  };
  for (const folder of ['bin', 'out/main', 'package']) mkdirSync(join(into, folder), { recursive: true });
  const node = join(modules, 'node_modules', `node-linux-${target.npm}`);
  copyFileSync(join(node, 'bin', 'node'), join(into, 'bin', 'node'));
  chmodSync(join(into, 'bin', 'node'), 0o755);
  copyFileSync(join(node, 'LICENSE'), join(into, 'bin', 'LICENSE'));
  for (const file of builtFiles(join(project, 'out/main'))) {
    copyFileSync(join(project, 'out/main', file), join(into, 'out/main', file));
  }
  cpSync(join(project, 'out/renderer'), join(into, 'out/renderer'), { recursive: true });
  copyModules(modules, into, target);
  const { name, type, license } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  write('package.json', `${JSON.stringify({ name, version, type, license }, null, 2)}\n`);
  copyFileSync(join(project, 'LICENSE'), join(into, 'LICENSE'));
  write('sbom.cdx.json', sbomOf(project));
  write('version', `${version}\n`);
  write('schema', `${values.schema}\n`);
  write('rollback', template('rollback.sh', values), 0o755);
  write('package/default', settingsFile());
  if (place.kind === 'tar') {
    write('package/wellhouse.service', unitFor(place));
    write('package/wellhouse', template('wellhouse.sh', values), 0o755);
    write('install-files', template('tar-install-files.sh', values), 0o755);
  }
}
