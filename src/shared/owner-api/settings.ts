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
    /** The environment variable that wins over the file where it is set; null: there is none. */
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

/** Why a change was not taken; nothing was changed then. */
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
  /** Where the owner has the view open from. */
  ownerView: z.enum(['browser', 'desktop']),
  settings: z.strictObject(shownSettings),
  /** The settings file; `edited`: what was changed in it by hand while the node ran, and takes effect at its next start. */
  file: z.strictObject({
    path: z.string(),
    edited: z.array(z.string()),
  }),
  /** Where the endpoints listen now; null where one does not. */
  localUrl: z.string().nullable(),
  publicUrl: z.string().nullable(),
  /** This machine's addresses: from their networks the public endpoint is or would be reachable. */
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
  /** Changes all of it or nothing. New ports are open, and the old ones closing, when this answers. */
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
