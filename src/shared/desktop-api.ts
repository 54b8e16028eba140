import { z } from 'zod';
import { nodeState } from './node-state.ts';
import type { MethodName, OwnerErrorCode } from './owner-api/contract.ts';
import type { EventName, EventPayload } from './owner-api/events.ts';

/**
 * The desktop app's calls besides the owner API: between its page and its main process, by IPC alone. The page checks
 * nothing of the main process's messages; the main process checks all messages of the page.
 */

const nothing = z.strictObject({});

export const desktopInfo = z.strictObject({
  versions: z.strictObject({ wellhouse: z.string(), electron: z.string(), chrome: z.string(), node: z.string() }),
  platform: z.string(),
  /** Whether there is a tray to hide to. */
  hasTray: z.boolean(),
  dataDir: z.string(),
});
export type DesktopInfo = z.infer<typeof desktopInfo>;

const timeMs = z.int().min(0);
/** The machine slept, and nothing was taken in meanwhile. Unix milliseconds. */
export const wake = z.strictObject({ from: timeMs, to: timeMs });
export type Wake = z.infer<typeof wake>;

/** Every method: what it takes and what it answers. */
export const DESKTOP_METHODS = {
  desktopInfo: { input: nothing, output: desktopInfo },
  nodeState: { input: nothing, output: nodeState },
  /** Tries to start the node again, with the settings as they are now; answers how it went. */
  startNode: { input: nothing, output: nodeState },
  /** Asks the owner, then opens the address in their browser. `opened` false: they declined. */
  openLink: {
    input: z.strictObject({ url: z.url({ protocol: /^https$/ }).max(2000) }),
    output: z.strictObject({ opened: z.boolean() }),
  },
  /** Shows the data folder in the platform's file manager. */
  showDataFolder: { input: nothing, output: nothing },
  /** The sleep that the owner has not dismissed yet; null: none. Events before the page listened would be lost. */
  lastWake: { input: nothing, output: z.strictObject({ wake: wake.nullable() }) },
  dismissWake: { input: nothing, output: nothing },
} as const satisfies Record<string, { input: z.ZodType; output: z.ZodType }>;

export type DesktopMethod = keyof typeof DESKTOP_METHODS;
export type DesktopInput<M extends DesktopMethod> = z.input<(typeof DESKTOP_METHODS)[M]['input']>;
export type DesktopOutput<M extends DesktopMethod> = z.output<(typeof DESKTOP_METHODS)[M]['output']>;

/** Every event. */
export const DESKTOP_EVENTS = {
  nodeState,
  wake,
  /** Opened keys are to be locked at once: the owner says so in the menu, the machine sleeps, or its screen is locked. */
  lockKeys: z.strictObject({ reason: z.enum(['command', 'suspend']) }),
  /** The menu or the tray asks for a page. */
  goTo: z.strictObject({ page: z.enum(['overview', 'settings', 'connect', 'keys']) }),
  /** A notification or the tray asks for an alert; null: all of them. */
  openAlert: z.strictObject({ id: z.uuid().nullable() }),
} as const satisfies Record<string, z.ZodType>;

export type DesktopEvent = keyof typeof DESKTOP_EVENTS;
export type DesktopPayload<E extends DesktopEvent> = z.output<(typeof DESKTOP_EVENTS)[E]>;

/** The desktop app in the renderer. */
export interface DesktopApi {
  /** Rejects with an Error whose `code` is 'invalid_input' or 'internal_error'. */
  call<M extends DesktopMethod>(method: M, input: DesktopInput<M>): Promise<DesktopOutput<M>>;
  /** Listens to events; returns what ends it. */
  listen(onEvent: <E extends DesktopEvent>(event: E, payload: DesktopPayload<E>) => void): () => void;
}

/**
 * The operating system's key storage, as a second way in beside the passphrase. Nothing here rejects: whatever goes wrong
 * with a keyring must end at the passphrase, not at an error.
 */
export interface OsWrap {
  /** Whether the system keeps keys safe here: false without a keyring, and where one would be kept in plain text. */
  available(): Promise<boolean>;
  /** Seals a data key for this user of this machine; null where the system can't. */
  wrap(dataKey: Uint8Array): Promise<Uint8Array | null>;
  /** Opens what `wrap` sealed. */
  unwrap(wrapped: Uint8Array): Promise<Unwrapped>;
}

/** The result for a sealed value. */
export interface Unwrapped {
  /** null where the keyring is gone, changed or refuses: ask for the passphrase. */
  readonly dataKey: Uint8Array | null;
  /**
   * The action on the sealed one. `renew`: put a new one in its place if possible, else leave it for the keyring's
   * return. `drop`: it is as good as open to anyone, so remove it even if no new one is possible.
   */
  readonly advice: 'keep' | 'renew' | 'drop';
}

/** An answer on its way over IPC: the value stays JSON text until the page reads it, which is faster than cloning it. */
export type BridgeAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly error: OwnerErrorCode | 'disconnected'; readonly details?: string };

/**
 * The object that the preload puts at `window.owner`. Errors lose their `code` on the way through the context bridge,
 * so calls answer with values alone; `src/renderer/api/desktop.ts` makes an OwnerApi of it.
 */
export interface OwnerBridge {
  call(method: MethodName, input: unknown): Promise<BridgeAnswer>;
  /** See `OwnerApi.listen`. */
  listen(
    onEvent: <E extends EventName>(event: E, payload: EventPayload<E>) => void,
    onConnection: (connected: boolean) => void,
  ): () => void;
  callDesktop(method: DesktopMethod, input: unknown): Promise<BridgeAnswer>;
  listenDesktop(onEvent: <E extends DesktopEvent>(event: E, payload: DesktopPayload<E>) => void): () => void;
  readonly osWrap: OsWrap;
}
