import { arch, availableParallelism, homedir, hostname, release, totalmem, userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { strToU8, zipSync } from 'fflate/browser';
import type { NodeState } from '../../shared/node-state.ts';
import type { RuleState } from '../../shared/owner-api/alerts.ts';
import type { Output } from '../../shared/owner-api/contract.ts';
import type { Move } from '../../shared/owner-api/moving.ts';
import type { Overview } from '../../shared/owner-api/overview.ts';
import { SETTINGS, type SettingsTable } from '../../shared/settings/table.ts';
import { SYSTEM_CLOCK } from '../common/clock.ts';
import { VERSION } from '../common/version.ts';
import type { ProgramSettings } from '../settings/program-settings.ts';
import { secretTexts, withoutSecrets } from '../settings/secrets.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { engineVersions } from '../store/engines.ts';
import { Redactor } from './redactor.ts';

/** The part of the program that the diagnostics describe. */
export interface DiagnosedHost {
  readonly ownerView: 'browser' | 'desktop';
  readonly state: NodeState;
  readonly settings: Pick<ProgramSettings, 'env' | 'path' | 'file' | 'now' | 'with'>;
  readonly move: Move | null;
}

/** The sources of diagnostics. */
export interface DiagnosticsDependencies {
  readonly host: DiagnosedHost;
  /** The newest lines of the log. */
  readonly log: string;
  /** null if no node is running. */
  readonly overview: Overview | null;
  /** The rules of alerts; null if no node is running. */
  readonly rules: readonly RuleState[] | null;
  /** The kinds of the channels of alerts. */
  readonly channels: readonly string[];
  /** The settings, with those that are secret marked. */
  readonly table?: SettingsTable;
}

/** Creates the files of the diagnostics, with all private data redacted, and a zip of these files. */
export function makeDiagnostics({
  host,
  log,
  overview,
  rules,
  channels,
  table = SETTINGS,
}: DiagnosticsDependencies): Output<'diagnostics'> {
  const now = new Date(SYSTEM_CLOCK.now());
  const redactor = new Redactor({
    paths: privatePaths(host),
    names: [
      ...[...(overview?.devices ?? []), ...(overview?.hidden ?? [])].flatMap(({ name, ownerName, notes, mac }) => [
        name,
        ownerName ?? '',
        notes.displayName ?? '',
        mac,
      ]),
      ...allowedHosts(host),
      ...brokerNames(host),
      ...ownNames(),
      ...secretTexts(host.settings.env, table),
    ].filter((name) => name !== ''),
  });
  const report = {
    madeAt: now.toISOString(),
    versions: { wellhouse: VERSION, node: process.versions.node, electron: process.versions.electron ?? null },
    ...engineVersions(),
    system: { platform: process.platform, release: release(), arch: arch(), cores: availableParallelism() },
    memory: { total: totalmem(), used: process.memoryUsage.rss() },
    uptimeSeconds: Math.round(process.uptime()),
    ownerView: host.ownerView,
    state: host.state,
    settings: settingsOf(host, table),
    settingsFile: fileOf(host)?.damage ?? null,
    lastMove: host.move,
    counts: overview === null ? null : countsOf(overview),
    alerts: rules === null ? null : { rules: rules.map(ruleOf), channels },
  };
  const files = [
    { name: 'report.json', text: `${JSON.stringify(redactor.value(report), null, 2)}\n` },
    { name: 'log.jsonl', text: redactor.lines(log) },
  ];
  const contents = Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)]));
  const zip = Buffer.from(zipSync(contents, { mtime: now })).toString('base64');
  const time = now.toISOString().slice(0, 16).replace(/[-:]/g, '');
  return { name: `wellhouse-diagnostics-${time}.zip`, zip, files };
}

/** Returns a rule without its name and without the ids of its devices and channels, which no report contains. */
function ruleOf({ rule, devices, sealedOn }: RuleState): unknown {
  const { id: _id, channels, ...rest } = rule;
  const shown = rest.kind === 'range' ? { ...rest, name: undefined, scope: rest.scope.kind } : rest;
  const told = channels === 'all' ? channels : channels.length;
  return { ...shown, channels: told, devices, sealedOn: sealedOn.length };
}

function settingsOf(host: DiagnosedHost, table: SettingsTable): unknown {
  try {
    return withoutSecrets(host.settings.with({}), table);
  } catch (error) {
    return { refused: (error as Error).message };
  }
}

/** Returns null if the file can't be read: then the report only says so. */
function fileOf(host: DiagnosedHost): SettingsFile | null {
  try {
    return host.settings.file;
  } catch {
    return null;
  }
}

/**
 * Returns the allowed hosts, which may be names. They are read directly, because refused settings may contain names
 * too.
 */
function allowedHosts(host: DiagnosedHost): string[] {
  return [...(host.settings.env.LOCAL_ALLOWED_HOSTS ?? '').split(','), ...(fileOf(host)?.kept.localAllowedHosts ?? [])];
}

/** Returns the address and user name of the broker. */
function brokerNames({ settings: { now } }: DiagnosedHost): string[] {
  return [now.mqttUrl?.replace(/^\w+:\/\//, '') ?? '', now.mqttUsername ?? ''];
}

function privatePaths(host: DiagnosedHost): (readonly [string, string])[] {
  const file = fileOf(host);
  const dirs = [
    host.settings.env.DATA_DIR,
    host.settings.now.dataDir,
    file?.kept.dataDir,
    ...(file?.kept.oldDataDirs ?? []),
    host.move?.to,
  ];
  return [
    [host.settings.path, '<settings file>'] as const,
    ...dirs.flatMap((dir) => (dir === undefined ? [] : [[resolve(dir), '<data folder>'] as const])),
    [dirname(host.settings.path), '<settings folder>'] as const,
    [homedir(), '~'] as const,
  ]
    .filter(([dir]) => dir.length > 1)
    .sort(([a], [b]) => b.length - a.length);
}

/** Returns the names of the account and the machine, except for common ones. */
function ownNames(): string[] {
  return [userName(), hostname(), hostname().split('.')[0]!].filter((name) => !['root', 'localhost'].includes(name));
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // The account has no entry in the system's list, as in a container.
    return '';
  }
}

function countsOf({ devices, unregistered, totals, demo }: Overview): unknown {
  return {
    devices: devices.length,
    mine: devices.filter(({ mine }) => mine).length,
    inPrivateStore: devices.filter(({ stores }) => stores.some(({ store }) => store === 'private')).length,
    inPublicStore: devices.filter(({ stores }) => stores.some(({ store }) => store === 'public')).length,
    clockNotSet: devices.filter(({ clockNotSet }) => clockNotSet).length,
    unregistered: unregistered.length,
    demo,
    ...totals,
  };
}
