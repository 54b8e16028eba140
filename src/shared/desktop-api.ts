import { z } from 'zod';
import { nodeState } from './node-state.ts';
import type { MethodName, OwnerErrorCode } from './owner-api/contract.ts';
import type { EventName, EventPayload } from './owner-api/events.ts';

/**
 * The desktop app's calls in addition to the owner API, only by IPC between its page and its main process. The page
 * does not check the main process's messages; the main process checks all messages of the page.
 */

const nothing = z.strictObject({});

export const desktopInfo = z.strictObject({
  versions: z.strictObject({ wellhouse: z.string(), electron: z.string(), chrome: z.string(), node: z.string() }),
  platform: z.string(),
  /** Whether the window can be hidden to a tray. */
  hasTray: z.boolean(),
  dataDir: z.string(),
});
export type DesktopInfo = z.infer<typeof desktopInfo>;

const timeMs = z.int().min(0);
/** A sleep of the machine, in which the node received nothing. Unix milliseconds. */
export const wake = z.strictObject({ from: timeMs, to: timeMs });
export type Wake = z.infer<typeof wake>;

/** Every method with its input and output. */
export const DESKTOP_METHODS = {
  desktopInfo: { input: nothing, output: desktopInfo },
  nodeState: { input: nothing, output: nodeState },
  /** Tries to start the node again with the current settings; answers with the result. */
  startNode: { input: nothing, output: nodeState },
  /** Asks the owner, then opens the address in their browser. `opened` is false if they declined. */
  openLink: {
    input: z.strictObject({ url: z.url({ protocol: /^https$/ }).max(2000) }),
    output: z.strictObject({ opened: z.boolean() }),
  },
  /** Shows the data folder in the platform's file manager. */
  showDataFolder: { input: nothing, output: nothing },
  /**
   * The last sleep that the owner has not dismissed; null if there is none. The page may have missed the event: it was
   * sent before the page listened.
   */
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
  /**
   * The page must lock opened keys at once: by the owner's menu command, or because the machine sleeps or its screen is
   * locked.
   */
  lockKeys: z.strictObject({ reason: z.enum(['command', 'suspend']) }),
  /** The menu or the tray requests a page. */
  goTo: z.strictObject({ page: z.enum(['overview', 'settings', 'connect', 'keys']) }),
  /** A notification or the tray requests an alert; null for all of them. */
  openAlert: z.strictObject({ id: z.uuid().nullable() }),
} as const satisfies Record<string, z.ZodType>;

export type DesktopEvent = keyof typeof DESKTOP_EVENTS;
export type DesktopPayload<E extends DesktopEvent> = z.output<(typeof DESKTOP_EVENTS)[E]>;

/** The desktop app's calls for the page. */
export interface DesktopApi {
  /** Rejects with an Error whose `code` is 'invalid_input' or 'internal_error'. */
  call<M extends DesktopMethod>(method: M, input: DesktopInput<M>): Promise<DesktopOutput<M>>;
  /** Listens to events. Returns a function that stops it. */
  listen(onEvent: <E extends DesktopEvent>(event: E, payload: DesktopPayload<E>) => void): () => void;
}

/**
 * The operating system's key storage as a second way to unlock, in addition to the passphrase. Nothing here rejects:
 * after any keyring fault, the page must ask for the passphrase and not show an error.
 */
export interface OsWrap {
  /** Whether the system stores keys safely: false without a keyring, and if the keyring stores plain text. */
  available(): Promise<boolean>;
  /** Encrypts a data key for this user of this machine; null if the system can't. */
  wrap(dataKey: Uint8Array): Promise<Uint8Array | null>;
  /** Decrypts a result of `wrap`. */
  unwrap(wrapped: Uint8Array): Promise<Unwrapped>;
}

/** The result of decrypting a wrapped key. */
export interface Unwrapped {
  /** null if the keyring is missing, changed or refuses: ask for the passphrase. */
  readonly dataKey: Uint8Array | null;
  /**
   * The action for the wrapped key. `renew`: replace it by a new one if possible, else keep it until the keyring is
   * back. `drop`: nearly anyone could open it, so remove it even if a new one is not possible.
   */
  readonly advice: 'keep' | 'renew' | 'drop';
}

/** An answer sent by IPC. The value stays JSON text until the page reads it, which is faster than cloning it. */
export type BridgeAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly error: OwnerErrorCode | 'disconnected'; readonly details?: string };

/**
 * The object that the preload script sets as `window.owner`. Errors lose their `code` in the context bridge, so calls
 * answer only with values; `src/renderer/api/desktop.ts` makes an OwnerApi from it.
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
