import { expect, it } from 'vitest';
import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import type { OtherNode } from '../../shared/owner-api/nodes.ts';
import { NodeConnection } from './node-connection.ts';

const NO_API = {} as OwnerApi;

it.each([
  ['owner', true],
  ['viewer', false],
] as const)('at another node, while this one is an %s, the page may log: %s', (role, mayLog) => {
  const own = new NodeConnection('own', NO_API, null);

  const other = new NodeConnection('other', NO_API, null, { own, node: { role } as OtherNode });

  expect(own.me).toMatchObject({ role: 'owner', mayLog: true });
  expect(other.me).toMatchObject({ role, mayLog });
});
