import { execFileSync } from 'node:child_process';
import { afterAll, expect } from 'vitest';
import { type Reply, send } from '../support/http.ts';
import { type NodeOptions, type NodeProcess, startNode } from '../support/node-process.ts';

/** A `startNode` whose nodes are gone after the calling file's tests, whichever of them failed half-way. */
export function nodeStarter(): (options?: NodeOptions) => Promise<NodeProcess> {
  const nodes: NodeProcess[] = [];
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.dispose()));
  });
  return async (options) => {
    const node = await startNode(options);
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

/** Fails unless everything that only reads answers, and serves the device. */
export async function expectReadsGoOn(url: string, deviceId: string): Promise<void> {
  for (const path of ['/health', '/v1/devices', `/v1/devices/${deviceId}`, `/v1/devices/${deviceId}/telemetry`]) {
    const reply = await send(`${url}${path}`);
    expect(reply.status, `${path}: ${reply.text}`).toBe(200);
  }
}
