import { test } from '@playwright/test';
import {
  type Endpoint,
  type NodeExit,
  type NodeOptions,
  type NodeProcess,
  startProcess,
} from '../../test/support/node-process.ts';

/** A built node with the owner's view. */
export class OwnerNode {
  readonly process: NodeProcess;
  /** The link that the node prints for its owner. */
  readonly link: string;

  private constructor(process: NodeProcess, link: string) {
    this.process = process;
    this.link = link;
  }

  /** Resolves when the node has started and has printed its link. */
  static async start(options: NodeOptions = {}): Promise<OwnerNode> {
    const process = await startProcess({
      ...options,
      args: ['--ui', '--print-link', ...(options.args ?? [])],
      // The suite sends faster than a stranger on the network may.
      env: { PUBLIC_RATE_LIMIT: '0', ...options.env },
    });
    const link = await printedLink(process);
    return new OwnerNode(process, link);
  }

  /** Returns the base address of an endpoint. */
  url(endpoint: Endpoint): string {
    return this.process.url(endpoint);
  }

  /** The secret in the link. */
  get token(): string {
    return new URL(this.link).hash.slice('#token='.length);
  }

  get dataDir(): string {
    return this.process.dataDir;
  }

  /** Ends the node as a service manager would. Its data stays. */
  stop(): Promise<NodeExit> {
    return this.process.stop();
  }

  dispose(): Promise<void> {
    return this.process.dispose();
  }
}

function printedLink(process: NodeProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error(`the node printed no link: ${process.stdout}`)), 60_000);
  const look = () => {
    const link = /http:\/\/127\.0\.0\.1:\d+\/ui\/#token=[\w-]+/.exec(process.stdout)?.[0];
    if (link === undefined) return setTimeout(look, 10);
    clearTimeout(timer);
    return resolve(link);
  };
  look();
  return promise;
}

/** Starts a node for the tests of the calling file or `describe`. `fill` gives it its first data. */
export function ownerNode(fill: (node: OwnerNode) => Promise<void> = async () => {}, options: NodeOptions = {}) {
  let node: OwnerNode | undefined;
  test.beforeAll(async () => {
    node = await OwnerNode.start(options);
    await fill(node);
  });
  test.afterAll(async () => {
    await node?.dispose();
  });
  return (): OwnerNode => {
    if (node === undefined) throw new Error('the node is started in beforeAll');
    return node;
  };
}
