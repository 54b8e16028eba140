import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Target } from './target.ts';

// Finds the installed packages that the node needs, and their needed files.

interface PackageJson {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Dependencies of only the desktop app. */
const DESKTOP_ONLY = ['dbus-native'];
/** Sources, and files that explain code to editors and people. */
const SUPERFLUOUS =
  /\.(?:map|[cm]?ts|tsx|flow|md|markdown|html|sh|bare|gypi?|cc?|h|ya?ml)$|\/(?:\.[^/]+|CMakeLists\.txt)$/i;
/** Folders of a package that its code does not need at run time. */
const NO_CODE =
  /^\/(?:\.[^/]+|tests?|benchmarks?|examples?|docs?|man|integration|scripts|tools|tap-snapshots)(?:\/|$)/i;

function readPackage(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson;
}

/** Returns the folder in which Node finds a package that a package at `from` requires; null if it is not installed. */
function folderOf(name: string, from: string, root: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return found;
    if (folder === root) return null;
  }
}

/**
 * Returns the packages that the node of an installed project requires, relative to it and sorted. Other packages that
 * npm installs are left out: peers such as a compiler, Node itself, those of the desktop app.
 */
export function runtimePackages(root: string): string[] {
  const found = new Set<string>();
  const visit = (folder: string, { dependencies, optionalDependencies }: PackageJson): void => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (folder === root && DESKTOP_ONLY.includes(name)) continue;
      // Only types: none of it runs.
      if (name.startsWith('@types/')) continue;
      const at = folderOf(name, folder, root);
      if (at === null || found.has(at)) continue;
      found.add(at);
      visit(at, readPackage(at));
    }
  };
  const { dependencies = {} } = readPackage(root);
  visit(root, { name: '', dependencies });
  return [...found].map((folder) => folder.slice(root.length + 1)).sort();
}

/** Returns whether a file of a package, by its path in node_modules, is packed. `path` has slashes. */
export function isKept(path: string, { npm }: Target): boolean {
  if (/(?:^|\/)better-sqlite3\/(?:deps|src)(?:\/|$)/.test(path)) return false;
  const [, built] = /(?:^|\/)prebuilds\/([^/]+)/.exec(path) ?? [];
  if (built !== undefined) return [`linux-${npm}`, `linux-${npm}.node`].includes(built);
  const inPackage = path.replace(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/, '');
  return !SUPERFLUOUS.test(inPackage) && !NO_CODE.test(inPackage);
}

/** Copies the packages that the node requires from an installed project. */
export function copyModules(root: string, into: string, target: Target): void {
  for (const name of runtimePackages(root)) {
    cpSync(join(root, name), join(into, name), {
      recursive: true,
      filter: (source) => {
        const path = source
          .slice(root.length + 1)
          .split(sep)
          .join('/');
        // A nested package has its own entry in the list.
        if (source !== join(root, name) && /\/node_modules(?:\/|$)/.test(path.slice(name.length))) return false;
        return isKept(path, target);
      },
    });
  }
}
