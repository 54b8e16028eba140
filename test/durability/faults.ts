import { execFileSync } from 'node:child_process';
import { afterAll, expect } from 'vitest';
import { type Reply, send } from '../support/http.ts';
import { type NodeOptions, type RunningNode, startNode, startProcess } from '../support/node-process.ts';

/** A `startNode` whose nodes are gone after the calling file's tests, whichever of them failed half-way. */
export function nodeStarter(): typeof startNode {
  return starter(startNode);
}

/** The same with nodes in processes of their own. */
export function processStarter(): typeof startProcess {
  return starter(startProcess);
}

function starter<N extends RunningNode>(start: (options?: NodeOptions) => Promise<N>) {
  const nodes: N[] = [];
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.dispose()));
  });
  return async (options?: NodeOptions): Promise<N> => {
    const node = await start(options);
    nodes.push(node);
    return node;
  };
}

/** Makes files unchangeable even for root, who is stopped by no file mode. Returns false where that does not work. */
export function setImmutable(paths: readonly string[], immutable: boolean): boolean {
  try {
    execFileSync('chattr', [immutable ? '+i' : '-i', ...paths], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Fails unless the answer is what a store that takes no writes for now gives. */
export function expectUnavailable(reply: Reply): void {
  expect(reply.status, reply.text).toBe(503);
  expect(reply.json).toEqual({ error: 'storage_unavailable' });
  expect(String(reply.headers['retry-after'])).toMatch(/^[1-9][0-9]*$/);
}

/** Fails unless everything that only reads answers, serves the device, and is honest about what is written. */
export async function expectReadsGoOn(
  url: string,
  deviceId: string,
  statuses: readonly ('ok' | 'storage_unavailable')[] = ['storage_unavailable'],
): Promise<void> {
  const health = await send(`${url}/health`);
  const { status } = health.json as { status: (typeof statuses)[number] };
  expect(statuses).toContain(status);
  expect([health.status, health.json]).toEqual([status === 'ok' ? 200 : 503, { status, ts: expect.any(Number) }]);
  for (const path of ['/v1/devices', `/v1/devices/${deviceId}`, `/v1/devices/${deviceId}/telemetry`]) {
    const reply = await send(`${url}${path}`);
    expect(reply.status, `${path}: ${reply.text}`).toBe(200);
  }
}
