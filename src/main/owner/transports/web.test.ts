import fastify from 'fastify';
import { expect, it } from 'vitest';
import { PROVE_PATH } from '../../../shared/owner-api/proof.ts';
import type { OwnerService } from '../api/service.ts';
import { localUiRoutes } from './web.ts';

it('a stopping node gives no proof, since another program may answer at its address next', async () => {
  // Configured like the node's listeners: requests that arrive before the stop are answered.
  const app = fastify({ return503OnClosing: false });
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const service = { listen: () => () => {}, warmUp: () => {} } as unknown as OwnerService;
  localUiRoutes(app, { token: 'A'.repeat(43), service, files: () => new Map() });
  let seen = 0;
  let whileStopping = async () => 0;
  app.addHook('preClose', async () => {
    seen = await whileStopping();
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const prove = async () => {
    const body = JSON.stringify({ nonce: 'ab'.repeat(32) });
    const { status } = await fetch(address + PROVE_PATH, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    return status;
  };
  expect(await prove()).toBe(200);
  whileStopping = prove;
  await app.close();
  expect(seen).toBe(503);
});
