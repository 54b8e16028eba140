import type { BrowserWindowConstructorOptions, IpcMainInvokeEvent, Session, WebContents } from 'electron';
import { isOwnUrl, isPageUrl } from './app-url.ts';

/** The rights of the page in its process: it has only the functions that the preload provides. */
export const WEB_PREFERENCES = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
} as const satisfies NonNullable<BrowserWindowConstructorOptions['webPreferences']>;

/** The permission to copy an id or a link. All other permissions are denied, which is not Electron's default. */
const ALLOWED_PERMISSION = 'clipboard-sanitized-write';

/** Denies permissions and cancels every request of the page to another origin. */
export function secureSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, callback) => callback(permission === ALLOWED_PERMISSION));
  session.setPermissionCheckHandler((_contents, permission) => permission === ALLOWED_PERMISSION);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, callback) => callback({ cancel: !isAllowedRequest(url) }));
}

/**
 * Returns whether a request is allowed: our own files, data that the page created (exports), and the developer tools.
 */
export function isAllowedRequest(url: string): boolean {
  if (url.startsWith('blob:')) return isOwnUrl(url.slice('blob:'.length));
  return isOwnUrl(url) || url.startsWith('data:') || url.startsWith('devtools://');
}

/**
 * Restricts a page: no navigation except to itself, no new window, no embedded page, and no WebRTC, whose packets
 * bypass the policy and the request filter. Links to other places go to `onLink`.
 */
export function pinContents(contents: WebContents, onLink: (url: string) => void): void {
  const stay = (event: { preventDefault(): void; readonly url: string }) => {
    if (!isPageUrl(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Chromium does not support `webrtc` in a Content-Security-Policy. Without UDP and a proxy, the only way out is TCP
  // to a relay, which the page would have to know.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(({ url }) => {
    onLink(url);
    return { action: 'deny' };
  });
}

/** Returns whether an IPC call comes from our own page: the window's main frame at our own address. */
export function isFromPage({ sender, senderFrame }: IpcMainInvokeEvent, page: WebContents | null): boolean {
  return (
    page !== null &&
    sender === page &&
    senderFrame !== null &&
    senderFrame.parent === null &&
    isPageUrl(senderFrame.url)
  );
}
