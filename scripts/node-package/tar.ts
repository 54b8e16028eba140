import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { tidyModes } from './deb.ts';
import { PLACES, template } from './files.ts';
import { type Stage, stageProgram, valuesOf } from './stage.ts';
import { run, type Target } from './target.ts';

/** The name of the archive, without its ending: that of the folder in it. */
export function tarName(version: string, { npm }: Target): string {
  return `wellhouse-node-${version}-linux-${npm}`;
}

/** Lays out what the archive holds under `root`, which is not there. */
export function stageTar(stage: Omit<Stage, 'place'>, root: string): void {
  const place = PLACES.tar;
  mkdirSync(root, { recursive: true });
  stageProgram({ ...stage, place }, join(root, 'wellhouse'));
  writeFileSync(join(root, 'install.sh'), template('tar-install.sh', valuesOf({ ...stage, place })));
  chmodSync(join(root, 'install.sh'), 0o755);
  tidyModes(root);
}

/** Packs what stageTar laid out. Throws PackageError. */
export function packTar(root: string, file: string, isQuick = false): void {
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
  run('tar', ['-C', dirname(root), ...owner, '-I', `xz -T0 ${isQuick ? '-0' : '-6'}`, '-cf', file, basename(root)], {
    missing: 'tar is missing: GNU tar and xz make the archive; --deb makes the Debian package alone',
  });
}
