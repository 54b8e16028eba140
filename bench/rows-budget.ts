import { connect } from 'node:net';
import { DiskBudget } from '../src/main/intake/disk-budget.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';
import { freePort } from '../test/support/free-port.ts';
import { type Bench, latencyText } from './bench.ts';
import { Connection } from './connection.ts';
import { number } from './report.ts';
import { floodDoor } from './rows-door.ts';
import type { StreamResult } from './stream.ts';
import { httpRequest } from './traffic.ts';

/** Much less than the 8 s that a device waits. A flood on the same machine takes its share of the time. */
const MOST_MS = 100;
const MOST_IN_FLOOD_MS = 500;
/** More than the gate keeps open. */
const HELD = 2000;
const FLOODERS = 8;
const DOOR_REQUESTS = 10_000;

/** A flood that continues until `end`, which resolves with its amount. */
interface Flood {
  readonly what: string;
  readonly end: () => Promise<number>;
}

/**
 * Row 17: how a device at the gate is affected while another one uses up a budget: its rate, connections,
 * registrations, the door.
 */
export async function budgetRow(bench: Bench): Promise<void> {
  const [port, doorPort] = [await freePort(), await freePort()];
  const node = await bench.startFreshNode('budget', { gatePort: port, doorPort, args: ['--ui'] });
  const order = { port, singles: bench.amount(1000) };
  const { calm, flooded, refused } = await bench.load.run('overBudget', { ...order, connections: 4 });
  const p99 = (what: string, result: StreamResult, target?: { atMost: number }) => {
    const value = result.latencies.p99;
    bench.add({ row: 17, what, value, unit: 'ms', detail: latencyText(result), ...(target && { target }) });
  };
  p99('gate p99, calm', calm);
  p99(`gate p99, ${number(refused)} batches of another device refused`, flooded, { atMost: MOST_MS });
  for (const begin of [floodConnections, floodRegistrations]) {
    const flood = begin(port);
    const steady = await bench.load.run('steady', order);
    p99(`gate p99, ${number(await flood.end())} ${flood.what}`, steady, { atMost: MOST_IN_FLOOD_MS });
  }
  const door = floodDoor(doorPort, bench.amount(DOOR_REQUESTS));
  const steady = await bench.load.run('steady', order);
  p99(`gate p99, ${number(await door)} requests at the door`, steady, { atMost: MOST_IN_FLOOD_MS });
  await node.stop();
}

const BLOCKS = 1_000_000;
const DEVICES = 50;

/**
 * Row 19: the time of asking and counting budgets for a block at the local endpoint, as a share of the time of a single
 * block there: a paired run with and without budgets would show only the noise of the machine.
 */
export async function budgetCostRow(bench: Bench): Promise<void> {
  const node = await bench.startFreshNode('budget-cost');
  const posts = { port: node.localPort, connections: 16, requests: bench.amount(10_000), blocksPerRequest: 1 };
  const { requests, seconds } = await bench.load.run('post', posts);
  await node.stop();
  const budget = new DiskBudget({ room: async () => null, now: () => Date.now(), onRefused: () => {} });
  const ids = Array.from({ length: DEVICES }, () => new SimulatedDevice().id);
  const takeAll = (): number => {
    const since = performance.now();
    for (let block = 0; block < BLOCKS; block += 1) {
      const id = ids[block % DEVICES]!;
      if (!budget.isOver(id)) budget.stored(id);
    }
    return (performance.now() - since) / BLOCKS;
  };
  takeAll();
  const [ms, ofBlock] = [takeAll(), (seconds * 1000) / requests];
  budget.close();
  const detail = `${number(ms * 1e6)} ns of ${number(ofBlock * 1000)} µs`;
  const value = (100 * ms) / ofBlock;
  bench.add({
    row: 19,
    what: 'budgets, of a lone block at the local port',
    value,
    unit: '%',
    detail,
    target: { atMost: 1 },
  });
}

/** Opens connections to the gate as fast as it accepts them, and keeps each as long as the gate does. */
function floodConnections(port: number): Flood {
  let [hasEnded, opened] = [false, 0];
  const held = new Set<() => void>();
  const open = (): void => {
    const socket = connect(port, '127.0.0.1');
    const destroy = () => socket.destroy();
    held.add(destroy);
    socket.on('connect', () => {
      opened += 1;
    });
    socket.on('error', () => {});
    socket.once('close', () => {
      held.delete(destroy);
      if (!hasEnded) setImmediate(open);
    });
  };
  for (let count = 0; count < HELD; count += 1) open();
  return {
    what: 'connections opened',
    end: async () => {
      hasEnded = true;
      for (const destroy of held) destroy();
      return opened;
    },
  };
}

/** Registers invented devices while joining is closed. */
function floodRegistrations(port: number): Flood {
  let [hasEnded, refused] = [false, 0];
  const flooding = Array.from({ length: FLOODERS }, async () => {
    const connection = await Connection.open(port);
    while (!hasEnded) {
      const request = httpRequest('POST', '/v1/devices', new SimulatedDevice().registration());
      if ((await connection.exchange(request)).status === 403) refused += 1;
    }
    connection.close();
  });
  return {
    what: 'registrations turned away',
    end: async () => {
      hasEnded = true;
      await Promise.all(flooding);
      return refused;
    },
  };
}
