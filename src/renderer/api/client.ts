import type { OwnerApi } from '../../shared/owner-api.ts';
import { createHttpApi } from './http.ts';

declare global {
  interface Window {
    /** The desktop's transport, put there by its preload. */
    readonly owner?: OwnerApi;
  }
}

let api: OwnerApi | undefined;

/** The one way to the node: the desktop's where there is one, else HTTP with the token. */
export function getApi(): OwnerApi {
  api ??= window.owner ?? createHttpApi();
  return api;
}

/** Whether this page lives in the desktop app, which needs no token. */
export function isDesktop(): boolean {
  return window.owner !== undefined;
}
