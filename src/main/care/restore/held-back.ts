import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { z } from 'zod';
import { type HeldBack, heldBack } from '../../../shared/owner-api/backups.ts';
import { writeAtomicallySync } from '../../common/atomic-write.ts';
import { SYSTEM_CLOCK } from '../../common/clock.ts';
import { openStateFile } from '../../state-files/damaged-files.ts';
import { readJson } from '../../state-files/regular-file.ts';
import type { StateFileKind } from '../../state-files/state-file.ts';
import { type NodePaths, SETTINGS_FILE } from '../node-files.ts';

// A restore holds back the items that would listen, send data or admit others, unless they are already active here.
// They wait in a separate file for the owner's confirmation, so the code that reads settings, channels and nodes does
// not see them.

const ALERTS = 'alerts.json';
const SECRETS = 'alert-secrets.json';
const NODES = 'nodes.json';

const item = heldBack.extend({
  /** Entries of the settings file. */
  settings: z.record(z.string(), z.unknown()).default({}),
  /** The id of a channel that is switched off meanwhile. */
  channel: z.string().nullable().default(null),
  /** An entry of the other nodes, with the token for its door. */
  node: z.record(z.string(), z.unknown()).nullable().default(null),
});
type Item = z.infer<typeof item>;

const content = z.object({ version: z.literal(1), items: z.array(item) });

/** The file in the data folder with the held-back items. */
export const HELD_BACK_FILE: StateFileKind<typeof content> = {
  ...{ name: 'held-back.json', schema: content, empty: { version: 1, items: [] } },
  copy: 'same',
};

/** Longer details are cut for display. */
const MAX_DETAIL = 500;

type Json = Record<string, unknown>;

/** Returns the held-back items. */
export function heldBackIn(dataDir: string): HeldBack[] {
  return read(dataDir).map(({ id, kind, detail }) => ({ id, kind, detail }));
}

/** Returns the items of a backup that would listen, send data or admit others here, also if they are already active. */
export function activeIn(files: string): HeldBack[] {
  return [...itemsOf(jsonIn(files, SETTINGS_FILE), {}), ...channelsOf(files, null), ...nodesOf(files, null)].map(
    ({ id, kind, detail }) => ({ id, kind, detail }),
  );
}

/**
 * Removes from unpacked files the items that are not active in the present folder, and records them. `isSame`: the
 * files replace data of the same node, which continues its backups.
 */
export function holdBack(into: string, present: NodePaths, isSame: boolean): void {
  const settings = jsonIn(into, SETTINGS_FILE);
  // A settings file next to the data folder belongs to the desktop app, whose public endpoint is off by default.
  const publicEnabled = resolve(present.settingsFile) === resolve(join(present.dataDir, SETTINGS_FILE));
  const here = { publicEnabled, ...jsonAt(present.settingsFile) };
  // The backup folder of a copy has its own confirmation (backup/folder-guard.ts).
  const held = itemsOf(settings, here).filter(({ kind }) => kind !== 'backups' || isSame);
  if (settings !== null) writeJson(into, SETTINGS_FILE, withoutHeld(settings, held, here));
  const channels = channelsOf(into, present.dataDir);
  const ids = channels.map(({ channel }) => channel);
  const alerts = jsonIn(into, ALERTS);
  if (alerts !== null && channels.length > 0) {
    const off = listIn(alerts.channels).map((each) =>
      ids.includes(String(each.id)) ? { ...each, isOn: false } : each,
    );
    writeJson(into, ALERTS, { ...alerts, channels: off });
  }
  const nodes = nodesOf(into, present.dataDir);
  const known = jsonIn(into, NODES);
  if (known !== null && nodes.length > 0) {
    const rest = listIn(known.nodes).filter((each) => !nodes.some(({ node }) => isDeepStrictEqual(node, each)));
    writeJson(into, NODES, { ...known, nodes: rest });
  }
  const items = [...held, ...channels, ...nodes];
  if (items.length > 0) write(into, items);
}

/** Applies held-back items in a folder without a running node. Throws errors of the file system. */
export function releaseHeldBack({ dataDir, settingsFile }: NodePaths, ids: readonly string[]): void {
  const items = read(dataDir);
  const released = items.filter(({ id }) => ids.includes(id));
  const settings = Object.assign({}, ...released.map((each) => each.settings)) as Json;
  if (Object.keys(settings).length > 0)
    writeAtomicallySync(settingsFile, text({ ...jsonAt(settingsFile), ...settings }));
  const channels = released.map(({ channel }) => channel).filter((channel) => channel !== null);
  const alerts = jsonIn(dataDir, ALERTS);
  if (alerts !== null && channels.length > 0) {
    const on = listIn(alerts.channels).map((each) =>
      channels.includes(String(each.id)) ? { ...each, isOn: true } : each,
    );
    writeJson(dataDir, ALERTS, { ...alerts, channels: on });
  }
  const nodes = released.flatMap(({ node }) => (node === null ? [] : [node]));
  if (nodes.length > 0) {
    const known = jsonIn(dataDir, NODES) ?? { version: 1 };
    const others = listIn(known.nodes).filter((each) => !nodes.some(({ id }) => id === each.id));
    writeJson(dataDir, NODES, { ...known, nodes: [...others, ...nodes] });
  }
  write(
    dataDir,
    items.filter(({ id }) => !ids.includes(id)),
  );
}

/** Deletes held-back items that the owner does not want. Throws errors of the file system. */
export function dropHeldBack(dataDir: string, ids: readonly string[]): void {
  write(
    dataDir,
    read(dataDir).filter(({ id }) => !ids.includes(id)),
  );
}

