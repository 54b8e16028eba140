import { describe, expect, test } from 'vitest';
import { outsideAddress } from '../support/addresses.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();
const outside = outsideAddress();
const skipReason = outside === null ? ' (skipped: only a loopback address here)' : '';

describe.each(ENDPOINTS)('GET /health, %s endpoint', (endpoint) => {
  test('returns only ok and the time', async () => {
    const before = Date.now();
    const reply = await send(`${node.url(endpoint)}/health`);
    const after = Date.now();

    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toMatch(/^application\/json\b/);
    const body = reply.json as { status: string; ts: number };
    expect(Object.keys(body).sort()).toEqual(['status', 'ts']);
    expect(body.status).toBe('ok');
    expect(body.ts).toBeGreaterThanOrEqual(before);
    expect(body.ts).toBeLessThanOrEqual(after);
  });
});

describe.skipIf(outside === null)(`where the endpoints listen${skipReason}`, () => {
  test('the public endpoint answers on every address', async () => {
    const { port } = new URL(node.url('public'));
    expect((await send(`http://${outside}:${port}/health`)).status).toBe(200);
  });

  test('the local endpoint answers on loopback alone', async () => {
    const { port } = new URL(node.url('local'));
    await expect(send(`http://${outside}:${port}/health`)).rejects.toThrow(/ECONNREFUSED/);
  });
});
