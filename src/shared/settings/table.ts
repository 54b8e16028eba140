import type { z } from 'zod';
import { LANGUAGES, type Language } from '../texts/languages.ts';
import {
  backupRecipient,
  bearerToken,
  brokerUrl,
  choice,
  databaseUrl,
  flag,
  hostNames,
  integer,
  type Kind,
  listenAddress,
  networks,
  nullable,
  password,
  path,
  port,
  privateAddress,
  timeOfDay,
  topicPrefix,
  topicPrefixOrNone,
  userName,
  webhookUrl,
} from './kinds.ts';

/** One row of the table of settings. */
export interface Setting<T = unknown, Page extends PageUse = PageUse, Variable = string | null> extends Kind<T> {
  readonly default: T;
  /** The desktop app's own default, if it differs. A path is relative to the settings file. */
  readonly desktopDefault?: T;
  /** The environment variable that overrides the settings file; null if there is none. */
  readonly variable: Variable;
  /**
   * Who the setting belongs to. `node`: to any node. `desktop`: to the desktop app and the machine of its window; on a
   * headless node the page can't change it. `browser`: to the browser, which stores its own look of the view.
   */
  readonly scope: 'node' | 'desktop' | 'browser';
  /**
   * The use of the setting on the settings page; the settings file may have the shown ones. `show`: it is not changed
   * like the others.
   */
  readonly page: Page;
  /**
   * Whether it is a secret, which is never shown, logged, in diagnostics or in the settings file. Only a setting that
   * is not on the page can be one.
   */
  readonly isSecret?: Page extends 'none' ? boolean : false;
  /** Whether an empty variable is a value, and not a missing one. */
  readonly takesEmpty?: true;
  /** One line for `--help` and docs/settings.md, without the default. */
  readonly help: string;
}

type PageUse = 'change' | 'show' | 'none';

/** Settings by name, in the order of lists. */
export type SettingsTable = Readonly<Record<string, Setting>>;

const GIB = 1024 ** 3;

/** Returns a row. Its default must be a value of its kind. */
function setting<T, const Page extends PageUse, const Variable extends string | null>(
  kind: Kind<T>,
  row: Omit<Setting<NoInfer<T>, Page, Variable>, keyof Kind<T>>,
): Setting<T, Page, Variable> {
  return { ...kind, ...row };
}

/**
 * All settings. The reader and its types, the settings file, `--help`, docs/settings.md, the settings page and the
 * diagnostics are derived from this table.
 */
