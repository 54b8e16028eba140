import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { createPhrase } from '../src/shared/crypto/phrase/phrase.ts';

// The machines of scripts/try-many-homes.sh: each is a network namespace with its own processes.

const PROJECT = join(import.meta.dirname, '..');
const LAN = '10.78.0';
/** The address of the balancer and the devices. */
export const BALANCER = `${LAN}.1`;
const DATABASES = { db1: `${LAN}.11`, db2: `${LAN}.12`, db3: `${LAN}.13` } as const;
const NODES = { node1: `${LAN}.21`, node2: `${LAN}.22` } as const;
export type DatabaseName = keyof typeof DATABASES;
export type NodeName = keyof typeof NODES;
const DATABASE_NAMES = Object.keys(DATABASES) as DatabaseName[];
export const NODE_NAMES = Object.keys(NODES) as NodeName[];
const WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 100;
const RESTART_AFTER_MS = 1000;

/** A member in Patroni's `GET /cluster`. */
interface Member {
  readonly name: DatabaseName;
  readonly role: 'leader' | 'sync_standby' | 'replica';
  readonly state: string;
  readonly lag?: number | 'unknown';
}

/** Repeats `look` until it returns something. Rejects after three minutes. */
export async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  for (const end = performance.now() + WITHIN_MS; ; await delay(LOOK_EVERY_MS)) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > end) throw new Error(`${what}: not within ${WITHIN_MS / 1000} s`);
  }
}

/** Three databases under Patroni, two nodes and HAProxy. `work` is a folder for their files and logs. */
export class Cluster {
  readonly #work: string;
  /** The machines that were killed. */
  readonly #off = new Set<string>();
  readonly #postgres: { readonly uid: number; readonly bin: string };

  constructor(work: string) {
    this.#work = work;
    const versions = readdirSync('/usr/lib/postgresql').sort((one, other) => Number(other) - Number(one));
    const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
    this.#postgres = { uid, bin: `/usr/lib/postgresql/${versions[0]}/bin` };
  }

