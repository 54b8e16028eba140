import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import { ownCertificate } from './certificate.ts';
import { freePort } from './free-port.ts';
import { removeFolder, temporaryFolder } from './node-process.ts';

/** Debian installs it in a folder that is only in root's PATH. */
const MOSQUITTO = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync);

/** Whether this machine has a broker for tests. */
export const hasMosquitto = MOSQUITTO !== undefined;

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** The options of a broker. By default anyone on loopback may use it. */
export interface BrokerOptions {
  readonly login?: { readonly username: string; readonly password: string };
  /** The names in the certificate of a TLS listener. */
  readonly tls?: readonly string[];
  /** Whether it stores its data on disk at each change. */
  readonly isPersistent?: boolean;
}

/** A real mosquitto on its own loopback port. Without `isPersistent` a restart loses its data. */
export class Broker {
  readonly port: number;
  readonly folder = temporaryFolder();
  readonly #options: BrokerOptions;
  #child: ChildProcess | null = null;
  readonly #clients = new Set<MqttClient>();

  private constructor(port: number, options: BrokerOptions) {
    this.port = port;
    this.#options = options;
  }

  static async start(options: BrokerOptions = {}): Promise<Broker> {
    const broker = new Broker(await freePort(), options);
    const { login, tls, isPersistent = false } = options;
    const lines = [`listener ${broker.port} 127.0.0.1`, 'user root', 'max_queued_messages 100000'];
    if (isPersistent) {
      lines.push('persistence true', `persistence_location ${broker.folder}/`);
      lines.push('autosave_on_changes true', 'autosave_interval 1');
    }
    if (login === undefined) lines.push('allow_anonymous true');
    else {
      const file = join(broker.folder, 'passwords');
      writeFileSync(file, `${login.username}:${login.password}\n`);
      chmodSync(file, 0o600);
      execFileSync('mosquitto_passwd', ['-U', file]);
      lines.push('allow_anonymous false', `password_file ${file}`);
    }
    if (tls !== undefined) {
      const { cert, key } = ownCertificate(tls);
      writeFileSync(broker.caFile, cert);
      writeFileSync(join(broker.folder, 'key.pem'), key);
      lines.push(`certfile ${broker.caFile}`, `keyfile ${join(broker.folder, 'key.pem')}`);
    }
    writeFileSync(join(broker.folder, 'mosquitto.conf'), `${lines.join('\n')}\n`);
    await broker.run();
    return broker;
  }

  /** The self-signed certificate of a TLS listener. */
  get caFile(): string {
    return join(this.folder, 'cert.pem');
  }

  get url(): string {
    return `${this.#options.tls ? 'mqtts' : 'mqtt'}://127.0.0.1:${this.port}`;
  }

  /** Starts the broker. Resolves when it listens. */
  async run(): Promise<void> {
    const child = spawn(MOSQUITTO!, ['-c', join(this.folder, 'mosquitto.conf')], { stdio: 'ignore' });
    children.add(child);
    child.on('exit', () => children.delete(child));
    this.#child = child;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null) throw new Error(`mosquitto ended with ${child.exitCode}`);
      await delay(20);
    }
  }

  /** Ends the broker like a power cut: it loses everything that is not on disk. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Freezes the broker, which then neither reads nor answers but keeps its connections open, or continues it. */
  freeze(isFrozen: boolean): void {
    this.#child!.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Returns a client that receives all retained and later messages. */
  async watch(): Promise<BrokerWatch> {
    const { login, tls } = this.#options;
    const options: IClientOptions = {
      ...login,
      ...(tls && { rejectUnauthorized: false }),
      reconnectPeriod: 50,
    };
    const client = connect(this.url, options);
    this.#clients.add(client);
    client.on('error', () => {});
    const watch = new BrokerWatch(client);
    await client.subscribeAsync('#', { qos: 1 });
    return watch;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.end(true);
    await this.kill();
    removeFolder(this.folder);
  }
}

/** The messages that a broker sent a client. */
export class BrokerWatch {
  readonly client: MqttClient;
  /** The last message of each topic, without empty messages. */
  readonly held = new Map<string, string>();
  /** All messages in their order. */
  readonly messages: { readonly topic: string; readonly payload: string }[] = [];

  constructor(client: MqttClient) {
    this.client = client;
    client.on('message', (topic, bytes) => {
      const payload = bytes.toString('utf8');
      this.messages.push({ topic, payload });
      if (payload === '') this.held.delete(topic);
      else this.held.set(topic, payload);
    });
  }

  /** Returns the last message of a topic as JSON; undefined if there is none. */
  json(topic: string): Record<string, unknown> | undefined {
    const text = this.held.get(topic);
    return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
  }

  async publish(topic: string, payload: string, retain = false): Promise<void> {
    await this.client.publishAsync(topic, payload, { qos: 1, retain });
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