export const SETTINGS = {
  dataDir: setting(path, {
    default: './data',
    desktopDefault: 'data',
    variable: 'DATA_DIR',
    scope: 'desktop',
    page: 'show',
    help: 'folder of the stores and the identity',
  }),
  publicPort: setting(port, {
    default: 3000,
    variable: 'PUBLIC_PORT',
    scope: 'node',
    page: 'change',
    help: 'port of the public endpoint, 0.0.0.0; 0 takes a free one',
  }),
  localPort: setting(port, {
    default: 3001,
    variable: 'LOCAL_PORT',
    scope: 'node',
    page: 'change',
    help: 'port of the local endpoint, 127.0.0.1; 0 takes a free one',
  }),
  publicEnabled: setting(flag, {
    default: true,
    desktopDefault: false,
    variable: 'PUBLIC_ENABLED',
    scope: 'node',
    page: 'change',
    help: 'whether the public endpoint runs: true, false',
  }),
  localEnabled: setting(flag, {
    default: true,
    variable: 'LOCAL_ENABLED',
    scope: 'node',
    page: 'none',
    help: 'false: only the public endpoint runs, over PUBLIC_STORE_URL, without private store and page',
  }),
  logLevel: setting(choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), {
    default: 'info',
    variable: 'LOG_LEVEL',
    scope: 'node',
    page: 'none',
    help: 'log level: trace, debug, info, warn, error, fatal, silent',
  }),
  maxBodyBytes: setting(integer(1024, GIB / 4), {
    default: 1024 ** 2,
    variable: 'MAX_BODY_BYTES',
    scope: 'node',
    page: 'none',
    help: 'largest request body',
  }),
  rawBinding: setting(choice('known', 'strict', 'off'), {
    default: 'known',
    variable: 'RAW_BINDING',
    scope: 'node',
    page: 'none',
    help: "how strictly a block's JSON must match its signed raw string: known, strict, off",
  }),
  durability: setting(choice('full', 'normal'), {
    default: 'full',
    variable: 'DURABILITY',
    scope: 'node',
    page: 'change',
    help: 'full: a 200 survives a power cut; normal: faster, it may not',
  }),
  gateAddress: setting(nullable(privateAddress), {
    default: null,
    variable: 'GATE_ADDRESS',
    scope: 'node',
    page: 'change',
    help: 'private address of this machine where the gate listens for devices; not set: no gate',
  }),
  gatePort: setting(port, {
    default: 8080,
    variable: 'GATE_PORT',
    scope: 'node',
    page: 'change',
    help: 'port of the gate; 0 takes a free one',
  }),
  doorAddress: setting(nullable(listenAddress), {
    default: null,
    variable: 'DOOR_ADDRESS',
    scope: 'node',
    page: 'change',
    help: "address of the door, the owner's view over TLS for paired people; 0.0.0.0: all addresses; not set: no door",
  }),
  doorPort: setting(port, {
    default: 3443,
    variable: 'DOOR_PORT',
    scope: 'node',
    page: 'change',
    help: 'port of the door; 0 takes a free one',
  }),
  doorCert: setting(nullable(path), {
    default: null,
    variable: 'DOOR_CERT',
    scope: 'node',
    page: 'change',
    help: 'PEM file with your own certificate for the door and its chain; not set: the node creates one',
  }),
  doorKey: setting(nullable(path), {
    default: null,
    variable: 'DOOR_KEY',
    scope: 'node',
    page: 'change',
    help: 'PEM file with the key of that certificate',
  }),
  localAllowedHosts: setting(hostNames, {
    default: [],
    variable: 'LOCAL_ALLOWED_HOSTS',
    scope: 'node',
    page: 'change',
    help: 'host names or public addresses that the local endpoint accepts besides local ones, separated by commas',
  }),
  localReadToken: setting(nullable(bearerToken), {
    default: null,
    variable: 'LOCAL_READ_TOKEN',
    scope: 'node',
    page: 'none',
    isSecret: true,
    help: 'bearer token that programs must send to read from the local endpoint; not set: none',
  }),
  publicRateLimit: setting(integer(0, 1_000_000), {
    default: 100,
    variable: 'PUBLIC_RATE_LIMIT',
    scope: 'node',
    page: 'change',
    help: 'requests per second and address on the public endpoint, and ten times as many blocks; 0: no limit',
  }),
  trustedProxies: setting(networks, {
    default: [],
    variable: 'TRUSTED_PROXIES',
    scope: 'node',
    page: 'none',
    help: 'addresses of load balancers before the public endpoint; their X-Forwarded-For names the client',
  }),
  gateDeviceRate: setting(integer(0, 10_000), {
    default: 5,
    variable: 'GATE_DEVICE_RATE',
    scope: 'node',
    page: 'none',
    help: 'new readings per second from one device at the gate, after a burst of 5000; 0: no limit',
  }),
  publicMaxDevices: setting(integer(0, 1_000_000_000), {
    default: 10_000,
    variable: 'PUBLIC_MAX_DEVICES',
    scope: 'node',
    page: 'none',
    help: 'most devices in the public store',
  }),
  publicKeepDays: setting(integer(0, 36_500), {
    default: 0,
    variable: 'PUBLIC_KEEP_DAYS',
    scope: 'node',
    page: 'none',
    help: 'days that a public store in PostgreSQL keeps readings; 0: for ever',
  }),
  publicStoreUrl: setting(nullable(databaseUrl), {
    default: null,
    variable: 'PUBLIC_STORE_URL',
    scope: 'node',
    page: 'none',
    isSecret: true,
    help: 'PostgreSQL database that holds the public store for several nodes; not set: a file holds it',
  }),
  identityFile: setting(nullable(path), {
    default: null,
    variable: 'IDENTITY_FILE',
    scope: 'node',
    page: 'none',
    help: "file with the node's phrase, one for all nodes of a public store; not set: in the data folder",
  }),
  publicMaxBytes: setting(integer(0, Number.MAX_SAFE_INTEGER), {
    default: 2 * GIB,
    variable: 'PUBLIC_MAX_BYTES',
    scope: 'node',
    page: 'none',
    help: 'largest size of the public store',
  }),
  photosMaxBytes: setting(integer(0, Number.MAX_SAFE_INTEGER), {
    default: GIB,
    variable: 'PHOTOS_MAX_BYTES',
    scope: 'node',
    page: 'change',
    help: 'most bytes of the photos of the log',
  }),
  backupFolder: setting(nullable(path), {
    default: null,
    variable: 'BACKUP_DIR',
    scope: 'node',
    page: 'show',
    help: 'existing folder, on another disk, for daily backups; not set: no backups',
  }),
  backupRecipient: setting(nullable(backupRecipient), {
    default: null,
    variable: 'BACKUP_RECIPIENT',
    scope: 'node',
    page: 'show',
    help: "age recipient of the owner's phrase, to which backups are encrypted; not set: not encrypted",
  }),
  backupTime: setting(timeOfDay, {
    default: '03:30',
    variable: 'BACKUP_TIME',
    scope: 'node',
    page: 'show',
    help: 'local time of the daily backup',
  }),
  backupKeepDaily: setting(integer(0, 1000), {
    default: 7,
    variable: 'BACKUP_KEEP_DAILY',
    scope: 'node',
    page: 'show',
    help: 'for how many days the newest backup of each day is kept',
  }),
  backupKeepWeekly: setting(integer(0, 1000), {
    default: 4,
    variable: 'BACKUP_KEEP_WEEKLY',
    scope: 'node',
    page: 'show',
    help: 'the same for weeks',
  }),
  backupKeepMonthly: setting(integer(0, 1000), {
    default: 12,
    variable: 'BACKUP_KEEP_MONTHLY',
    scope: 'node',
    page: 'show',
    help: 'the same for months',
  }),
  checkpointFile: setting(nullable(path), {
    default: null,
    variable: 'CHECKPOINT_FILE',
    scope: 'node',
    page: 'none',
    help: 'file to which each signed checkpoint of the logs is added, a line of JSON each; not set: none',
  }),
  checkpointWebhook: setting(nullable(webhookUrl), {
    default: null,
    variable: 'CHECKPOINT_WEBHOOK',
    scope: 'node',
    page: 'none',
    isSecret: true,
    help: 'address to which each signed checkpoint of the logs is posted as JSON; not set: none',
  }),
  mqttUrl: setting(nullable(brokerUrl), {
    default: null,
    variable: 'MQTT_URL',
    scope: 'node',
    page: 'change',
    help: 'MQTT broker to which readings are published, such as mqtts://broker.lan; not set: none',
  }),
  mqttUsername: setting(nullable(userName), {
    default: null,
    variable: 'MQTT_USERNAME',
    scope: 'node',
    page: 'change',
    help: 'user of the node at the broker; not set: none',
  }),
  mqttPassword: setting(nullable(password), {
    default: null,
    variable: 'MQTT_PASSWORD',
    scope: 'node',
    page: 'none',
    isSecret: true,
    help: 'password of that user; without the variable, the one that the owner set holds',
  }),
  mqttCa: setting(nullable(path), {
    default: null,
    variable: 'MQTT_CA',
    scope: 'node',
    page: 'change',
    help: "PEM file with the authority of the broker's certificate; not set: the public ones",
  }),
  mqttPrefix: setting(topicPrefix, {
    default: 'wellhouse',
    variable: 'MQTT_PREFIX',
    scope: 'node',
    page: 'change',
    help: 'beginning of the topics of devices',
  }),
  mqttDiscoveryPrefix: setting(topicPrefixOrNone, {
    default: 'homeassistant',
    variable: 'MQTT_DISCOVERY_PREFIX',
    scope: 'node',
    page: 'change',
    takesEmpty: true,
    help: 'beginning of the topics where Home Assistant looks for devices; empty: devices are not announced to it',
  }),
  metricsPort: setting(nullable(port), {
    default: null,
    variable: 'METRICS_PORT',
    scope: 'node',
    page: 'change',
    help: 'port where Prometheus reads GET /metrics; 0 takes a free one; not set: none',
  }),
  metricsAddress: setting(listenAddress, {
    default: '127.0.0.1',
    variable: 'METRICS_ADDRESS',
    scope: 'node',
    page: 'change',
    help: 'address of that port; any other than this machine needs a token; 0.0.0.0: all addresses',
  }),
  metricsToken: setting(nullable(bearerToken), {
    default: null,
    variable: 'METRICS_TOKEN',
    scope: 'node',
    page: 'none',
    isSecret: true,
    help: 'bearer token for GET /metrics; without the variable, the one that the owner set holds',
  }),
  language: setting(nullable(choice(...(Object.keys(LANGUAGES) as Language[]))), {
    default: null,
    variable: null,
    scope: 'browser',
    page: 'change',
    help: "language of the owner's view; null: that of the system",
  }),
  theme: setting(choice('auto', 'light', 'dark'), {
    default: 'auto',
    variable: null,
    scope: 'browser',
    page: 'change',
    help: 'light or dark; auto: that of the system',
  }),
  startAtLogin: setting(flag, {
    default: false,
    variable: null,
    scope: 'desktop',
    page: 'change',
    help: 'whether the app starts when its user logs in',
  }),
  closeBehaviour: setting(choice('ask', 'tray', 'quit'), {
    default: 'ask',
    variable: null,
    scope: 'desktop',
    page: 'change',
    help: 'what closing the window does; ask: ask the owner the first time',
  }),
} as const satisfies SettingsTable;

