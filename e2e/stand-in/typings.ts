import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// The modules and classes in Electron's own typings: their members, their events, and the systems that have each. The
// stand-in offers nothing else.

/** The systems that have it; null for all. */
type Systems = readonly string[] | null;

interface Declared {
  readonly parent: string | null;
  readonly members: Map<string, Systems>;
  readonly events: Map<string, Systems>;
}

const TYPE = /^ {2}(?:class|interface) (\w+)(?: extends ([\w.]+))?/;
const EVENT = /^ {4}on\(event: '([\w-]+)'/;
const MEMBER = /^ {4}(?:static |readonly |get |set )*(\w+)\??\s*[(:<]/;
const SYSTEMS = /@platform ([\w,]+)/;

/** Returns the types in a file of Electron's typings, by name. */
export function readTypings(text: string): ReadonlyMap<string, Declared> {
  const types = new Map<string, Declared>();
  let type: Declared | null = null;
  let comment = '';
  let isComment = false;
  for (const line of text.split('\n')) {
    if (/^ {4}\/\*\*/.test(line)) [comment, isComment] = ['', true];
    if (isComment) {
      comment += line;
      isComment = !line.includes('*/');
      continue;
    }
    const [, name, parent = null] = TYPE.exec(line) ?? [];
    if (name !== undefined) {
      // Namespaces repeat some types.
      type = types.get(name) ?? { parent, members: new Map(), events: new Map() };
      types.set(name, type);
    } else if (type !== null) {
      const systems = SYSTEMS.exec(comment)?.[1]?.split(',') ?? null;
      const event = EVENT.exec(line)?.[1];
      const member = MEMBER.exec(line)?.[1];
      if (event !== undefined) type.events.set(event, systems);
      else if (member !== undefined && !type.members.has(member)) type.members.set(member, systems);
      if (event !== undefined || member !== undefined) comment = '';
    }
  }
  return types;
}

const FILE = join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'electron.d.ts');
let read: ReadonlyMap<string, Declared> | null = null;

/** Returns whether a type has a member or an event on a system. */
export function has(
  type: string,
  kind: 'members' | 'events',
  name: string,
  system: string = process.platform,
): boolean {
  read ??= readTypings(readFileSync(FILE, 'utf8'));
  const declared = read.get(type);
  if (declared === undefined) throw new Error(`Electron's typings have no type ${type}`);
  const systems = declared[kind].get(name);
  if (systems !== undefined) return systems === null || systems.includes(system);
  return declared.parent !== null && read.has(declared.parent) && has(declared.parent, kind, name, system);
}
