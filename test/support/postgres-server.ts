import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { StoreLocation } from '../../src/main/store/engine.ts';

const DEBIAN = '/usr/lib/postgresql';
const START_TIMEOUT_MS = 30_000;
const USER = 'wellhouse';
/** The server refuses to run as root, so it runs as `nobody` then. */
const NOBODY = 65_534;

/** Returns the folder of the newest server from Debian's packages; null if there is none. */
export function postgresPrograms(): string | null {
  try {
    const versions = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one));
    return versions[0] === undefined ? null : join(DEBIAN, versions[0], 'bin');
  } catch {
    return null;
  }
}

/** A separate PostgreSQL server in a temporary folder, with its socket in that folder. */
export class PostgresServer {
  readonly #programs: string;
  readonly #folder: string;
  readonly #sharedBuffers: string;
  #child: ChildProcess | null = null;

  private constructor(programs: string, sharedBuffers: string) {
    this.#programs = programs;
    this.#sharedBuffers = sharedBuffers;
    this.#folder = mkdtempSync(join(tmpdir(), 'wh-pg-'));
    chmodSync(this.#folder, 0o700);
    if (isRoot()) chownSync(this.#folder, NOBODY, NOBODY);
  }

  static async start(programs: string, sharedBuffers = '16MB'): Promise<PostgresServer> {
    const server = new PostgresServer(programs, sharedBuffers);
    const data = ['-D', server.#data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
    execFileSync(join(programs, 'initdb'), data, { ...server.#asUser, stdio: 'ignore' });
    try {
      await server.#run();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  /** Returns the location of a store in a schema. */
  location(schema: string): StoreLocation {
    return `${this.address}&schema=${schema}` as StoreLocation;
  }

  /** Its socket, for a relay between a node and the server. */
  get socket(): string {
    return join(this.#folder, '.s.PGSQL.5432');
  }

  /** Runs one statement. */
  async query(sql: string): Promise<void> {
    await this.rows(sql);
  }

  /** Runs one statement and returns its rows. */
  async rows<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.address });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Ends all other connections, whatever they are doing, and waits until they are closed. */
  endConnections(): Promise<void> {
    return this.query(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'`);
  }

  /** Stops the server, runs `meanwhile`, and starts the server again, even if `meanwhile` rejects. */
  async restart(meanwhile: () => Promise<void>): Promise<void> {
    await this.#end();
    try {
      await meanwhile();
    } finally {
      await this.#run();
    }
  }

  async stop(): Promise<void> {
    await this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  /** The URL of its database for a setting. */
  get address(): string {
    return `postgres://${USER}@/postgres?host=${encodeURIComponent(this.#folder)}`;
  }

  get #asUser() {
    const { PATH = '' } = process.env;
    return { cwd: this.#folder, env: { PATH, LC_ALL: 'C' }, ...(isRoot() ? { uid: NOBODY, gid: NOBODY } : {}) };
  }

  async #run(): Promise<void> {
    const flags = [
      '-D',
      this.#data,
      '-k',
      this.#folder,
      '-c',
      'listen_addresses=',
      '-c',
      `shared_buffers=${this.#sharedBuffers}`,
    ];
    this.#child = spawn(join(this.#programs, 'postgres'), flags, { ...this.#asUser, stdio: 'ignore' });
    for (const until = performance.now() + START_TIMEOUT_MS; ; await delay(50)) {
      try {
        await this.query('SELECT 1');
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
      }
    }
  }

  async #end(): Promise<void> {
    if (this.#child === null) return;
    const exit = once(this.#child, 'exit');
    // Ends connections at once and shuts the server down in order.
    this.#child.kill('SIGINT');
    await exit;
    this.#child = null;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
