import type { z } from 'zod';
// Not `z.core`: for that the build keeps all of zod, with its messages in fifty languages.
import * as core from 'zod/v4/core';
import { displayText } from '../../shared/display-text.ts';

/** An entry of a state file that could not be read. */
export interface LostEntry {
  /** The list or member with the entry, such as `rules`, `outbox.deliveries` or `options`. */
  readonly part: string;
  /** The path of names, ids or numbers (from 1) within that part; null for the whole part. */
  readonly entry: string | null;
}

/** The part of a document that a schema accepts. */
export interface Salvaged<T> {
  readonly value: T;
  readonly lost: readonly LostEntry[];
  /** The paths of values that were rounded or brought into range. */
  readonly repaired: readonly string[];
  /** The entries that were restored from the previous copy. */
  readonly restored: readonly LostEntry[];
}

type Key = string | number;
type Container = Record<Key, unknown>;
type Issue = core.$ZodIssue;

const GONE = Symbol('gone');
/**
 * The limit of rounds. Each round removes at least one entry at the deepest place; documents are nested far less
 * deeply.
 */
const MAX_ROUNDS = 20;
const MAX_LABEL = 80;

/**
 * Reads a document entry by entry. A value that the schema refuses costs the smallest entry of a list or record around
 * it, or a member of `empty`: that member's value replaces it (undefined omits it). If `before` has the same entry (by
 * its id) or member, it is used instead. Fractions in place of integers are rounded. With `isOurs`, for a document that
 * is about to be written, numbers and texts are also brought into range. Returns null if nothing is readable.
 */
export function salvage<S extends z.ZodType>(
  schema: S,
  document: unknown,
  empty: Partial<z.output<S>>,
  { isOurs = false, before = null }: { readonly isOurs?: boolean; readonly before?: unknown } = {},
): Salvaged<z.output<S>> | null {
  let parsed = schema.safeParse(document);
  if (parsed.success) return { value: parsed.data, lost: [], repaired: [], restored: [] };
  if (!isContainer(document)) return null;
  const copy = copyOf(document);
  const lost: LostEntry[] = [];
  const repaired: string[] = [];
  const work: Work = { schema, document: copy, empty, before: copyOf(before), lost, restored: [], tried: new Set() };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    parsed = schema.safeParse(copy);
    if (parsed.success) return { value: parsed.data, lost, repaired, restored: work.restored };
    work.taken = new Set();
    for (const issue of parsed.error.issues) {
      if (repair(copy, issue, isOurs)) repaired.push(issue.path.join('.'));
      else if (!takeOut(work, issue)) return null;
    }
    sweep(copy);
  }
  return null;
}

interface Work {
  readonly schema: z.ZodType;
  readonly document: unknown;
  readonly empty: unknown;
  readonly before: unknown;
  readonly lost: LostEntry[];
  readonly restored: LostEntry[];
  /** The places where the value of `before` was tried. */
  readonly tried: Set<string>;
  /** The places that this round has changed: one place may have several faults. */
  taken?: Set<string>;
}

/** Brings a value into range; returns whether it could. */
function repair(document: unknown, issue: Issue, isOurs: boolean): boolean {
  const [container, key] = placeOf(document, issue.path);
  if (container === null || key === undefined) return false;
  const value = container[key];
  const fitting = fittingFor(value, issue, isOurs);
  if (fitting === undefined) return false;
  container[key] = fitting;
  return true;
}

/** Returns a valid value; undefined if there is none. */
function fittingFor(value: unknown, issue: Issue, isOurs: boolean): number | string | null | undefined {
  if (typeof value === 'number') {
    if (issue.code === 'invalid_type' && issue.expected === 'int' && Number.isFinite(value)) return Math.round(value);
    if (!isOurs) return undefined;
    if (!Number.isFinite(value)) return null;
    if (issue.code === 'too_big') return Number(issue.maximum);
    if (issue.code === 'too_small') return Number(issue.minimum);
  }
  const isTooLong = isOurs && typeof value === 'string' && issue.code === 'too_big';
  return isTooLong ? value.slice(0, Number(issue.maximum)) : undefined;
}

/** Removes the entry of an issue and records it; returns whether it could. */
function takeOut(work: Work, issue: Issue): boolean {
  const { schema, document, empty, lost } = work;
  const path = issue.path as Key[];
  if (issue.code === 'unrecognized_keys') {
    const at = valueAt(document, path);
    // It was removed because of another fault.
    if (!isContainer(at)) return true;
    for (const key of issue.keys) {
      lost.push(lostAt(document, empty, [...path, key]));
      delete at[key];
    }
    return true;
  }
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const around = path.slice(0, depth);
    const key = path[depth]!;
    const container = valueAt(document, around);
    if (container === GONE) return true;
    const place = [...around, key];
    if (work.taken?.has(place.join('\n'))) return true;
    if (!isContainer(container)) continue;
    if (container[key] === GONE) return true;
    const isEntry = Array.isArray(container) || isRecordAt(schema, around);
    const standsIn = valueAt(empty, place) !== undefined;
    if ((isEntry || standsIn) && restore(work, container, place)) return true;
    if (isEntry) {
      lost.push(lostAt(document, empty, path.slice(0, depth + 1)));
      if (Array.isArray(container)) container[key as number] = GONE;
      else delete container[key];
      work.taken?.add(place.join('\n'));
      return true;
    }
    const standIn = valueAt(empty, path.slice(0, depth + 1));
    const emptyAround = valueAt(empty, around);
    if (standIn === undefined && isContainer(emptyAround) && Object.hasOwn(emptyAround, key)) {
      lost.push(lostAt(document, empty, path.slice(0, depth + 1)));
      delete container[key];
      work.taken?.add(place.join('\n'));
      return true;
    }
    if (standIn !== undefined && container[key] !== standIn) {
      lost.push(lostAt(document, empty, place));
      container[key] = structuredClone(standIn);
      work.taken?.add(place.join('\n'));
      return true;
    }
  }
  return false;
}

