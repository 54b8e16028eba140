import { z } from 'zod';
import { portHolder } from '../node-state.ts';
import { CHANGEABLE_NAMES, SETTINGS, SHOWN_NAMES, type ShownName, schemasOf } from '../settings/table.ts';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

const settingChange = z.strictObject(schemasOf(CHANGEABLE_NAMES)).partial();
/** The owner's changes; each is applied without a restart. */
export type SettingChange = z.infer<typeof settingChange>;

const shown = <T extends z.ZodType>(value: T) =>
  z.strictObject({
    value,
    source: z.enum(['environment', 'file', 'default']),
    /** The environment variable that overrides the file; null if there is none. */
    variable: z.string().nullable(),
    /** false if the view can't change it here, or if it does not exist on this system. */
    applies: z.boolean(),
  });
type ShownSettings = {
  readonly [Name in ShownName]: ReturnType<typeof shown<(typeof SETTINGS)[Name]['schema']>>;
};
const shownSettings = Object.fromEntries(
  SHOWN_NAMES.map((name) => [name, shown(SETTINGS[name].schema)]),
) as ShownSettings;

/** Why a change was refused. Nothing was changed then. */
const settingProblem = z.strictObject({
  setting: z.enum(SHOWN_NAMES),
  /**
   * `pinned`: its environment variable is set; `not_applicable`: it can't be changed where the view is shown; `failed`:
   * the system refused it.
   */
  kind: z.enum(['taken', 'privileged', 'equal', 'refused', 'pinned', 'not_applicable', 'failed']),
  /** The holder of a port that is taken, if it is known. */
  holder: portHolder.nullable(),
});
export type SettingProblem = z.infer<typeof settingProblem>;

export const settingsView = z.strictObject({
  /** Where the owner's view runs. */
  ownerView: z.enum(['browser', 'desktop']),
  settings: z.strictObject(shownSettings),
  /** The settings file. `edited` lists settings that were edited by hand while the node runs; they apply at its next start. */
  file: z.strictObject({
    path: z.string(),
    edited: z.array(z.string()),
  }),
  /** The addresses of the endpoints; null if one does not listen. */
  localUrl: z.string().nullable(),
  publicUrl: z.string().nullable(),
  /** This machine's addresses. The public endpoint is, or would be, reachable from their networks. */
  addresses: z.array(
    z.strictObject({
      address: z.string(),
      interface: z.string(),
      /** `internet`: an address that is routed worldwide. */
      scope: z.enum(['lan', 'internet']),
    }),
  ),
});
export type SettingsView = z.infer<typeof settingsView>;

export const SETTINGS_METHODS = {
  getSettings: { role: 'owner', input: nothing, output: settingsView },
  /** Applies the whole change or nothing. When it returns, new ports are open and old ones are closing. */
  setSettings: {
    role: 'owner',
    input: z.strictObject({
      change: settingChange.refine((change) => Object.keys(change).length > 0, 'nothing to change'),
    }),
    output: z.union([
      z.strictObject({ saved: z.literal(true), view: settingsView }),
      z.strictObject({ saved: z.literal(false), problem: settingProblem }),
    ]),
  },
} as const satisfies Methods;
