import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { debFile, packDeb, stageDeb, tidyModes } from './node-package/deb.ts';
import { PLACES, template } from './node-package/files.ts';
import { installModules, type Stage, stageProgram, valuesOf } from './node-package/stage.ts';
import { PackageError, run, TARGETS, type Target } from './node-package/target.ts';

// Creates the packages of the headless node for Linux in dist/, for both processors, on any machine with npm, dpkg-deb,
// tar and xz.

const USAGE = `Usage: npm run package:node -- [OPTION…]

  --arch arm64|x64  for this processor alone
  --deb             the Debian package alone
  --tar             the archive with install.sh alone
  --stage           unpacked in dist/stage-ARCH, for a container (packaging/node/Containerfile)
  --out FOLDER      where they go (dist)
  --quick           hardly compressed, for trials
  --help            show this`;

function main(): void {
  const { values } = readArgs();
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const targets = TARGETS.filter(({ npm }) => values.arch === undefined || values.arch === npm);
  if (targets.length === 0) throw new PackageError(`there is no package for ${values.arch}: use arm64 or x64`);
  if (!values.stage) requireTools(values.deb ? ['dpkg-deb'] : values.tar ? ['tar', 'xz'] : ['dpkg-deb', 'tar', 'xz']);
  const project = resolve(import.meta.dirname, '..');
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { version: string };
  const out = resolve(values.out);
  build(project);
  mkdirSync(out, { recursive: true });
  for (const target of targets) {
    const work = mkdtempSync(join(tmpdir(), 'wellhouse-package-'));
    try {
      const modules = join(work, 'modules');
      mkdirSync(modules);
      installModules(project, modules, target);
      const stage = { project, modules, target, version };
      if (values.stage) {
        const root = join(out, `stage-${target.npm}`);
        rmSync(root, { recursive: true, force: true });
        stageDeb(stage, root, new Date());
        console.log(root);
        continue;
      }
      if (!values.tar) {
        const root = join(work, 'deb');
        stageDeb(stage, root, new Date());
        say(packed(join(out, debFile(version, target)), (file) => packDeb(root, file, values.quick ? 'none' : 'xz')));
      }
      if (!values.deb) {
        const root = join(work, tarName(version, target));
        stageTar(stage, root);
        say(packed(join(out, `${tarName(version, target)}.tar.xz`), (file) => packTar(root, file, values.quick)));
      }
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
}

function readArgs() {
  try {
    return parseArgs({
      options: {
        arch: { type: 'string' },
        deb: { type: 'boolean', default: false },
        tar: { type: 'boolean', default: false },
        stage: { type: 'boolean', default: false },
        out: { type: 'string', default: 'dist' },
        quick: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new PackageError(`${(error as Error).message.split('. ')[0]}; see --help`);
  }
}

/** Checks the tools before the build, so that a missing program is reported at once. */
function requireTools(tools: readonly string[]): void {
  const missing = tools.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
  if (missing.length > 0) {
    throw new PackageError(
      `${missing.join(', ')} missing: packages for Linux are made on Linux (Debian: apt install dpkg tar xz-utils); ` +
        '--tar needs only tar and xz, --deb only dpkg-deb',
    );
  }
}

function build(project: string): void {
  const { status } = spawnSync(process.execPath, ['scripts/build-if-needed.ts'], { cwd: project, stdio: 'inherit' });
  if (status !== 0) throw new PackageError('the build failed');
}

function packed(file: string, pack: (file: string) => void): string {
  rmSync(file, { force: true });
  pack(file);
  return file;
}

function say(file: string): void {
  console.log(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof PackageError)) throw error;
  console.error(`package:node: ${error.message}`);
  process.exitCode = 1;
}

/** Returns the name of the archive without its ending, which is also the name of the folder in it. */
function tarName(version: string, { npm }: Target): string {
  return `wellhouse-node-${version}-linux-${npm}`;
}

/** Lays out the archive's contents under `root`, which must not exist. */
function stageTar(stage: Omit<Stage, 'place'>, root: string): void {
  const place = PLACES.tar;
  mkdirSync(root, { recursive: true });
  stageProgram({ ...stage, place }, join(root, 'wellhouse'));
  writeFileSync(join(root, 'install.sh'), template('tar-install.sh', valuesOf({ ...stage, place })));
  chmodSync(join(root, 'install.sh'), 0o755);
  tidyModes(root);
}

/** Packs the result of stageTar. Throws PackageError. */
function packTar(root: string, file: string, isQuick = false): void {
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
  run('tar', ['-C', dirname(root), ...owner, '-I', `xz -T0 ${isQuick ? '-0' : '-6'}`, '-cf', file, basename(root)], {
    missing: 'tar is missing: GNU tar and xz make the archive; --deb makes the Debian package alone',
  });
}
