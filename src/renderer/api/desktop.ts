import type { DesktopApi, OsWrap, OwnerBridge } from '../../shared/desktop-api.ts';
import type { OwnerApi } from '../../shared/owner-api/contract.ts';
import { createDesktopApi, createIpcApi } from './ipc.ts';

declare global {
  interface Window {
    /** The desktop's bridge, put there by its preload. */
    readonly owner?: OwnerBridge;
  }
}

/** What the desktop app gives its page. It belongs to the page, whichever node that shows. */
export interface Desktop {
  /** The owner API of the app's own node; settings and moves are answered also while no node runs. */
  readonly owner: OwnerApi;
  readonly app: DesktopApi;
  /** The operating system's key storage. */
  readonly osWrap: OsWrap;
}

const bridge = globalThis.window?.owner;

/** The desktop app around this page; null in a browser. */
export const desktop: Desktop | null =
  bridge === undefined ? null : { owner: createIpcApi(bridge), app: createDesktopApi(bridge), osWrap: bridge.osWrap };
