import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS, type SettingsTable } from '../../src/shared/settings/table.ts';

// The small files of the packages, made from files that exist only once elsewhere.

/** The place where a package is installed. */
export interface Place {
  readonly kind: 'deb' | 'tar';
  /** The folder of the program, as an absolute path. */
  readonly lib: string;
}

export const PLACES: Readonly<Record<Place['kind'], Place>> = {
  deb: { kind: 'deb', lib: '/usr/lib/wellhouse' },
  tar: { kind: 'tar', lib: '/usr/local/lib/wellhouse' },
};

const TEMPLATES = join(import.meta.dirname, '../../packaging/node');

/** The values for the parts of a template that differ between packages. */
export type Values = Readonly<Record<string, string | number>>;

/** Returns a file of packaging/node with its includes and values filled in. Throws if a value is missing. */
export function template(name: string, values: Values): string {
  const text = readFileSync(join(TEMPLATES, name), 'utf8').replaceAll(/@([A-Z_]+)@/g, (mark, key: string) => {
    const value = values[key.toLowerCase()];
    if (value === undefined) throw new Error(`${name}: nothing is known for ${mark}`);
    return String(value);
  });
  return text.replaceAll(/^# @include (.*)\n/gm, (_line, included: string) => template(included, values));
}

/** Returns the systemd unit of a clone with the package's own paths and the owner's view. */
export function unitFor({ lib }: Place): string {
  const unit = readFileSync(join(import.meta.dirname, '../../resources/wellhouse.service'), 'utf8');
  const body = unit.slice(unit.indexOf('[Unit]'));
  const changes: readonly (readonly [string, string])[] = [
    ['/opt/wellhouse/node_modules/.bin/node out/main/headless.js', `${lib}/bin/node out/main/headless.js --ui`],
    ['WorkingDirectory=/opt/wellhouse\n', `WorkingDirectory=${lib}\n`],
    ['EnvironmentFile=-/etc/wellhouse.env', 'EnvironmentFile=-/etc/default/wellhouse'],
    [
      "# The Node that the lockfile pins, not the system's: a symbolic link to the binary itself, so signals reach it.\n",
      '',
    ],
  ];
  const text = changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`resources/wellhouse.service has no "${from.trim()}"`);
    return before.replace(from, to);
  }, body);
  return `# The Wellhouse node. Settings are in /etc/default/wellhouse; what else should differ goes into a drop-in:\n# systemctl edit wellhouse\n${text}`;
}

/** Returns /etc/default/wellhouse: every setting of a node with its default, commented out. */
export function settingsFile(table: SettingsTable = SETTINGS): string {
  const rows = Object.values(table).flatMap(({ scope, variable, help, isSecret, default: value }) => {
    if (scope !== 'node' || variable === null) return [];
    const byDefault = isSecret === true ? '' : Array.isArray(value) ? value.join(',') : String(value ?? '');
    return [
      `\n# ${help[0]!.toUpperCase()}${help.slice(1)}${isSecret === true ? ' (a secret: see above)' : ''}\n#${variable}=${byDefault}\n`,
    ];
  });
  return `# Settings of the Wellhouse node: take the # before a line away and change its value, then
#   systemctl restart wellhouse
# What is set here can't be changed on the owner's view. Before a secret stands here:
#   chown root:wellhouse /etc/default/wellhouse && chmod 640 /etc/default/wellhouse
${rows.join('')}`;
}
