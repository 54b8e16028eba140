import { z } from 'zod';
import { moveProgress, portHolder } from './node-state.ts';

/**
 * The settings' part of the owner's contract. What a settings file may hold, what the owner may change, and what is
 * shown of it derive from the same schemas.
 */

/** A host name in lowercase, without port or scheme. */
export const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_](?:[a-z0-9_-]{0,62}))*$/;
/** The limits are those of the environment variables of the same settings. */
export const MAX_RATE_LIMIT = 1_000_000;
const MAX_HOSTS = 100;
const MAX_PATH = 4096;

/** 0 takes any free one. */
const port = z.int().min(0).max(65_535);
const path = z.string().min(1).max(MAX_PATH);

/** What the owner may change at any time, each applied without a restart. */
export const CHANGEABLE = {
  localPort: port,
  publicPort: port,
  publicEnabled: z.boolean(),
  /** Names by which the local endpoint may be called besides localhost. */
  localAllowedHosts: z.array(z.string().regex(HOST_NAME)).max(MAX_HOSTS),
  /** Requests a second and address on the public endpoint; 0 is off. */
  publicRateLimit: z.int().min(0).max(MAX_RATE_LIMIT),
  /** null: as the system has it. In a browser each browser keeps its own. */
  language: z.enum(['en', 'pt-BR', 'es']).nullable(),
  theme: z.enum(['auto', 'light', 'dark']),
  startAtLogin: z.boolean(),
  /** What closing the window does; `ask`: the owner is asked the first time. */
  closeBehaviour: z.enum(['ask', 'tray', 'quit']),
} as const;

/** What a settings file may hold; members of a later version are kept as they are. */
export const KEPT = {
  ...CHANGEABLE,
  dataDir: path,
  /** Folders whose data was moved away and that were not deleted yet. */
  oldDataDirs: z.array(path).max(100),
} as const;

const settingChange = z.strictObject(CHANGEABLE).partial();
export type SettingChange = z.infer<typeof settingChange>;
export type SettingName = keyof typeof CHANGEABLE | 'dataDir';
/** What was read from a settings file. */
export type KeptSettings = { readonly [Name in keyof typeof KEPT]?: z.infer<(typeof KEPT)[Name]> | undefined };

/** Only the desktop app has them: a browser can't choose folders or windows of the node's machine. */
export const DESKTOP_ONLY: readonly SettingName[] = ['startAtLogin', 'closeBehaviour', 'dataDir'];
/** A browser keeps them for itself. */
export const OF_EACH_BROWSER: readonly SettingName[] = ['language', 'theme'];

const setting = <T extends z.ZodType>(value: T) =>
  z.strictObject({
    value,
    source: z.enum(['environment', 'file', 'default']),
    /** The environment variable that wins over the file where it is set; null: there is none. */
    variable: z.string().nullable(),
    /** false: not a matter of this home of the view. */
    applies: z.boolean(),
  });

/** Why a change was not taken; nothing was changed then. */
const settingProblem = z.strictObject({
  setting: z.enum([...(Object.keys(CHANGEABLE) as [keyof typeof CHANGEABLE]), 'dataDir']),
  /** `pinned`: its environment variable is set; `not_applicable`: not in this home; `failed`: the system refused it. */
  kind: z.enum(['taken', 'privileged', 'equal', 'refused', 'pinned', 'not_applicable', 'failed']),
  /** Of a port that is taken, where it is known. */
  holder: portHolder.nullable(),
});
export type SettingProblem = z.infer<typeof settingProblem>;

/** Why a data folder can't be moved there. */
export const MOVE_PROBLEMS = [
  'not_absolute',
  'same',
  'nested',
  'not_empty',
  'not_writable',
  'no_space',
  'busy',
  'pinned',
  'not_applicable',
  'copy_failed',
  'not_equal',
  'cancelled',
  'start_failed',
] as const;
const moveProblem = z.enum(MOVE_PROBLEMS);
export type MoveProblem = z.infer<typeof moveProblem>;

/** Why a folder can't be taken for the data. */
const folderProblem = z.enum([
  'not_absolute',
  /** It holds none. */
  'no_data',
  'not_empty',
  'busy',
  'pinned',
  'not_applicable',
]);
export type FolderProblem = z.infer<typeof folderProblem>;

const bytes = z.int().min(0);

export const settingsView = z.strictObject({
  home: z.enum(['browser', 'desktop']),
  settings: z.strictObject({
    localPort: setting(CHANGEABLE.localPort),
    publicPort: setting(CHANGEABLE.publicPort),
    publicEnabled: setting(CHANGEABLE.publicEnabled),
    localAllowedHosts: setting(CHANGEABLE.localAllowedHosts),
    publicRateLimit: setting(CHANGEABLE.publicRateLimit),
    language: setting(CHANGEABLE.language),
    theme: setting(CHANGEABLE.theme),
    startAtLogin: setting(CHANGEABLE.startAtLogin),
    closeBehaviour: setting(CHANGEABLE.closeBehaviour),
    dataDir: setting(path),
  }),
  /** The settings file; `setAs` is where a broken one was put at this start, null where it was sound. */
  file: z.strictObject({ path, setAside: z.strictObject({ path: path.nullable(), reason: z.string() }).nullable() }),
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
  /** The move of the data folder under way, or how the last one ended. */
  move: z
    .union([
      moveProgress,
      z.strictObject({ to: z.string(), phase: z.literal('done') }),
      z.strictObject({ to: z.string(), phase: z.literal('failed'), problem: moveProblem, message: z.string() }),
    ])
    .nullable(),
  /** Copies that moves left behind, for the owner to delete. */
  oldData: z.array(z.strictObject({ path: z.string(), bytes })),
});
export type SettingsView = z.infer<typeof settingsView>;

const nothing = z.strictObject({});

export const SETTINGS_METHODS = {
  getSettings: { input: nothing, output: settingsView },
  /** Changes all of it or nothing. New ports are open, and the old ones closing, when this answers. */
  setSettings: {
    input: z.strictObject({
      change: settingChange.refine((change) => Object.keys(change).length > 0, 'nothing to change'),
    }),
    output: z.union([
      z.strictObject({ saved: z.literal(true), view: settingsView }),
      z.strictObject({ saved: z.literal(false), problem: settingProblem }),
    ]),
  },
  /** Begins to move the data folder; `settings` events and `getSettings` tell how far it is. */
  moveData: { input: z.strictObject({ to: path }), output: z.strictObject({ problem: moveProblem.nullable() }) },
  cancelMove: { input: nothing, output: nothing },
  /**
   * Has a node that could not start use another folder, which holds data; `startAnew`: an empty one, for a new node. The
   * next state tells how that went.
   */
  useDataDir: {
    input: z.strictObject({ path, startAnew: z.boolean() }),
    output: z.strictObject({ problem: folderProblem.nullable() }),
  },
  /** Deletes what a move left behind in a folder. `confirm` repeats the path. */
  deleteOldData: {
    input: z.strictObject({ path, confirm: path }),
    output: z.strictObject({ deleted: z.boolean() }),
  },
  /** What helps to find a fault, with all that is private redacted; `zip` holds just these files, in base64. */
  diagnostics: {
    input: nothing,
    output: z.strictObject({
      name: z.string(),
      zip: z.base64(),
      files: z.array(z.strictObject({ name: z.string(), text: z.string() })),
    }),
  },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export type SettingsMethod = keyof typeof SETTINGS_METHODS;
export const isSettingsMethod = (method: string): method is SettingsMethod => Object.hasOwn(SETTINGS_METHODS, method);