/**
 * Replaces the value at a place by that of the previous copy. In a list that is the entry with the same id, or the only
 * entry that differs in one value. Returns whether it could.
 */
function restore(
  { document, empty, before, tried, taken, restored }: Work,
  container: Container,
  path: Key[],
): boolean {
  const key = path.at(-1)!;
  const place = path.join('\n');
  const present = container[key];
  if (tried.has(place)) return false;
  tried.add(place);
  const list = valueAt(before, path.slice(0, -1));
  const found = Array.isArray(container) ? sameEntry(list, present, container) : valueAt(before, path);
  if (found === undefined || found === GONE || JSON.stringify(found) === JSON.stringify(present)) return false;
  restored.push(lostAt(document, empty, path));
  container[key] = copyOf(found);
  taken?.add(place);
  return true;
}

function sameEntry(before: unknown, present: unknown, list: readonly unknown[]): unknown {
  if (!Array.isArray(before) || !isContainer(present)) return undefined;
  const { id } = present;
  const byId = typeof id === 'string' ? before.find((each) => isContainer(each) && each.id === id) : undefined;
  if (byId !== undefined) return byId;
  const isFree = (each: unknown) => list.every((other) => differences(each, other) > 0);
  const alike = before.filter((each) => differences(each, present) === 1 && isFree(each));
  return alike.length === 1 ? alike[0] : undefined;
}

/** Returns the number of values that differ between two entries. */
function differences(one: unknown, other: unknown): number {
  if (!isContainer(one) || !isContainer(other)) return one === other ? 0 : 1;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].reduce((sum, key) => sum + differences(one[key], other[key]), 0);
}

/** Removes the gaps in lists. */
function sweep(value: unknown): void {
  if (!isContainer(value)) return;
  if (Array.isArray(value)) {
    const rest = value.filter((each) => each !== GONE);
    if (rest.length < value.length) value.splice(0, value.length, ...rest);
  }
  for (const each of Object.values(value)) sweep(each);
}

function placeOf(document: unknown, path: readonly PropertyKey[]): [Container | null, Key | undefined] {
  const container = valueAt(document, path.slice(0, -1) as Key[]);
  return [isContainer(container) ? container : null, path.at(-1) as Key | undefined];
}

/** Returns the value at a path; undefined if there is none, GONE if a part of the path was removed. */
function valueAt(document: unknown, path: readonly Key[]): unknown {
  let value = document;
  for (const key of path) {
    if (value === GONE) return GONE;
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** Uses the core of the library, which schemas of `zod` and `zod/mini` share. */
function isRecordAt(schema: core.$ZodType, path: readonly Key[]): boolean {
  let schemas = unwrapped(schema);
  for (const key of path) {
    schemas = schemas.flatMap((each): core.$ZodType[] => {
      if (each instanceof core.$ZodObject) return unwrapped(each._zod.def.shape[key]);
      if (each instanceof core.$ZodArray) return unwrapped(each._zod.def.element);
      return each instanceof core.$ZodRecord ? unwrapped(each._zod.def.valueType) : [];
    });
  }
  return schemas.some((each) => each instanceof core.$ZodRecord);
}

/** Returns the schemas that a value may match, without wrappers. */
function unwrapped(schema: core.$ZodType | undefined): core.$ZodType[] {
  if (schema === undefined) return [];
  if (schema instanceof core.$ZodUnion) return schema._zod.def.options.flatMap(unwrapped);
  const isWrapper =
    schema instanceof core.$ZodNullable || schema instanceof core.$ZodOptional || schema instanceof core.$ZodDefault;
  return isWrapper ? unwrapped(schema._zod.def.innerType) : [schema];
}

/** Returns a description of the value at a path. */
function lostAt(document: unknown, empty: unknown, path: readonly Key[]): LostEntry {
  let known = path.length;
  while (known > 1 && valueAt(empty, path.slice(0, known)) === undefined) known -= 1;
  const labels = path.slice(known).map((key, at) => labelOf(valueAt(document, path.slice(0, known + at + 1)), key));
  return { part: path.slice(0, known).join('.'), entry: labels.length === 0 ? null : labels.join(' › ') };
}

/** Returns a label by which the owner may recognize an entry. */
function labelOf(entry: unknown, key: Key): string {
  if (typeof key === 'string') return displayText(key, MAX_LABEL);
  const inside = isContainer(entry) ? [entry, entry.alert, entry.facts, entry.pairing].filter(isContainer) : [];
  const names = inside.flatMap(({ name, path, id }) => [name, path, id]);
  const label = names.find((each) => typeof each === 'string' && each.trim() !== '');
  return label === undefined ? String(key + 1) : displayText(label as string, MAX_LABEL);
}

/**
 * Copies a value without shared parts, which `structuredClone` keeps: a change in one place must not change another.
 */
function copyOf<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyOf) as T;
  if (!isContainer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copyOf(each)])) as T;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
