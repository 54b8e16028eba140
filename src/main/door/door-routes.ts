import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CHALLENGE_PATH, VERIFY_PATH } from '../../shared/auth-challenge.ts';
import type { PairAnswer, PairingEnd } from '../../shared/owner-api/door.ts';
import { ENDED_PATH, PAIR_PATH } from '../../shared/pairing-link.ts';
import type { Clock } from '../common/clock.ts';
import type { LetIn } from '../common/node-events.ts';
import { OwnerError } from '../common/owner-error.ts';
import { sendError, sendJson } from '../http/errors.ts';
import type { OwnerService } from '../owner/api/service.ts';
import type { UiFiles } from '../owner/page/ui-files.ts';
import { COMMON_HEADERS } from '../owner/page/ui-page.ts';
import { sendAnswer, uiRoutes, type WebClients } from '../owner/transports/web.ts';
import type { Challenges } from './challenges.ts';
import { cookieIn, doorAccess, keepingCookie, pageTokenOf } from './door-access.ts';
import type { OpenPairing } from './pairing/open-pairing.ts';
import type { Pairings } from './pairing/pairings.ts';
import type { Patience } from './pairing/patience.ts';
import type { DoorTls } from './tls/certificate.ts';

export interface DoorRoutesOptions {
  readonly service: OwnerService;
  readonly files: UiFiles;
  readonly pairings: Pairings;
  readonly openPairing: OpenPairing;
  readonly challenges: Challenges;
  readonly patience: Patience;
  readonly clock: Clock;
  /** This node's key in lowercase hex. */
  readonly nodePublicKey: () => string;
  readonly tls: () => DoorTls;
  /** Called for each connection of a paired client. */
  readonly letIn: (socket: Socket) => void;
  /** Called when a client was paired or authenticated. */
  readonly paired: (letIn: LetIn) => void;
  /** Called after a wrong code or signature. */
  readonly refused: (cause: 'wrong_code' | 'wrong_key', address: string) => void;
}

const MAX_BODY_BYTES = 1024;
/** The duration of a session that was opened by a signature. */
const KEY_SESSION_MS = 12 * 3_600_000;

const pairRequest = z.strictObject({ code: z.string().max(40), as: z.enum(['browser', 'app']) });
const verifyRequest = z.strictObject({
  publicKey: z.string().regex(/^[0-9a-f]{64}$/),
  challenge: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});

/** Adds all routes of the door: the owner's view, pairing by code, and authentication by an owner's key. */
export function doorRoutes(app: FastifyInstance, options: DoorRoutesOptions): WebClients {
  const { service, files, pairings, tls } = options;
  const clients = uiRoutes(app, { service, files, access: doorAccess(pairings, options.letIn) });
  app.addHook('onSend', async (request, reply) => {
    reply.headers(COMMON_HEADERS);
    // Each visit renews the cookie, which browsers delete after some months.
    const isPage = request.routeOptions.url === '/ui/' && request.method === 'GET';
    const token = isPage ? cookieIn(request.headers.cookie) : null;
    if (token !== null && pairings.callerOf(token, request.ip) !== null)
      reply.header('set-cookie', keepingCookie(token));
  });
  app.get('/', (_request, reply) => reply.redirect('/ui/', 308));
  // The authority's certificate, which a phone is told to trust. It is in every handshake, and reveals nothing about
  // the owner.
  app.get('/ui/wellhouse-ca.crt', (_request, reply) =>
    reply
      .headers({ ...COMMON_HEADERS, 'cache-control': 'no-store' })
      .header('content-type', 'application/x-x509-ca-cert')
      .header('content-disposition', 'attachment; filename="wellhouse-ca.crt"')
      .send(tls().facts.authority),
  );
  pairRoute(app, options);
  endedRoute(app, options);
  authRoutes(app, options);
  return clients;
}

