import { describe, expect, it } from 'vitest';
import { aroundTests } from '../many-homes/around-it.ts';
import { failingDatabaseTests } from '../many-homes/failing-database.ts';
import { operatorTests } from '../many-homes/operator.ts';
import { describeTwoNodes, PASSWORD } from '../many-homes/two-nodes.ts';

describeTwoNodes('two nodes', ({ nodes, server, env, programs }) => {
  describe('and what is around them', () => aroundTests(env, server, programs));
  describe('over a failing database', () => failingDatabaseTests(env, server));
  describe('and their operator', () => operatorTests(env, server));

  it('say nothing of the password', () => {
    for (const { stdout, stderr } of nodes()) expect(stdout + stderr).not.toContain(PASSWORD);
  });
});
