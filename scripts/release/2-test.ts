import { spawnSync } from 'node:child_process';

// node scripts/release/2-test.ts: the checks of a release on this system: a clean tree at a tag, a new install, all
// tests. Run it on each system that has a package.

/** Runs a command to its end and returns its output. Ends this script if the command fails. */
function run(command: string, options: { readonly quiet?: boolean } = {}): string {
  // On Windows, npm is a batch file that only a shell runs.
  const stdio = options.quiet ? 'pipe' : (['ignore', 'inherit', 'inherit'] as const);
  const { status, stdout } = spawnSync(command, { shell: true, encoding: 'utf8', stdio: stdio as 'pipe' });
  if (status !== 0) {
    console.error(`release: ${command} failed`);
    process.exit(1);
  }
  return stdout ?? '';
}

const changed = run('git status --porcelain', { quiet: true });
if (changed !== '') {
  console.error(`release: the tree is not clean:\n${changed}`);
  process.exit(1);
}
const tag = run('git describe --exact-match --tags', { quiet: true }).trim();
console.log(`release: ${tag} on ${process.platform} ${process.arch}`);
run('node scripts/preflight.mjs');
run('npm ci');
run('npm test');