export type SettingName = keyof typeof SETTINGS;
/** The values of all settings, after their check. */
export type Settings = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> };

type NamesFor<Page extends PageUse> = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<unknown, Page> ? Name : never;
}[SettingName];
/** The settings that the settings page can change. */
export type ChangeableName = NamesFor<'change'>;
/** The settings that the settings page shows, and that the settings file may have. */
export type ShownName = NamesFor<'change' | 'show'>;

/** Returns the schemas of some settings, by name. */
export function schemasOf<Name extends SettingName>(names: readonly Name[]): SchemasOf<Name> {
  return Object.fromEntries(names.map((name) => [name, SETTINGS[name].schema])) as SchemasOf<Name>;
}
type SchemasOf<Name extends SettingName> = { readonly [Each in Name]: (typeof SETTINGS)[Each]['schema'] };

export const CHANGEABLE_NAMES = namesFor((page): page is 'change' => page === 'change');
export const SHOWN_NAMES = namesFor((page): page is 'change' | 'show' => page !== 'none');

function namesFor<Page extends PageUse>(isWanted: (page: PageUse) => page is Page): readonly NamesFor<Page>[] {
  const names = Object.keys(SETTINGS) as SettingName[];
  return names.filter((name): name is NamesFor<Page> => isWanted(SETTINGS[name].page));
}
