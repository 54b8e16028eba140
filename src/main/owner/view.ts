import type { Endpoint } from '../endpoint.ts';
import { DemoDevices } from './demo.ts';
import { OwnerService, type OwnerServiceParts } from './service.ts';
import { loadUiFiles, rendererDir } from './ui-files.ts';
import { loadOrCreateUiToken } from './ui-token.ts';
import { uiRoutes } from './web.ts';

/** The owner's view of a node that is about to listen. */
export interface OwnerView {
  readonly service: OwnerService;
  /** What opens the browser home; null where there is none. */
  readonly token: string | null;
}

/**
 * Makes the owner's view, and for its browser home (`local` is the local endpoint, before it listens; null on the desktop) the token and the
 * routes. Throws StartError where the token or the built page can't be read.
 */
export function openOwnerView(
  parts: Omit<OwnerServiceParts, 'demo'>,
  local: Endpoint | null,
  { dataDir, newUiToken }: { readonly dataDir: string; readonly newUiToken: boolean },
): OwnerView {
  const token = local === null ? null : loadOrCreateUiToken(dataDir, newUiToken);
  const files = local === null ? null : loadUiFiles(rendererDir());
  const service = new OwnerService({ ...parts, demo: new DemoDevices(parts.log) });
  local?.alsoServe((app) => uiRoutes(app, { service, token: token!, files: files! }));
  return { service, token };
}
