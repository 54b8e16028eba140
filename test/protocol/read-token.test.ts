import { describe, expect, test } from 'vitest';
import { accept, handWritten, registeredDevice } from '../support/client.ts';
import { exchange, send } from '../support/http.ts';
import { runningNode, runToEnd } from '../support/node-process.ts';

const TOKEN = 'a-token-of-24-characters';
const node = runningNode({ env: { LOCAL_READ_TOKEN: TOKEN } });
const url = () => node.url('local');
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('with a token for reads', () => {
  test('devices register and post without it', async () => {
    await accept(url(), handWritten(await registeredDevice(url())));
    expect((await send(`${url()}/health`)).status).toBe(200);
  });

  test('reads need it, for any spelling of the path', async () => {
    const { id } = await registeredDevice(url());
    for (const path of [
      '/v1/devices',
      `/v1/devices/${id}`,
      `/v1/devices/${id}/telemetry`,
      '/%761/devices',
      '/v1/devices?x',
    ]) {
      for (const options of [{}, bearer('wrong'), bearer(`${TOKEN}x`), { headers: { authorization: TOKEN } }]) {
        const reply = await send(url() + path, options);
        expect([path, reply.status, reply.json]).toEqual([path, 401, { error: 'unauthorized' }]);
        expect(reply.headers['www-authenticate']).toBe('Bearer');
      }
      expect((await send(url() + path, bearer(TOKEN))).status).toBe(200);
    }
    expect(
      await exchange(url(), `HEAD /v1/devices HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    ).toContain('401');
  });

  test('the public endpoint needs none', async () => {
    expect((await send(`${node.url('public')}/v1/devices`)).status).toBe(200);
  });

  test('a token that is too short stops the start, and is not repeated', async () => {
    const { code, stderr } = await runToEnd({ env: { LOCAL_READ_TOKEN: 'short-secret' } });
    expect(code).not.toBe(0);
    expect(stderr).toContain('LOCAL_READ_TOKEN');
    expect(stderr).not.toContain('short-secret');
  });
});
