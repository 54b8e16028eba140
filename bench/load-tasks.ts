import { Connection } from './connection.ts';
import { type Distribution, distribution } from './latencies.ts';
import { each, repeatedly, run, type StreamResult, until } from './stream.ts';
import { httpRequest, Traffic } from './traffic.ts';

/**
 * The tasks of the load generator. Blocks are signed before the measurement. Every task first warms up the node with
 * work of its own kind, so that the compiler's start is not measured.
 */

/** A number of requests, each with the same number of blocks. */
interface Posts {
  readonly port: number;
  readonly connections: number;
  readonly requests: number;
  readonly blocksPerRequest: number;
}

/**
 * The fraction of a stream's requests that is sent before the measurement: the rate of single blocks grows for the
 * first 15,000.
 */
const WARM_UP_SHARE = 0.5;

/** The number of connections for posts at a fixed rate. */
const PACED = 16;

let traffic = new Traffic(0, 0);

async function postFresh({ port, connections, requests, blocksPerRequest }: Posts): Promise<StreamResult> {
  const warmUp = traffic.posts(Math.ceil(requests * WARM_UP_SHARE), blocksPerRequest);
  const measured = traffic.posts(requests, blocksPerRequest);
  await run({ port, connections, next: each(warmUp) });
  return await run({ port, connections, next: each(measured) });
}