function pairRoute(app: FastifyInstance, options: DoorRoutesOptions): void {
  const { pairings, openPairing, nodePublicKey, paired, refused } = options;
  app.post(PAIR_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const parsed = pairRequest.safeParse(bodyOf(request));
    if (!parsed.success) return sendAnswer(reply, { ok: false, error: 'invalid_input' });
    const { code, as } = parsed.data;
    // A page gets a cookie that it can't read, never a token; and only the door's own page gets it.
    const { origin } = request.headers;
    if (as === 'app' ? origin !== undefined : origin !== `https://${request.host}`) {
      return sendAnswer(reply, { ok: false, error: 'forbidden', details: 'origin' });
    }
    if (hasToWait(options, request, reply)) return reply;
    const offered = openPairing.redeem(code);
    if (offered === null) {
      options.patience.wrong(request.ip);
      refused('wrong_code', request.ip);
      return sendAnswer(reply, { ok: false, error: 'unauthorized', details: 'wrong_code' });
    }
    options.patience.right(request.ip);
    try {
      const { pairing, token } = await pairings.add({ ...offered, kind: as, endsAt: null, ownerKey: null });
      pairings.callerOf(token, request.ip);
      const { id, name, role, mayUnlock } = pairing;
      paired({ id, name, kind: as, role, ownerKey: null, address: request.ip });
      if (as === 'browser') reply.header('set-cookie', keepingCookie(token));
      const answer: PairAnswer = { name, role, node: nodePublicKey(), mayUnlock, token: as === 'app' ? token : null };
      return sendAnswer(reply, { ok: true, json: JSON.stringify(answer) });
    } catch (error) {
      if (error instanceof OwnerError)
        return sendAnswer(reply, { ok: false, error: error.code, details: error.message });
      throw error;
    }
  });
}

/**
 * Adds the route that tells a browser when its pairing was revoked. Only a token that was once valid gets a different
 * answer than a stranger.
 */
function endedRoute(app: FastifyInstance, { pairings }: DoorRoutesOptions): void {
  app.post(ENDED_PATH, { bodyLimit: MAX_BODY_BYTES }, (request, reply) => {
    reply.header('cache-control', 'no-store');
    const token = pageTokenOf(request);
    const answer: PairingEnd = { endedAt: token === null ? null : pairings.endOf(token) };
    return sendAnswer(reply, { ok: true, json: JSON.stringify(answer) });
  });
}

/** Adds the planned authentication of the specification, for owners whose keys the node trusts. */
function authRoutes(app: FastifyInstance, options: DoorRoutesOptions): void {
  const { challenges, pairings, nodePublicKey, clock, paired, refused } = options;
  app.get(CHALLENGE_PATH, (request, reply) => {
    reply.header('cache-control', 'no-store');
    return sendJson(reply, JSON.stringify(challenges.make(nodePublicKey(), request.ip)));
  });
  app.post(VERIFY_PATH, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const parsed = verifyRequest.safeParse(bodyOf(request));
    if (!parsed.success) return sendError(reply, 'validation_error');
    if (hasToWait(options, request, reply)) return reply;
    const { publicKey, challenge, signature } = parsed.data;
    const isAnswered = challenges.isAnswered(challenge, publicKey, signature);
    if (!isAnswered || !pairings.keys.includes(publicKey)) {
      options.patience.wrong(request.ip);
      refused('wrong_key', request.ip);
      return sendError(reply, 'unauthorized');
    }
    options.patience.right(request.ip);
    const endsAt = clock.now() + KEY_SESSION_MS;
    try {
      const made = { name: `Key ${publicKey.slice(0, 8)}`, role: 'owner', devices: null } as const;
      const { pairing, token } = await pairings.add({
        ...{ ...made, mayUnlock: false, mayLog: false },
        ...{ kind: 'key', endsAt, ownerKey: publicKey },
      });
      pairings.callerOf(token, request.ip);
      const { id, name, role } = pairing;
      paired({ id, name, kind: 'key', role, ownerKey: publicKey, address: request.ip });
      return sendJson(reply, JSON.stringify({ token, role: 'owner', expiresAt: endsAt }));
    } catch (error) {
      if (error instanceof OwnerError) return sendError(reply, 'storage_unavailable');
      throw error;
    }
  });
}

/** Refuses an address that must wait after a wrong try; returns whether it did. */
function hasToWait({ patience }: DoorRoutesOptions, { ip }: FastifyRequest, reply: FastifyReply): boolean {
  const wait = patience.wait(ip);
  if (wait === 0) return false;
  void sendError(reply.header('retry-after', wait), 'rate_limited');
  return true;
}

function bodyOf({ body }: FastifyRequest): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return null;
  }
}
