import { spawnSync } from 'node:child_process';

// node scripts/release/2-test.ts: what a release has passed, on this system: a clean tree at a tag, a fresh install, all
// tests. To be run on each system that gets a package.

/** Runs a command to its end and hands back what it printed; ends this script where it fails. */
function run(command: string, options: { readonly quiet?: boolean } = {}): string {
  // npm is a batch file on Windows, which only a shell runs.
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