export const tasks = {
  /**
   * Creates the devices and registers each on the ports. Registered devices stay as they are. `forwarded`: like a load
   * balancer that names many clients.
   */
  async register(order: { ports: readonly number[]; devices: number; firstSeq: number; forwarded?: boolean }) {
    const { ports, devices, firstSeq, forwarded = false } = order;
    traffic = new Traffic(devices, firstSeq);
    for (const port of ports) {
      const connection = await Connection.open(port);
      for (const [index, device] of traffic.devices.entries()) {
        const headers = forwarded ? `X-Forwarded-For: 198.51.${index >> 8}.${index & 255}\r\n` : '';
        const { status, bodyStart } = await connection.exchange(
          httpRequest('POST', '/v1/devices', device.registration(), headers),
        );
        if (status !== 201 && status !== 409) throw new Error(`a registration was answered ${status}: ${bodyStart}`);
      }
      connection.close();
    }
  },

  /** Sends 500 more readings of every device, so that "the latest 500" is a full answer. */
  async fill({ port }: { port: number }) {
    const requests = traffic.devices.flatMap((_, device) => traffic.posts(5, 100, device));
    await run({ port, connections: 2, next: each(requests) });
  },

  /** Posts new blocks as fast as the node accepts them. */
  post: postFresh,

  /** Posts one batch of 100 repeatedly. */
  async postAgain({ port, connections, seconds }: { port: number; connections: number; seconds: number }) {
    const batch = traffic.posts(1, 100);
    await run({ port, connections: 1, next: each(batch) });
    await run({ port, connections, next: repeatedly(batch, seconds * WARM_UP_SHARE) });
    return await run({ port, connections, next: repeatedly(batch, seconds) });
  },

  /** Reads the latest readings of one device. */
  async read({ port, connections, seconds }: { port: number; connections: number; seconds: number }) {
    const latest = [traffic.latest(0)];
    await run({ port, connections, next: repeatedly(latest, seconds * WARM_UP_SHARE) });
    return await run({ port, connections, next: repeatedly(latest, seconds) });
  },

  /** Reads the latest readings of each device once, on one connection, to measure the node's first read. */
  async readEachOnce({ port }: { port: number }) {
    return await run({ port, connections: 1, next: each(traffic.devices.map((_, device) => traffic.latest(device))) });
  },

  /** Alternates on one connection between a write of one block and a read of its device. */
  async writeAndRead({ port, cycles }: { port: number; cycles: number }): Promise<{
    seconds: number;
    writes: Distribution;
    reads: Distribution;
  }> {
    const posts = traffic.posts(Math.ceil(cycles * (1 + WARM_UP_SHARE)), 1, 0);
    const latest = traffic.latest(0);
    const connection = await Connection.open(port);
    const timed = async (request: Uint8Array) => {
      const sentAt = performance.now();
      const { status, bodyStart } = await connection.exchange(request);
      if (status !== 200) throw new Error(`the node answered ${status}: ${bodyStart}`);
      return performance.now() - sentAt;
    };
    const writes: number[] = [];
    const reads: number[] = [];
    let start = 0;
    for (const [index, post] of posts.entries()) {
      if (index === posts.length - cycles) {
        start = performance.now();
        writes.length = 0;
        reads.length = 0;
      }
      writes.push(await timed(post));
      reads.push(await timed(latest));
    }
    connection.close();
    return {
      seconds: (performance.now() - start) / 1000,
      writes: distribution(writes),
      reads: distribution(reads),
    };
  },

  /** Posts full batches and meanwhile sends one kind of GET on a separate connection. */
  async getWhileWriting(order: Posts & { get: 'latest' | 'health'; restMs: number }) {
    const { port, connections, requests, blocksPerRequest } = order;
    const get = order.get === 'latest' ? traffic.latest(0) : httpRequest('GET', '/health');
    const warmUp = traffic.posts(Math.ceil(requests * WARM_UP_SHARE), blocksPerRequest);
    const measured = traffic.posts(requests, blocksPerRequest);
    const pass = async (batches: readonly Uint8Array[]) => {
      let over = false;
      const writing = run({ port, connections, next: each(batches) }).finally(() => {
        over = true;
      });
      const reading = run({
        port,
        connections: 1,
        restMs: order.restMs,
        next: until(
          () => over,
          () => get,
        ),
      });
      const [writes, gets] = await Promise.all([writing, reading]);
      return { writes, gets };
    };
    await pass(warmUp);
    return await pass(measured);
  },

  /**
   * Posts single blocks to the local port, on a few connections at a low rate; with `flood`, during a flood of the
   * public port.
   */
  async flood(order: { localPort: number; singles: number; flood: Posts | null }) {
    const { localPort, flood } = order;
    const warmUp = traffic.posts(200, 1);
    const singles = traffic.posts(order.singles, 1);
    const batches = flood === null ? [] : traffic.posts(flood.requests, flood.blocksPerRequest);
    await run({ port: localPort, connections: 4, next: each(warmUp) });
    let over = false;
    const flooding =
      flood === null
        ? null
        : run({ port: flood.port, connections: flood.connections, next: each(batches) }).finally(() => {
            over = true;
          });
    const local = await run({ port: localPort, connections: 4, restMs: 5, next: until(() => over, each(singles)) });
    return { local, flood: await flooding };
  },

  /** Lets the devices post one block each in turn, `perSecond` in all. */
  async paced({ port, perSecond, seconds }: { port: number; perSecond: number; seconds: number }) {
    const posts = each(traffic.posts(perSecond * seconds, 1));
    return await run({ port, connections: PACED, next: posts, everyMs: (PACED * 1000) / perSecond });
  },

  /** Lets one device post single blocks, with a pause after each. */
  async steady({ port, singles }: { port: number; singles: number }) {
    return await run({ port, connections: 1, next: each(traffic.posts(singles, 1, 0)), restMs: 10 });
  },

  /**
   * Uses up the budget of one device at the gate. Then another device posts single blocks, first alone, and then while
   * the first one keeps sending on `connections` connections and is refused.
   */
  async overBudget({ port, singles, connections }: { port: number; singles: number; connections: number }) {
    await run({ port, connections: 4, next: each(traffic.posts(60, 100, 1)) }).catch(() => {});
    const own = () => run({ port, connections: 1, next: each(traffic.posts(singles, 1, 0)), restMs: 10 });
    await own();
    const calm = await own();
    const batches = traffic.posts(20, 100, 1);
    let over = false;
    let refused = 0;
    const flooding = Array.from({ length: connections }, async () => {
      const connection = await Connection.open(port);
      while (!over) {
        for (const batch of batches) if ((await connection.exchange(batch)).status === 429) refused += 1;
      }
      connection.close();
    });
    const flooded = await own();
    over = true;
    await Promise.all(flooding);
    return { calm, flooded, refused };
  },
};

/** The type of all tasks by name. */
export type Tasks = typeof tasks;
