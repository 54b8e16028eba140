import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { NodeInfo } from '../../../shared/owner-api/node.ts';

/** The data that the demo thread starts with. */
export interface DemoWorkerData {
  /** The local endpoint over loopback. */
  readonly url: string;
  /** The ids of demo devices are derived from this key: the same at each start, and different for other nodes. */
  readonly nodePublicKey: string;
}

const STOP_WITHIN_MS = 2000;

/**
 * Simulated devices that post to this node's own local endpoint, like real ones. They run in a thread that is started
 * by its file name, because the simulator is not part of the node. The thread ends with the process in any case.
 */
export class DemoDevices {
  readonly #log: Logger;
  #worker: Worker | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  get isRunning(): boolean {
    return this.#worker !== null;
  }

  /**
   * Starts the devices. Resolves when they are registered, or at once if they run already. Rejects if they can't start.
   */
  async start({ localUrl, publicKey }: Pick<NodeInfo, 'localUrl' | 'publicKey'>): Promise<void> {
    if (this.#worker !== null) return;
    const isSource = import.meta.url.endsWith('.ts');
    const file = new URL(isSource ? '../../../simulator/demo-devices.ts' : './demo-devices.js', import.meta.url);
    const workerData: DemoWorkerData = { url: localUrl, nodePublicKey: publicKey };
    const worker = new Worker(file, { name: 'demo', workerData, resourceLimits: { maxYoungGenerationSizeMb: 4 } });
    this.#worker = worker;
    worker.on('error', (error) => this.#log.error({ err: error }, 'demo devices failed'));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
    await new Promise<void>((resolve, reject) => {
      worker.once('message', () => resolve());
      worker.once('exit', () => reject(new Error('the demo devices ended at their start')));
    });
  }

  /** Stops the devices when all their requests have been answered. Their readings stay. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage(null);
    const timer = setTimeout(() => void worker.terminate(), STOP_WITHIN_MS);
    await ended;
    clearTimeout(timer);
  }

  /** Stops the devices at once. */
  async terminate(): Promise<void> {
    await this.#worker?.terminate();
  }
}
