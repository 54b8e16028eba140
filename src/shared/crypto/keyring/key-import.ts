import { MAX_KEY_VERSION } from '../../protocol/limits.ts';

/** A key that was read from a text. */
export interface ImportedKey {
  readonly deviceId: string;
  readonly keyVersion: number;
  readonly keyHex: string;
}

/**
 * The problem of an item of a list. `key`: not 64 hex digits; `device`: not 64 hex digits; `version`: not an integer
 * from 0 to 2^32-1; `twice`: an earlier item has the same device and version with another key; `columns`: not three, or
 * a JSON item that is not an object.
 */
export type ImportProblem = 'key' | 'device' | 'version' | 'twice' | 'columns';

/** The result of an import. The errors quote nothing of the text, because it contains keys. */
export type KeyImport =
  | { readonly ok: true; readonly keys: readonly ImportedKey[] }
  /** `position`: the line of a CSV text or the item of a JSON list, counted from 1. */
  | { readonly ok: false; readonly errors: readonly { readonly position: number; readonly problem: ImportProblem }[] };

type Cells = { readonly position: number; readonly cells: readonly unknown[] | null };

const HEX_32 = /^[0-9a-f]{64}$/;
const HEADER_NAMES = {
  device: ['deviceid', 'device', 'id'],
  version: ['keyversion', 'version'],
  key: ['key', 'keyhex'],
};
const BARE_VERSION = /^(0|[1-9][0-9]{0,9})$/;

/**
 * Reads keys from a text, all or nothing: one error means no keys. The text is one of these:
 * - one key in hex, for `context`, the device and version that the owner chose;
 * - JSON: an object `{ deviceId, keyVersion, key }`, a list of such objects, or `{ keys: [...] }`;
 * - CSV lines `deviceId,keyVersion,key`, separated by commas, semicolons or tabs. A heading line may come first and may
 *   name another order of the columns.
 */
export function parseKeyImport(text: string, context: Omit<ImportedKey, 'keyHex'> | null): KeyImport {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  if (/^[[{]/.test(trimmed)) return check(jsonCells(trimmed));
  if (/[,;\t]/.test(trimmed)) return check(csvCells(trimmed));
  const keyHex = trimmed.replace(/^0x/i, '').replace(/[\s:]/g, '').toLowerCase();
  if (!HEX_32.test(keyHex)) return { ok: false, errors: [{ position: 1, problem: 'key' }] };
  if (context === null) return { ok: false, errors: [{ position: 1, problem: 'columns' }] };
  return { ok: true, keys: [{ ...context, keyHex }] };
}

function jsonCells(text: string): Cells[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return [{ position: 1, cells: null }];
  }
  const list = isObject(json) && Array.isArray(json.keys) ? json.keys : json;
  return (Array.isArray(list) ? list : [list]).map((item: unknown, index) => {
    if (!isObject(item)) return { position: index + 1, cells: null };
    const named = (names: readonly string[]) =>
      Object.entries(item).find(([name]) => names.includes(name.toLowerCase().replace(/_/g, '')))?.[1];
    return {
      position: index + 1,
      cells: [named(HEADER_NAMES.device), named(HEADER_NAMES.version), named(HEADER_NAMES.key)],
    };
  });
}

function csvCells(text: string): Cells[] {
  const lines = text.split(/\r\n|\r|\n/).map((line, index) => ({
    position: index + 1,
    cells: line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')),
  }));
  const rows = lines.filter(({ cells }) => cells.some((cell) => cell !== ''));
  const order = columnOrder(rows[0]?.cells ?? []);
  return (order === null ? rows : rows.slice(1)).map(({ position, cells }) => ({
    position,
    cells: cells.length === 3 ? (order ?? [0, 1, 2]).map((column) => cells[column]) : null,
  }));
}

/** Returns the columns of device, version and key in a heading line; null if the line is not a heading. */
function columnOrder(cells: readonly string[]): number[] | null {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[\s_-]/g, ''));
  const order = [HEADER_NAMES.device, HEADER_NAMES.version, HEADER_NAMES.key].map((allowed) =>
    names.findIndex((name) => allowed.includes(name)),
  );
  return order.includes(-1) ? null : order;
}

function check(items: readonly Cells[]): KeyImport {
  const keys = new Map<string, ImportedKey>();
  const errors: { position: number; problem: ImportProblem }[] = [];
  for (const { position, cells } of items) {
    const read = cells === null ? 'columns' : readKey(cells);
    if (typeof read === 'string') {
      errors.push({ position, problem: read });
      continue;
    }
    const name = `${read.deviceId} ${read.keyVersion}`;
    const before = keys.get(name);
    if (before !== undefined && before.keyHex !== read.keyHex) errors.push({ position, problem: 'twice' });
    keys.set(name, read);
  }
  if (items.length === 0) errors.push({ position: 1, problem: 'columns' });
  return errors.length > 0 ? { ok: false, errors } : { ok: true, keys: [...keys.values()] };
}

function readKey([device, version, key]: readonly unknown[]): ImportedKey | ImportProblem {
  const deviceId = typeof device === 'string' ? device.trim().toLowerCase() : '';
  const keyHex = typeof key === 'string' ? key.trim().toLowerCase() : '';
  const keyVersion = typeof version === 'string' && BARE_VERSION.test(version.trim()) ? Number(version) : version;
  if (!HEX_32.test(deviceId)) return 'device';
  if (typeof keyVersion !== 'number' || !Number.isInteger(keyVersion)) return 'version';
  if (keyVersion < 0 || keyVersion > MAX_KEY_VERSION) return 'version';
  return HEX_32.test(keyHex) ? { deviceId, keyVersion, keyHex } : 'key';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
