import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync, Visitor } from 'vite';

/** One module's reference to another; both paths are relative to the root, with forward slashes. */
export interface Import {
  from: string;
  to: string;
  /** Whether the import is erased at run time. */
  typeOnly: boolean;
}

/**
 * A room and the rooms that it may import. A room is a folder, each folder of one (`pages/*`), or some files
 * (`main/*.ts`).
 */
export type Arrows = Readonly<Record<string, readonly string[]>>;

/** Converts a text with `*`, or `**` for a part that is computed at run time, to an expression for whole paths. */
function expressionOf(pattern: string): RegExp {
  const escaped = pattern.replace(/[.+^$()|[\]{}\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\*\*?/g, (stars) => (stars === '*' ? '[^/]*' : '.*'))}$`);
}

/** The expressions of the rows of tables: each is asked for with every file. */
const rowExpressions = new Map<string, RegExp>();

function matchesRow(row: string, path: string): boolean {
  if (!row.includes('*')) return row === path;
  const expression = rowExpressions.get(row) ?? expressionOf(row);
  rowExpressions.set(row, expression);
  return expression.test(path);
}

/** Reads every path in a module: imports, exports from, `import()`, `import type`, `new URL('./x', …)`. */
function pathsNamedBy(file: string, source: string): { path: string; typeOnly: boolean; isImport: boolean }[] {
  const { module, program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const typeOnlyAt = new Map<number, boolean>();
  const note = (start: number, typeOnly: boolean) => typeOnlyAt.set(start, typeOnly && (typeOnlyAt.get(start) ?? true));
  for (const { moduleRequest, entries } of module.staticImports)
    note(moduleRequest.start, entries.length > 0 && entries.every((entry) => entry.isType));
  for (const { moduleRequest, isType } of module.staticExports.flatMap(({ entries }) => entries))
    if (moduleRequest) note(moduleRequest.start, isType);
  for (const { moduleRequest } of module.dynamicImports) note(moduleRequest.start, false);
  new Visitor({ TSImportType: ({ source: { start } }) => note(start, true) }).visit(program);

  const paths: ReturnType<typeof pathsNamedBy> = [];
  const add = (path: string, start: number) => {
    if (/^\.\.?\//.test(path))
      paths.push({ path, typeOnly: typeOnlyAt.get(start) ?? false, isImport: typeOnlyAt.has(start) });
  };
  new Visitor({
    Literal: ({ value, start }) => typeof value === 'string' && add(value, start),
    TemplateLiteral: ({ quasis, start }) => add(quasis.map((part) => part.value.cooked ?? '').join('**'), start),
  }).visit(program);
  return paths;
}

/**
 * Reads the imports between the files under the root, without tests. A relative path in any text of a module counts as an
 * import if there is such a file: threads are started from a path in a variable. Files outside the root are not read.
 *
 * @throws if an import names a missing file
 */
export function readImports(root: string): Import[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const named = files.filter((file) => /\.\w+$/.test(file));
  const known = new Set(named);
  const sources = files.filter((file) => /\.[cm]?tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  return sources.flatMap((from) =>
    pathsNamedBy(from, readFileSync(join(root, from), 'utf8')).flatMap(({ path, typeOnly, isImport }) => {
      const target = posix.join(posix.dirname(from), path.replace(/\?.*$/, ''));
      if (target.startsWith('../')) return [];
      // Most paths have no part that is computed at run time.
      const wanted = target.includes('*') ? expressionOf(target) : null;
      const found =
        wanted === null ? [target].filter((file) => known.has(file)) : named.filter((file) => wanted.test(file));
      if (isImport && found.length === 0) throw new Error(`${from} imports ${path}: no such file`);
      return found.map((to) => ({ from, to, typeOnly }));
    }),
  );
}

/** Returns the room of a file and its row of the table; of several rows, the longest. */
export function roomOf(file: string, arrows: Arrows): { room: string; row: string } | undefined {
  const rows = Object.keys(arrows).filter((row) => roomIn(row, file) !== undefined);
  const row = rows.sort((one, other) => other.length - one.length)[0];
  return row === undefined ? undefined : { row, room: roomIn(row, file)! };
}

function roomIn(row: string, file: string): string | undefined {
  if (/\.\w+$/.test(row)) return matchesRow(row, file) ? row : undefined;
  const folder = file.split('/').slice(0, row.split('/').length).join('/');
  return folder !== file && matchesRow(row, folder) ? folder : undefined;
}

/** Returns the imports that the table does not allow, as `room → room` with their imports. */
export function forbiddenArrows(imports: readonly Import[], arrows: Arrows): Map<string, Import[]> {
  const forbidden = new Map<string, Import[]>();
  for (const link of imports) {
    const [from, to] = [roomOf(link.from, arrows), roomOf(link.to, arrows)];
    if (from && to && (from.room === to.room || arrows[from.row]?.includes(to.row))) continue;
    const arrow = `${from?.room ?? link.from} → ${to?.room ?? link.to}`;
    forbidden.set(arrow, [...(forbidden.get(arrow) ?? []), link]);
  }
  return forbidden;
}

/**
 * Returns the groups of files in which each file reaches all others (strongly connected components, by Tarjan's
 * algorithm).
 */
export function cycles(imports: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  function visit(file: string): number {
    const place = order.size;
    order.set(file, place);
    lowest.set(file, place);
    stack.push(file);
    for (const next of targets.get(file) ?? []) {
      const reached = order.has(next) ? (stack.includes(next) ? order.get(next)! : place) : visit(next);
      lowest.set(file, Math.min(lowest.get(file)!, reached));
    }
    if (lowest.get(file) === place) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || targets.get(file)?.includes(file)) groups.push(group.sort());
    }
    return lowest.get(file)!;
  }
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return groups;
}

/**
 * Returns the groups of neighbouring files and folders, in any folder, that import each other, each with its folder.
 */
export function siblingCycles(imports: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const byFolder = new Map<string, { from: string; to: string }[]>();
  for (const { from, to } of imports) {
    const [parts, others] = [from.split('/'), to.split('/')];
    const depth = parts.findIndex((part, index) => part !== others[index]);
    if (depth === -1) continue;
    const folder = parts.slice(0, depth).join('/');
    const link = { from: parts.slice(0, depth + 1).join('/'), to: others.slice(0, depth + 1).join('/') };
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), link]);
  }
  return [...byFolder.values()].flatMap((links) => cycles(links));
}
