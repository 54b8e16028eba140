import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Plugin } from 'vite';
import { type WebSocket, WebSocketServer } from 'ws';
import { UiProof } from '../../src/main/owner/page/ui-proof.ts';
import { PROVE_PATH, type ProofRequest } from '../../src/shared/owner-api/proof.ts';
import { EVENTS_PATH, SOCKET_CLOSE, type SocketHello, type SocketMessage } from '../../src/shared/owner-api/socket.ts';
import { fakeAnswers } from './answers.ts';
import { type Answers, callFake, FakeError, type OnFakeEvent } from './fake.ts';

/** The token of the fake node. It protects nothing. */
export const FAKE_TOKEN = 'token-of-the-fake-node';

const proof = new UiProof(FAKE_TOKEN);

const API = /^\/ui\/api\/(\w+)$/;

/** Returns a plugin with which Vite's server answers owner calls and sends events, like a node. */
export function fakeNode(devices: number): Plugin {
  return {
    name: 'fake-node',
    configureServer({ middlewares, httpServer }) {
      const sockets = new Set<WebSocket>();
      const send = (socket: WebSocket, message: SocketMessage) => socket.send(JSON.stringify(message));
      const onEvent: OnFakeEvent = (event, payload) => {
        for (const socket of sockets) send(socket, { kind: 'event', event, payload });
      };
      const answers = fakeAnswers(devices, Date.now(), onEvent);
      const timer = setInterval(() => {
        const { devices: all } = answers.overview({ dayStart: 0 });
        onEvent('readings', { devices: all.map(({ id }) => id) });
        for (const socket of sockets) send(socket, { kind: 'alive' });
      }, 10_000);
      httpServer?.once('close', () => clearInterval(timer));

      middlewares.use((request, response, next) => {
        if (request.url === PROVE_PATH) return void answerProof(request, response).catch(next);
        const method = API.exec(request.url ?? '')?.[1];
        if (method === undefined || request.method !== 'POST') return next();
        answerCall(answers, method, request, response).catch(next);
      });
      const upgrades = new WebSocketServer({ noServer: true });
      httpServer?.on('upgrade', (request, socket, head) => {
        if (request.url !== EVENTS_PATH) return;
        upgrades.handleUpgrade(request, socket, head, (client) => {
          client.once('message', (data) => {
            const { token } = JSON.parse(data.toString()) as SocketHello;
            if (!proof.isOwner(token, request.headers.host ?? '')) return client.close(SOCKET_CLOSE.unauthorized);
            sockets.add(client);
            client.once('close', () => sockets.delete(client));
            send(client, { kind: 'ready' });
          });
        });
      });
    },
  };
}

async function answerProof(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { nonce } = JSON.parse(await text(request)) as ProofRequest;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify({ ok: true, value: proof.answer(request.headers.host ?? '', nonce) }));
}

async function answerCall(
  answers: Answers,
  method: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  const answer = (status: number, body: unknown) => {
    response.statusCode = status;
    response.end(JSON.stringify(body));
  };
  try {
    const { authorization, host = '' } = request.headers;
    if (proof.whoseHeader(authorization, host) === null) throw new FakeError('unauthorized');
    answer(200, { ok: true, value: callFake(answers, method, JSON.parse(await text(request))) });
  } catch (error) {
    if (!(error instanceof FakeError)) throw error;
    answer(error.code === 'unauthorized' ? 401 : 400, { ok: false, error: error.code });
  }
}
