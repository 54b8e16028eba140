import type { DesktopApi, OsWrap, OwnerBridge } from '../../shared/desktop-api.ts';
import type { OwnerApi } from '../../shared/owner-api.ts';
import { createHttpApi } from './http.ts';
import { createDesktopApi, createIpcApi } from './ipc.ts';

declare global {
  interface Window {
    /** The desktop's transport, put there by its preload. */
    readonly owner?: OwnerBridge;
  }
}

let api: OwnerApi | undefined;
let desktop: DesktopApi | null | undefined;

/** The one way to the node: the desktop's where there is one, else HTTP with the token. */
export function getApi(): OwnerApi {
  api ??= window.owner === undefined ? createHttpApi() : createIpcApi(window.owner);
  return api;
}

/** Whether this page lives in the desktop app, which needs no token. */
export function isDesktop(): boolean {
  return window.owner !== undefined;
}

/** What the desktop app offers besides the owner API; null in a browser. */
export function getDesktop(): DesktopApi | null {
  if (desktop === undefined) desktop = window.owner === undefined ? null : createDesktopApi(window.owner);
  return desktop;
}

/** The operating system's key storage; null in a browser. */
export function getOsWrap(): OsWrap | null {
  return window.owner?.osWrap ?? null;
}
