import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import type { SimulatedDevice } from '../src/simulator/device.ts';
import { RANGE_RULE } from '../test/support/alerts.ts';
import { Broker, type BrokerWatch } from '../test/support/broker.ts';
import { postBlocks, registeredDevice } from '../test/support/client.ts';
import { NodeProcess, removeFolder, temporaryFolder } from '../test/support/node-process.ts';
import { sendCall } from '../test/support/owner-client.ts';

// Runs a broker, a node with two devices and the real Home Assistant, in a chroot that try-home-assistant.sh makes.
// Home Assistant publishes its own states at the same broker below `ha/`, where this script reads them.

const START_WITHIN_MS = 300_000;
/** Home Assistant writes its state to disk up to three minutes after its start. */
const SEEN_WITHIN_MS = 240_000;

const { positionals } = parseArgs({ allowPositionals: true });
const root = positionals[0] ?? '/var/tmp/try-home-assistant/root';
const startedAt = performance.now();

function say(text: string): void {
  console.log(`${String(Math.round((performance.now() - startedAt) / 1000)).padStart(4)} s  ${text}`);
}

/**
 * Resolves when Home Assistant shows these states, by entity id, or these attributes. Rejects with the states that it
 * shows instead.
 */
async function shows(
  watch: BrokerWatch,
  what: string,
  states: Readonly<Record<string, string | undefined>>,
  part = 'state',
): Promise<void> {
  const seen = (id: string) => {
    const text = watch.held.get(`ha/${id.replace('.', '/')}/${part}`);
    return text === undefined || part === 'state' ? text : (JSON.parse(text) as string);
  };
  const until = performance.now() + SEEN_WITHIN_MS;
  for (;;) {
    const wrong = Object.entries(states).filter(([id, state]) => seen(id) !== state);
    if (wrong.length === 0) break;
    if (performance.now() > until) {
      throw new Error(`${what}: ${wrong.map(([id, state]) => `${id} is ${seen(id)}, not ${state}`).join('; ')}`);
    }
    await delay(100);
  }
  say(what);
}

