import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { PackageError, run } from './target.ts';

// Creates the software bill of materials (CycloneDX) of the packages.

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/** The part of npm's output that this module uses. */
interface Bom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Readonly<Record<string, unknown>> };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** Marks a component whose code is built into the page; the others are in node_modules. */
export const IN_PAGE = { name: 'wellhouse:builtInto', value: 'page' };

/** A component of only the desktop app. The packages that install it are left out. */
const DESKTOP_RUNTIME = 'electron';

/**
 * Returns the bill of materials of a project as JSON text, from its lockfile: the packages for production, those that
 * the page is built from, and Electron. The same lockfile results in the same text. Throws PackageError if npm fails.
 */
export function sbomOf(project: string): string {
  // npm's own `--omit=dev` also omits packages that development tools need too, such as zod.
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const bom = JSON.parse(run('npm', args, { cwd: project })) as Bom;
  const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly dependencies: object;
    readonly optionalDependencies: object;
  };
  const { name, dependencies, optionalDependencies } = manifest;
  const production = reachable(bom, Object.keys({ ...dependencies, ...optionalDependencies }));
  const page = reachable(bom, importedBy(join(project, 'src', 'renderer')));
  const kept = bom.components.flatMap((component) => {
    const ref = component['bom-ref'];
    if (production.has(ref)) return [withoutDevelopment(component)];
    if (page.has(ref)) return [withoutDevelopment(component, IN_PAGE)];
    return component.name === DESKTOP_RUNTIME ? [withoutDevelopment(component)] : [];
  });
  const refs = new Set(kept.map((component) => component['bom-ref']));
  const root = rootOf(bom);
  const { serialNumber: _serial, ...rest } = bom;
  const { timestamp: _at, ...metadata } = bom.metadata;
  const made = {
    ...rest,
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: kept,
    dependencies: bom.dependencies
      .filter(({ ref }) => ref === root || refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({
        ref,
        dependsOn: ref.startsWith(`${DESKTOP_RUNTIME}@`) ? [] : dependsOn.filter((each) => refs.has(each)),
      })),
  };
  return `${JSON.stringify(made, null, 2)}\n`;
}

function rootOf({ metadata }: Bom): string {
  return metadata.component['bom-ref'] as string;
}

/** Returns the entries of the project's dependencies with these names, and of those that they need. */
function reachable(bom: Bom, names: readonly string[]): Set<string> {
  const needs = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const direct = needs.get(rootOf(bom)) ?? [];
  const found = new Set<string>();
  const visit = (ref: string): void => {
    if (found.has(ref)) return;
    found.add(ref);
    for (const next of needs.get(ref) ?? []) visit(next);
  };
  for (const name of names) {
    const ref = direct.find((each) => each.startsWith(`${name}@`));
    if (ref === undefined) throw new PackageError(`npm sbom does not name ${name}, which the project needs`);
    visit(ref);
  }
  return found;
}

/** Returns the packages that the sources of a folder import. */
function importedBy(folder: string): string[] {
  const found = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/(?<!\.test)\.tsx?$/.test(path)) continue;
    const source = readFileSync(join(folder, path), 'utf8');
    const { staticImports, dynamicImports } = parseSync(path, source).module;
    const isTyped = ({ entries }: (typeof staticImports)[number]) =>
      entries.length > 0 && entries.every(({ isType }) => isType);
    const modules = [
      ...staticImports.filter((each) => !isTyped(each)).map(({ moduleRequest }) => moduleRequest.value),
      ...dynamicImports.map(({ moduleRequest: { start, end } }) =>
        source.slice(start, end).replaceAll(/^['"]|['"]$/g, ''),
      ),
    ];
    for (const module of modules) if (/^@?\w/.test(module) && !module.startsWith('node:')) found.add(packageOf(module));
  }
  return [...found].sort();
}

/** Returns the package of a module's name: `@scope/name/file` or `name/file`. */
function packageOf(module: string): string {
  const parts = module.split('/');
  return parts.slice(0, module.startsWith('@') ? 2 : 1).join('/');
}

/**
 * Removes npm's mark of development dependencies: it follows the manifest and says nothing about the contents of a
 * package.
 */
function withoutDevelopment(component: Component, ...more: Component['properties']): Component {
  const properties = component.properties.filter(({ name }) => name !== 'cdx:npm:package:development');
  return { ...component, properties: [...properties, ...more] };
}