/** Returns the settings that would listen or send and differ from those in `here`. */
function itemsOf(settings: Json | null, here: Json): Item[] {
  const of = (kind: Item['kind'], names: readonly string[], detail: (values: Json) => string): Item[] => {
    const [first = ''] = names;
    const value = settings?.[first];
    const isOff = value === undefined || value === null || value === false || isDeepStrictEqual(value, []);
    if (isOff || names.every((name) => isDeepStrictEqual(settings?.[name] ?? null, here[name] ?? null))) return [];
    const held = Object.fromEntries(
      names.flatMap((name) => (settings![name] == null ? [] : [[name, settings![name]]])),
    );
    return [
      { id: kind, kind, detail: detail(settings!).slice(0, MAX_DETAIL), settings: held, channel: null, node: null },
    ];
  };
  const place = (address: unknown, port: unknown) => `${address}, ${port ?? '–'}`;
  return [
    ...of('public', ['publicEnabled'], ({ publicPort }) => place('0.0.0.0', publicPort)),
    ...of('gate', ['gateAddress'], ({ gateAddress, gatePort }) => place(gateAddress, gatePort)),
    ...of('door', ['doorAddress'], ({ doorAddress, doorPort }) => place(doorAddress, doorPort)),
    ...of('hosts', ['localAllowedHosts'], ({ localAllowedHosts }) => [localAllowedHosts].flat().join(', ')),
    ...of('mqtt', ['mqttUrl', 'mqttUsername', 'mqttCa'], ({ mqttUrl }) => String(mqttUrl)),
    ...of('metrics', ['metricsPort', 'metricsAddress'], ({ metricsAddress, metricsPort }) =>
      place(metricsAddress ?? '127.0.0.1', metricsPort),
    ),
    ...of('backups', ['backupFolder', 'backupRecipient'], ({ backupFolder, backupRecipient }) =>
      [backupFolder, backupRecipient ?? '–'].join(', '),
    ),
  ];
}

/** Returns the settings without the held ones; allowed hosts and this node's backup plan stay as they are here. */
function withoutHeld(settings: Json, held: readonly Item[], here: Json): Json {
  const kept = Object.entries(settings).flatMap(([name, value]) => {
    if (!held.some((each) => name in each.settings)) return [[name, value]];
    if (name === 'localAllowedHosts') {
      const allowed: unknown[] = [here[name]].flat();
      return [[name, [value].flat().filter((host) => allowed.includes(host))]];
    }
    return [];
  });
  const isPlanHeld = held.some(({ kind }) => kind === 'backups');
  const plan = isPlanHeld ? ['backupFolder', 'backupRecipient'].filter((name) => here[name] != null) : [];
  return { ...Object.fromEntries(kept), ...Object.fromEntries(plan.map((name) => [name, here[name]])) };
}

/** Returns the channels that are on, leave the machine, and differ from those in the present folder. */
function channelsOf(files: string, present: string | null): Item[] {
  const here = present === null ? [] : listIn(jsonIn(present, ALERTS)?.channels);
  const secretsOf = (folder: string, id: unknown) =>
    (jsonIn(folder, SECRETS)?.channels as Json | undefined)?.[String(id)];
  return listIn(jsonIn(files, ALERTS)?.channels).flatMap((channel) => {
    const { id, isOn, target } = channel;
    const { kind, ...where } = (target ?? {}) as Json;
    if (isOn !== true || kind === 'desktop') return [];
    const isSame =
      present !== null &&
      here.some((each) => isDeepStrictEqual(each, channel)) &&
      isDeepStrictEqual(secretsOf(files, id), secretsOf(present, id));
    const detail = [kind, ...Object.values(where).flat()].join(' ').slice(0, MAX_DETAIL);
    return isSame
      ? []
      : [{ id: `channel ${id}`, kind: 'channel', detail, settings: {}, channel: String(id), node: null }];
  });
}

/** Returns the other nodes that would be contacted and that the present folder does not have. */
function nodesOf(files: string, present: string | null): Item[] {
  const here = present === null ? [] : listIn(jsonIn(present, NODES)?.nodes);
  return listIn(jsonIn(files, NODES)?.nodes).flatMap((node) => {
    if (here.some((each) => isDeepStrictEqual(each, node))) return [];
    return [
      {
        id: `node ${node.id}`,
        kind: 'node',
        detail: `${node.name}, ${node.url}`.slice(0, MAX_DETAIL),
        settings: {},
        channel: null,
        node,
      },
    ];
  });
}

const folderOf = (path: string) => ({ path, log: pino({ level: 'silent' }), now: () => SYSTEM_CLOCK.now() });

function read(dataDir: string): Item[] {
  return openStateFile(HELD_BACK_FILE, folderOf(dataDir)).peek()?.items ?? [];
}

function write(dataDir: string, items: readonly Item[]): void {
  if (items.length === 0 && !existsSync(join(dataDir, HELD_BACK_FILE.name))) return;
  openStateFile(HELD_BACK_FILE, folderOf(dataDir)).writeSync({ version: 1, items: [...items] });
}

const jsonIn = (folder: string, name: string) => jsonAt(join(folder, name));

/** Reads a file as the node does, which ignores anything but a JSON object, too. */
function jsonAt(path: string): Json | null {
  if (!existsSync(path)) return null;
  try {
    const value: unknown = readJson(readFileSync(path));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

function listIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((each): each is Json => typeof each === 'object' && each !== null) : [];
}

const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function writeJson(folder: string, name: string, value: unknown): void {
  writeAtomicallySync(join(folder, name), text(value));
}