/** Resolves when a condition is true. Rejects if it does not become true in time. */
async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + SEEN_WITHIN_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not so: ${what}`);
    await delay(100);
  }
  say(what);
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) {
    throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
  }
}

const CONFIG = '/opt/config';
/** The topic to which the blueprint's automation publishes its input. */
const NEEDS_YOU = 'try/needs_you';

/** Writes the configuration that onboarding would write, with the broker. */
function writeConfig(port: number): void {
  const folder = join(root, CONFIG);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, '.storage'), { recursive: true });
  // JSON is valid YAML.
  writeFileSync(
    join(folder, 'configuration.yaml'),
    JSON.stringify({
      homeassistant: { unit_system: 'metric' },
      logger: { default: 'warning' },
      mqtt_statestream: { base_topic: 'ha', publish_attributes: true },
      automation: [
        {
          ...{ id: 'needs_you', alias: 'Needs you' },
          use_blueprint: {
            path: 'wellhouse/needs-you.yaml',
            input: {
              devices: ['binary_sensor.tank_1_needs_you'],
              actions: [
                {
                  action: 'mqtt.publish',
                  data: { topic: NEEDS_YOU, payload: '{{ device }}: {{ reasons }}', retain: true },
                },
              ],
            },
          },
        },
      ],
    }),
  );
  const blueprints = join(folder, 'blueprints', 'automation', 'wellhouse');
  mkdirSync(blueprints, { recursive: true });
  copyFileSync('docs/home-assistant/needs-you.yaml', join(blueprints, 'needs-you.yaml'));
  const entry = {
    ...{ entry_id: 'a'.repeat(32), version: 2, minor_version: 1, domain: 'mqtt', title: 'broker', source: 'user' },
    ...{ data: { broker: '127.0.0.1', port, discovery: true, discovery_prefix: 'homeassistant' }, options: {} },
    ...{ pref_disable_new_entities: false, pref_disable_polling: false, unique_id: null, disabled_by: null },
    ...{ discovery_keys: {}, subentries: [], created_at: '2026-01-01T00:00:00+00:00' },
    modified_at: '2026-01-01T00:00:00+00:00',
  };
  const content = { version: 1, minor_version: 5, key: 'core.config_entries', data: { entries: [entry] } };
  writeFileSync(join(folder, '.storage', 'core.config_entries'), JSON.stringify(content));
}

/** Returns the unique ids of Home Assistant's entities, which it writes some seconds after a change. */
function registered(): string[] {
  const text = readFileSync(join(root, CONFIG, '.storage', 'core.entity_registry'), 'utf8');
  const { data } = JSON.parse(text) as { data: { entities: { unique_id: string }[] } };
  return data.entities.map((entity) => entity.unique_id);
}

/** Home Assistant in a process. */
class HomeAssistant {
  readonly #child: ChildProcess;
  log = '';

  constructor() {
    const command = ['/opt/ha/bin/hass', '-c', CONFIG, '--skip-pip'];
    this.#child = spawn('chroot', [root, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.log += text;
      });
    }
  }

  /** Home Assistant's complaints about our messages. */
  get complaints(): string[] {
    return this.log.split('\n').filter((line) => /mqtt/i.test(line) && /warning|error/i.test(line));
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}

async function owner(node: NodeProcess, method: string, input: object): Promise<void> {
  const { status, text } = await sendCall(node, method, JSON.stringify(input));
  if (status !== 200) throw new Error(`${method}: ${text}`);
}

let seq = 0;
async function post(node: NodeProcess, device: SimulatedDevice, fields: object): Promise<void> {
  seq += 1;
  await postBlocks(node.url('local'), [device.block({ seq, timestamp: Date.now(), ...fields })]);
}

async function main(): Promise<void> {
  const dataDir = temporaryFolder();
  const broker = await Broker.start();
  writeConfig(broker.port);
  const startNode = async () => {
    const node = new NodeProcess({ args: ['--ui'], env: { MQTT_URL: broker.url, LOCAL_PORT: '0' }, dataDir });
    return node.ready();
  };
  let node = await startNode();
  let assistant = new HomeAssistant();
  let watch = await broker.watch();
  try {
    const tank = await registeredDevice(node.url('local'), { name: 'Tank 1' });
    const hostile = await registeredDevice(node.url('local'), { name: '+/# "🍅" {{ x }}' });
    // With this threshold, they do not become silent while Home Assistant starts.
    const noted = { ...NO_NOTES, silentAfterMs: 86_400_000 };
    await owner(node, 'setNotes', {
      id: tank.id,
      notes: { ...noted, units: { waterLevel: { tank: { empty: 400, full: 50 } } } },
    });
    await owner(node, 'setNotes', { id: hostile.id, notes: noted });
    const plain = { ph: 6.1, ec: 1000, waterLevel: 225, tempWater: 21.5, tempAmbient: 24.25, humidity: 55.5 };
    await post(node, tank, { plain });
    await post(node, hostile, { plain: { tempAmbient: 20, waterLevel: 100 } });
    const status = `wellhouse/${node.started.publicKey}/status`;
    const values = {
      'sensor.tank_1_ph': '6.1',
      'sensor.tank_1_ec': '2',
      'sensor.tank_1_water_level': '50',
      'sensor.tank_1_temp_water': '21.5',
      'sensor.tank_1_temp_ambient': '24.25',
      'sensor.tank_1_humidity': '55.5',
      'sensor.tank_1_vpd': '1.348',
      'sensor.tank_1_dew_point': '14.77',
      'binary_sensor.tank_1_needs_you': 'off',
      'sensor.x_temp_ambient': '20',
      'sensor.x_water_distance': '100',
    };
    const gone = (of: object) => Object.fromEntries(Object.keys(of).map((id) => [id, 'unavailable']));
    const measured = Object.fromEntries(Object.entries(values).filter(([id]) => !id.startsWith('binary')));
    const firstWait = performance.now();
    while (watch.held.get('ha/sensor/tank_1_ph/state') === undefined) {
      if (performance.now() - firstWait > START_WITHIN_MS) throw new Error(`Home Assistant: ${assistant.log}`);
      await delay(200);
    }
    await shows(watch, 'Home Assistant has started, and shows all entities with their values', values);
    const classes = {
      'sensor.tank_1_ph': 'ph',
      'sensor.tank_1_ec': 'conductivity',
      'sensor.tank_1_water_level': undefined,
      'sensor.tank_1_temp_water': 'temperature',
      'sensor.tank_1_humidity': 'humidity',
      'sensor.tank_1_vpd': 'pressure',
      'sensor.x_water_distance': 'distance',
      'binary_sensor.tank_1_needs_you': 'problem',
    };
    await shows(watch, 'device classes are right', classes, 'device_class');
    const units = {
      'sensor.tank_1_ph': undefined,
      'sensor.tank_1_ec': 'mS/cm',
      'sensor.tank_1_water_level': '%',
      'sensor.tank_1_temp_water': '°C',
      'sensor.tank_1_humidity': '%',
      'sensor.tank_1_vpd': 'kPa',
      'sensor.x_water_distance': 'mm',
    };
    await shows(watch, 'units are right', units, 'unit_of_measurement');

    await owner(node, 'writeAlertRule', { rule: { ...RANGE_RULE, name: 'pH of "tank"', high: 7 } });
    await post(node, tank, { plain: { ...plain, ph: 7.5 } });
    await shows(watch, 'an alert is shown', { 'binary_sensor.tank_1_needs_you': 'on' });
    await until('the blueprint ran its actions', () => watch.held.get(NEEDS_YOU) === 'Tank 1: pH of "tank"');
    await post(node, tank, { plain });
    await shows(watch, 'and is over', { 'binary_sensor.tank_1_needs_you': 'off' });

    await post(node, tank, { plain: { ...plain, ph: 6.4 } });
    await shows(watch, 'a reading is shown', { 'sensor.tank_1_ph': '6.4' });
    await post(node, tank, {
      keyVersion: 1,
      plain: { ec: 1000 },
      sealed: { ph: { nonce: '0b'.repeat(12), cipher: 'c5'.repeat(24) } },
    });
    await shows(watch, 'a sealed field is unavailable, others are not', {
      'sensor.tank_1_ph': 'unavailable',
      'sensor.tank_1_ec': '2',
    });
    await post(node, tank, { plain });
    await shows(watch, 'and is there again with a plain value', values);

    node.signal('SIGKILL');
    await node.exited;
    await shows(watch, 'the node was killed: all is unavailable', gone(values));
    node = await startNode();
    await shows(watch, 'the node has started again: all is back', values);

    await assistant.stop();
    for (const line of assistant.complaints) console.log(`        ${line}`);
    watch.client.end(true);
    watch = await broker.watch();
    for (const topic of [...watch.held.keys()].filter((each) => each.startsWith('ha/'))) {
      await watch.publish(topic, '', true);
    }
    assistant = new HomeAssistant();
    while (watch.held.get('ha/sensor/tank_1_ph/state') === undefined) await delay(200);
    await shows(watch, 'Home Assistant has started again: all is back', values);

    await broker.kill();
    await delay(2000);
    await broker.run();
    watch = await broker.watch();
    await shows(watch, 'the broker has started again and had lost all: all is back', measured);
    expectSame('the status', watch.held.get(status), 'online');

    await owner(node, 'setNotes', { id: tank.id, notes: { ...noted, displayName: 'Big tank' } });
    await post(node, tank, { plain });
    await shows(watch, 'the tank is a distance again', { 'sensor.big_tank_water_distance': '225' });
    const ofTank = (key: string) => `wellhouse_${tank.id}_${key}`;
    await until('Home Assistant has removed the entity of its level', () => {
      return registered().includes(ofTank('water_distance')) && !registered().includes(ofTank('water_level'));
    });
    await owner(node, 'forgetDevice', { id: tank.id, store: 'private', confirm: tank.id });
    const isOfTank = (topic: string) => !topic.startsWith('ha/') && topic.includes(tank.id);
    await until('a forgotten device has left the broker', () => ![...watch.held.keys()].some(isOfTank));
    await until('and Home Assistant', () => !registered().some((id) => id.includes(tank.id)));
    console.log(`\nHome Assistant said ${assistant.complaints.length} warnings about MQTT`);
    for (const line of assistant.complaints) console.log(`  ${line}`);
  } catch (error) {
    console.log(assistant.log.slice(-4000));
    throw error;
  } finally {
    await assistant.stop();
    await node.stop();
    await broker.close();
    removeFolder(dataDir);
  }
}

await main();
