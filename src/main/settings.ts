import { HOST_NAME, type KeptSettings, MAX_RATE_LIMIT } from '../shared/owner-settings.ts';
import { StartError } from './start-error.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const RAW_BINDINGS = ['known', 'strict', 'off'] as const;
export const DURABILITIES = ['full', 'normal'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];
export type RawBinding = (typeof RAW_BINDINGS)[number];
export type Durability = (typeof DURABILITIES)[number];

/** Everything that an owner can set about a node, checked. */
export interface Settings {
  /** Port of the public endpoint; 0 takes any free one. */
  readonly publicPort: number;
  /** Port of the local endpoint; 0 takes any free one. */
  readonly localPort: number;
  readonly dataDir: string;
  readonly publicEnabled: boolean;
  readonly logLevel: LogLevel;
  readonly maxBodyBytes: number;
  readonly rawBinding: RawBinding;
  readonly durability: Durability;
  /** Names, in lowercase, that the local endpoint's Host check accepts besides localhost and IP literals. */
  readonly localAllowedHosts: readonly string[];
  /** Requests a second and client address on the public endpoint; 0 is off. */
  readonly publicRateLimit: number;
  readonly publicMaxDevices: number;
  readonly publicMaxBytes: number;
}

/** What differs between the homes of a node. */
export interface SettingDefaults {
  readonly dataDir: string;
  readonly publicEnabled: boolean;
}

/** The variables of the settings that a settings file may hold, too. */
export const VARIABLES = {
  publicPort: 'PUBLIC_PORT',
  localPort: 'LOCAL_PORT',
  dataDir: 'DATA_DIR',
  publicEnabled: 'PUBLIC_ENABLED',
  localAllowedHosts: 'LOCAL_ALLOWED_HOSTS',
  publicRateLimit: 'PUBLIC_RATE_LIMIT',
} as const;

export type Environment = Readonly<Record<string, string | undefined>>;

const GIB = 1024 ** 3;

/** Whether the environment sets a variable; set to nothing, it is as if it were not set. */
export function isSet(env: Environment, name: string): boolean {
  return env[name] !== undefined && env[name] !== '';
}

/** LOG_LEVEL alone, for what comes before the settings. Throws StartError. */
export function readLogLevel(env: Environment): LogLevel {
  return choice(env, 'LOG_LEVEL', 'info', LOG_LEVELS);
}

/**
 * Reads the settings: from the environment, else from what a settings file kept, else by default. An empty variable is
 * not set. Throws StartError naming the variable, its value and what is allowed.
 */
export function readSettings(env: Environment, defaults: SettingDefaults, kept: KeptSettings = {}): Settings {
  const publicEnabled = kept.publicEnabled ?? defaults.publicEnabled;
  const settings: Settings = {
    publicPort: integer(env, 'PUBLIC_PORT', kept.publicPort ?? 3000, 0, 65535),
    localPort: integer(env, 'LOCAL_PORT', kept.localPort ?? 3001, 0, 65535),
    dataDir: env.DATA_DIR || kept.dataDir || defaults.dataDir,
    publicEnabled: choice(env, 'PUBLIC_ENABLED', String(publicEnabled), ['true', 'false']) === 'true',
    logLevel: readLogLevel(env),
    maxBodyBytes: integer(env, 'MAX_BODY_BYTES', 1024 ** 2, 1024, GIB / 4),
    rawBinding: choice(env, 'RAW_BINDING', 'known', RAW_BINDINGS),
    durability: choice(env, 'DURABILITY', 'full', DURABILITIES),
    localAllowedHosts: hostNames(env, 'LOCAL_ALLOWED_HOSTS') ?? kept.localAllowedHosts ?? [],
    publicRateLimit: integer(env, 'PUBLIC_RATE_LIMIT', kept.publicRateLimit ?? 100, 0, MAX_RATE_LIMIT),
    publicMaxDevices: integer(env, 'PUBLIC_MAX_DEVICES', 10_000, 0, 1_000_000_000),
    publicMaxBytes: integer(env, 'PUBLIC_MAX_BYTES', 2 * GIB, 0, Number.MAX_SAFE_INTEGER),
  };
  if (settings.publicEnabled && settings.publicPort !== 0 && settings.publicPort === settings.localPort) {
    const port = settings.localPort;
    throw new StartError(`PUBLIC_PORT and LOCAL_PORT are both ${port}: each endpoint needs a port of its own`, {
      endpoint: 'public',
      port,
      reason: 'equal',
    });
  }
  return settings;
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw badValue(name, text, `a whole number from ${min} to ${max}`);
  return value;
}

function choice<const T extends string>(env: Environment, name: string, fallback: T, allowed: readonly T[]): T {
  const text = env[name] || fallback;
  const found = allowed.find((value) => value === text);
  if (found === undefined) throw badValue(name, text, `one of ${allowed.join(', ')}`);
  return found;
}

function hostNames(env: Environment, name: string): string[] | null {
  if (!isSet(env, name)) return null;
  const names = env[name]!.split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  const bad = names.find((host) => !HOST_NAME.test(host));
  if (bad !== undefined) throw badValue(name, bad, 'host names separated by commas, without port or scheme');
  return names;
}

function badValue(name: string, value: string, allowed: string): StartError {
  return new StartError(`${name} is ${JSON.stringify(value)}; allowed is ${allowed}`);
}
