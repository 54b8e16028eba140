import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');

/** The reason why the recipe can't be tried on this machine; empty if it can. */
function hindrances(): string[] {
  const found: string[] = [];
  for (const tool of ['ip', 'ssh', 'sshd', 'ssh-keygen', 'useradd']) {
    const folders = ['/usr/sbin', '/usr/bin', '/sbin', '/bin'];
    if (!folders.some((folder) => existsSync(join(folder, tool)))) found.push(`no ${tool}`);
  }
  const namespaces = spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true']);
  if (namespaces.status !== 0) found.push('no right to make namespaces');
  if (!existsSync(join(project, 'out/main/headless.js'))) found.push('not built');
  return found;
}

// Needs root and Debian's openssh-server and iproute2, which the node itself does not: elsewhere it is skipped, by name.
const missing = hindrances();
const reason = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')})`;

test.skipIf(missing.length > 0)(`every step of docs/tunnel.md holds${reason}`, { timeout: 120_000 }, () => {
  const tried = spawnSync(join(project, 'scripts/try-tunnel.sh'), { encoding: 'utf8' });
  expect(tried.stdout + tried.stderr).toMatch(/^try-tunnel: every step held$/m);
  expect(tried.status).toBe(0);
});
