import { createPublicKey, verify } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Block, block as blockSchema, fieldsOf } from '../shared/protocol/block.ts';
import { deviceRegistration } from '../shared/protocol/device.ts';
import { deviceNotFound, invalidSignature, rawJsonMismatch } from '../shared/protocol/errors.ts';
import { parseJson64, stringifyJson64 } from '../shared/protocol/json64.ts';
import { agrees, parseRaw } from '../shared/protocol/raw.ts';

/** Returns an answer that replaces the default one; null for the default one. */
export type Script = (request: {
  path: string;
  body: unknown;
  count: number;
}) => { status: number; body: unknown } | null;

/**
 * A small HTTP server for the simulator's own tests. It checks requests with the shared schemas, verifies signatures
 * and the binding to raw, and keeps accepted blocks. It does not make the decisions of a node.
 */
export class StubNode {
  /** Every accepted block in the order of arrival, including duplicates. */
  readonly accepted: Block[] = [];
  readonly devices = new Map<string, unknown>();
  /** The blocks of every received batch, also with a scripted answer. */
  readonly batches: Block[][] = [];
  registrations = 0;
  script: Script = () => null;
  #server: http.Server | undefined;
  #count = 0;
  readonly #requests = new EventEmitter();

  /** Listens on a port (0: any) of 127.0.0.1. Resolves with the base URL. */
  async listen(port = 0): Promise<string> {
    const server = http.createServer((request, response) => void this.#serve(request, response));
    this.#server = server;
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Resolves when the condition is true; it is checked after every answer. */
  async until(isMet: () => boolean): Promise<void> {
    while (!isMet()) await once(this.#requests, 'answered');
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const body = parseJson64(text);
    const path = request.url ?? '';
    this.#count += 1;
    if (path === '/v1/devices') this.registrations += 1;
    if (path === '/v1/telemetry') this.batches.push((body as { blocks: Block[] }).blocks);
    const answer = this.script({ path, body, count: this.#count }) ?? this.#answer(path, body);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(stringifyJson64(answer.body));
    this.#requests.emit('answered');
  }

  #answer(path: string, body: unknown): { status: number; body: unknown } {
    if (path === '/v1/devices') return this.#register(body);
    if (path !== '/v1/telemetry') return { status: 404, body: { error: 'not_found' } };
    const { blocks } = body as { blocks: unknown[] };
    const errors: { seq: string; error: string }[] = [];
    for (const sent of blocks) {
      const sound = blockSchema.parse(sent);
      const error = this.#judge(sound);
      if (error === null) this.accepted.push(sound);
      else errors.push({ seq: sound.seq, error });
    }
    return { status: errors.length > 0 ? 207 : 200, body: { accepted: blocks.length - errors.length, errors } };
  }

  #register(body: unknown): { status: number; body: unknown } {
    const device = deviceRegistration.parse(body);
    if (this.devices.has(device.id)) return { status: 409, body: { error: 'device_already_exists' } };
    this.devices.set(device.id, device);
    return { status: 201, body: { device } };
  }

  #judge(sound: Block): string | null {
    const id = sound.deviceId;
    if (!this.devices.has(id)) return deviceNotFound(id);
    const x = Buffer.from(id, 'hex').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const bytes = Buffer.from(sound.raw, 'hex');
    if (!verify(null, bytes, key, Buffer.from(sound.signature, 'hex'))) return invalidSignature(id);
    const raw = parseRaw(bytes.toString('utf8'));
    const plain = fieldsOf(sound).filter(([, field]) => field.plain !== undefined);
    const isBound =
      raw !== null &&
      [raw.deviceId, raw.seq, raw.timestamp, raw.keyVersion].join() ===
        [id, sound.seq, sound.timestamp, String(sound.keyVersion)].join() &&
      raw.fields.size === plain.length &&
      plain.every(([name, field]) => {
        const number = raw.fields.get(name);
        return number !== undefined && agrees(number, field.plain!);
      });
    return isBound ? null : rawJsonMismatch(id);
  }
}