  async start(): Promise<void> {
    for (const name of DATABASE_NAMES) this.startDatabase(name);
    await this.whole();
    const admin = await this.connect('postgres');
    await admin.query(`CREATE USER wellhouse PASSWORD 'in this script alone'`);
    await admin.query(`CREATE DATABASE wellhouse OWNER wellhouse ENCODING 'UTF8' TEMPLATE template0`);
    await admin.end();
    writeFileSync(join(this.#work, 'identity'), `${createPhrase()}\n`, { mode: 0o600 });
    for (const name of NODE_NAMES) this.startNode(name);
    for (const name of NODE_NAMES) await this.nodeAnswers(name);
    writeFileSync(join(this.#work, 'haproxy.cfg'), HAPROXY);
    this.#run('lan', 'haproxy', ['haproxy', '-db', '-f', join(this.#work, 'haproxy.cfg')]);
  }

  /** Starts etcd and Patroni, which starts the server, on a machine without any of these processes. */
  startDatabase(name: DatabaseName): void {
    this.#off.delete(name);
    const address = DATABASES[name];
    const folder = join(this.#work, name);
    const data = join(folder, 'data');
    for (const path of [folder, data]) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      chownSync(path, this.#postgres.uid, this.#postgres.uid);
    }
    const config = join(this.#work, `${name}.json`);
    writeFileSync(config, JSON.stringify(patroniOf(name, folder, this.#postgres.bin)));
    const user = ['setpriv', `--reuid=${this.#postgres.uid}`, `--regid=${this.#postgres.uid}`, '--clear-groups'];
    this.#keepRunning(name, `${name}-etcd`, [
      ...user,
      ...['etcd', '--name', name, '--data-dir', join(folder, 'etcd'), '--logger', 'zap', '--log-level', 'error'],
      ...['--listen-peer-urls', `http://${address}:2380`, '--initial-advertise-peer-urls', `http://${address}:2380`],
      ...['--listen-client-urls', `http://${address}:2379`, '--advertise-client-urls', `http://${address}:2379`],
      ...['--initial-cluster', DATABASE_NAMES.map((each) => `${each}=http://${DATABASES[each]}:2380`).join(',')],
      // All machines share two cores and one disk here, so the timeouts are longer.
      ...['--enable-v2=true', '--heartbeat-interval', '250', '--election-timeout', '2500'],
    ]);
    // JSON is valid YAML.
    this.#keepRunning(name, `${name}-patroni`, [...user, 'patroni', config]);
  }

  startNode(name: NodeName): void {
    const hosts = DATABASE_NAMES.map((each) => DATABASES[each]).join(',');
    this.#off.delete(name);
    const child = this.#run(name, name, [process.execPath, join(PROJECT, 'out/main/headless.js')], {
      PUBLIC_STORE_URL: `postgres://wellhouse:in%20this%20script%20alone@${hosts}/wellhouse`,
      IDENTITY_FILE: join(this.#work, 'identity'),
      DATA_DIR: join(this.#work, `${name}-data`),
      LOCAL_ENABLED: 'false',
      PUBLIC_RATE_LIMIT: '1000000',
      TRUSTED_PROXIES: BALANCER,
    });
    child.on('exit', (code, signal) => {
      if (!this.#off.has(name)) throw new Error(`${name} ended by itself (${code ?? signal})`);
    });
  }

  /** Checks the log of the store, as an operator would. Returns the command's output. */
  async verify(): Promise<string> {
    const child = this.#run(
      'node1',
      'verify',
      [process.execPath, join(PROJECT, 'out/main/wellhouse.js'), 'verify', '--store'],
      {
        PUBLIC_STORE_URL: `postgres://wellhouse:in%20this%20script%20alone@${DATABASES[await this.leader()]}/wellhouse`,
        IDENTITY_FILE: join(this.#work, 'identity'),
        DATA_DIR: join(this.#work, 'node1-data'),
        LOCAL_ENABLED: 'false',
      },
    );
    const [code] = await once(child, 'exit');
    return `exit code ${code}: ${readFileSync(join(this.#work, 'verify.log'), 'utf8').trim()}`;
  }

  /** Kills processes of a machine; with `program`, only those with this name. */
  async kill(machine: DatabaseName | NodeName, program?: string): Promise<void> {
    if (program === undefined) this.#off.add(machine);
    const pids = execFileSync('ip', ['netns', 'pids', machine], { encoding: 'utf8' }).trim().split('\n');
    const killed = pids.filter((pid) => pid !== '' && (program === undefined || nameOf(pid) === program));
    for (const pid of killed) {
      try {
        process.kill(Number(pid), 'SIGKILL');
      } catch {
        // It has ended with its parent.
      }
    }
    if (killed.length === 0) throw new Error(`${machine} has no process ${program ?? ''}`);
  }

  link(machine: DatabaseName | NodeName, state: 'up' | 'down'): void {
    execFileSync('ip', ['link', 'set', `to-${machine}`, state]);
  }

  async leader(): Promise<DatabaseName> {
    return (await this.#members()).find(({ role }) => role === 'leader')!.name;
  }

  async syncStandby(): Promise<DatabaseName> {
    return (await this.#members()).find(({ role }) => role === 'sync_standby')!.name;
  }

  /**
   * Resolves when there are a primary and two standbys that follow it, one of them synchronous, as all machines see it:
   * the view of one whose link was cut is old for some seconds.
   */
  async whole(): Promise<void> {
    await until('all databases', async () => {
      const views = await Promise.all(DATABASE_NAMES.map((name) => membersSeenBy(name).catch(() => [])));
      const roles = views.map((members) =>
        members
          .map(({ name, role }) => `${name} ${role}`)
          .sort()
          .join(),
      );
      return views.every(isWhole) && new Set(roles).size === 1 ? true : null;
    });
  }

  async nodeAnswers(name: NodeName): Promise<void> {
    await until(name, async () => {
      const answer = await answerOf(`http://${NODES[name]}:3000/health`).catch(() => null);
      return answer === null ? null : true;
    });
  }

  /** Opens a connection to the primary as the superuser. */
  async connect(database: string): Promise<pg.Client> {
    const host = DATABASES[await this.leader()];
    const client = new pg.Client({ host, user: 'postgres', database });
    await client.connect();
    return client;
  }

  /** Returns the members from the first machine that answers. */
  async #members(): Promise<readonly Member[]> {
    let last: unknown;
    for (const name of DATABASE_NAMES) {
      try {
        return await membersSeenBy(name);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** Restarts a program if it ends by itself, as systemd would. */
  #keepRunning(machine: string, log: string, command: readonly string[]): void {
    this.#run(machine, log, command).on('exit', async () => {
      if (this.#off.has(machine)) return;
      await delay(RESTART_AFTER_MS);
      if (!this.#off.has(machine)) this.#keepRunning(machine, log, command);
    });
  }

  #run(machine: string, log: string, command: readonly string[], env: Record<string, string> = {}): ChildProcess {
    const output = openSync(join(this.#work, `${log}.log`), 'a');
    const { PATH = '' } = process.env;
    return spawn('ip', ['netns', 'exec', machine, ...command], {
      cwd: this.#work,
      env: { PATH, HOME: this.#work, LC_ALL: 'C', ...env },
      stdio: ['ignore', output, output],
    });
  }
}

/** Returns the members as one machine sees them. Rejects if it does not answer. */
async function membersSeenBy(name: DatabaseName): Promise<readonly Member[]> {
  return (JSON.parse(await answerOf(`http://${DATABASES[name]}:8008/cluster`)) as { members: Member[] }).members;
}

/** Whether all databases run, close to the primary, and one standby is synchronous. */
function isWhole(members: readonly Member[]): boolean {
  const isRunning = members.every(({ state }) => state === 'running' || state === 'streaming');
  const hasRoles = ['leader', 'sync_standby'].every((role) => members.some((member) => member.role === role));
  const isClose = members.every(({ role, lag }) => role === 'leader' || (typeof lag === 'number' && lag < 16e6));
  return members.length === DATABASE_NAMES.length && isRunning && hasRoles && isClose;
}

async function answerOf(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

function patroniOf(name: DatabaseName, folder: string, bin: string): object {
  const address = DATABASES[name];
  return {
    ...{ scope: 'homes', name },
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // Version 2 of etcd's interface: with `etcd3`, Patroni 3.0.2 of Debian 12 takes over another primary's lock when a
    // cut link is back.
    etcd: { hosts: DATABASE_NAMES.map((each) => `${DATABASES[each]}:2379`) },
    bootstrap: {
      dcs: {
        ...{ ttl: 20, loop_wait: 5, retry_timeout: 5, primary_start_timeout: 0 },
        // Strict: nothing is confirmed unless a standby has it.
        ...{ synchronous_mode: true, synchronous_mode_strict: true },
        postgresql: {
          use_pg_rewind: true,
          parameters: { shared_buffers: '64MB', max_connections: 60, wal_log_hints: 'on' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { 'auth-local': 'trust' }, { 'auth-host': 'trust' }],
      pg_hba: [
        `host all wellhouse ${LAN}.0/24 scram-sha-256`,
        `host all all ${LAN}.0/24 trust`,
        `host replication all ${LAN}.0/24 trust`,
        'local all all trust',
      ],
    },
    postgresql: {
      ...{
        listen: `${address}:5432`,
        connect_address: `${address}:5432`,
        bin_dir: bin,
        data_dir: join(folder, 'data'),
      },
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      pgpass: join(folder, 'pgpass'),
      parameters: { unix_socket_directories: folder },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}

/** The configuration of docs/many-homes.md, with the timeouts that HAProxy requires. */
const HAPROXY = `defaults
  mode http
  retries 3
  timeout connect 2s
  timeout client 10s
  timeout server 10s
frontend public
  bind ${BALANCER}:80
  option forwardfor
  default_backend nodes
backend nodes
  option httpchk GET /health
${NODE_NAMES.map((name) => `  server ${name} ${NODES[name]}:3000 check\n`).join('')}`;
