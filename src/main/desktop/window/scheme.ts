import { protocol } from 'electron';
import type { UiFile } from '../../owner/page/ui-files.ts';
import { answerTo, SCHEME } from './app-url.ts';

/**
 * Registers the app's scheme. Call this before the app is ready. It is secure and standard, so that the page has an
 * origin, and nothing bypasses its CSP.
 */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built renderer. Call this when the app is ready. */
export function serveScheme(files: ReadonlyMap<string, UiFile>): void {
  protocol.handle(SCHEME, (request) => answerTo(request.url, request.method, files));
}
