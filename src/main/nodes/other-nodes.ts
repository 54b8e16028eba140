import type { Logger } from 'pino';
import type { OtherNode, RelayedMethod } from '../../shared/owner-api/nodes.ts';
import type { NodeEvents } from '../common/node-events.ts';
import { type KnownNode, KnownNodes } from './known-nodes.ts';
import { NodeLink, type RelayedAnswer } from './node-link.ts';
import { SeenFile } from './seen-file.ts';

/** The limit of nodes; an owner has fewer. */
export const MAX_NODES = 20;
/**
 * The last answers are written when a node becomes unreachable and at a stop. In addition they are written this often,
 * in case of a crash.
 */
const SAVE_EVERY_MS = 10 * 60_000;

export interface OtherNodesDependencies {
  /** The data folder. */
  readonly folder: { readonly path: string };
  readonly events: NodeEvents;
  readonly clock: { now(): number };
  readonly log: Logger;
}

/** The other nodes that this node's owner has added, each with its link; a part of a node with a view. */
export class OtherNodes {
  readonly name = 'other nodes';
  readonly #dependencies: OtherNodesDependencies;
  readonly #links = new Map<string, NodeLink>();
  #known: KnownNodes | null = null;
  #file: SeenFile | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(dependencies: OtherNodesDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    const { folder, log, clock } = this.#dependencies;
    const files = { path: folder.path, log, now: () => clock.now() };
    this.#known = new KnownNodes(files);
    this.#file = new SeenFile(files);
    const seen = this.#known.all.length === 0 ? [] : this.#file.read();
    for (const node of this.#known.all)
      this.#open(
        node,
        seen.find(({ id }) => id === node.id),
      );
    this.#timer = setInterval(() => void this.#save(), SAVE_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await Promise.all([...this.#links.values()].map((link) => link.stop()));
    await this.#save();
    await this.#known?.settled();
    this.#links.clear();
  }

  /** The nodes in the order in which they were added, without their tokens. */
  get list(): OtherNode[] {
    return this.#nodes.all.flatMap((node) => {
      const link = this.#links.get(node.id);
      if (link === undefined) return [];
      const { id, name, url, fingerprint, role } = node;
      const { standing, version, isMisfit } = link;
      return [{ id, name, url, fingerprint, role, standing, version, isMisfit }];
    });
  }

  /** Returns Unix milliseconds of this node. */
  now(): number {
    return this.#dependencies.clock.now();
  }

  has(id: string): boolean {
    return this.#links.has(id);
  }

  /** Calls a method of a node; resolves with null if there is no such node. */
  async call(id: string, method: RelayedMethod, input: unknown): Promise<RelayedAnswer | null> {
    return (await this.#links.get(id)?.call(method, input)) ?? null;
  }

  /** Adds a node, or replaces it. Rejects with errors of the file system. */
  async put(node: KnownNode): Promise<void> {
    await this.#nodes.change((nodes) => [...nodes.filter(({ id }) => id !== node.id), node]);
    const before = this.#links.get(node.id);
    await before?.stop();
    this.#open(node, before?.seen);
    this.#tell();
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#nodes.change((nodes) => nodes.map((node) => (node.id === id ? { ...node, name } : node)));
    this.#tell();
  }

  async remove(id: string): Promise<void> {
    await this.#nodes.change((nodes) => nodes.filter((node) => node.id !== id));
    await this.#links.get(id)?.stop();
    this.#links.delete(id);
    await this.#writeSeen();
    this.#tell();
  }

  get #nodes(): KnownNodes {
    if (this.#known === null) throw new Error('the list of other nodes is not open');
    return this.#known;
  }

  #open(node: KnownNode, seen: NodeLink['seen'] | undefined): void {
    const { events, clock, log } = this.#dependencies;
    const link: NodeLink = new NodeLink(node, seen, {
      now: () => clock.now(),
      onChange: () => {
        const { standing, version } = link;
        log.info({ node: node.id, standing, version }, 'another node');
        if (standing.state === 'away') void this.#save();
        this.#tell();
      },
      onMisfit: (problem) => log.warn({ node: node.id, problem }, 'an answer of another node is not understood'),
      onEvent: (event, payload) => events.emit('nodeSaid', () => ({ node: node.id, event, payload })),
    });
    this.#links.set(node.id, link);
    link.start();
  }

  #tell(): void {
    this.#dependencies.events.emit('nodesChanged', () => ({}));
  }

  async #save(): Promise<void> {
    if (this.#links.size > 0) await this.#writeSeen();
  }

  async #writeSeen(): Promise<void> {
    await this.#file?.write(() => [...this.#links.values()].map(({ seen }) => seen));
  }
}
