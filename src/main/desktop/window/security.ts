import type { BrowserWindowConstructorOptions, IpcMainInvokeEvent, Session, WebContents } from 'electron';
import { isOwnUrl, isPageUrl } from './app-url.ts';

/** The rights of the page in its process: only the functions that the preload hands to it. */
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

/** Copying an id or a link. Everything else that a page can ask for is denied, which is not Electron's default. */
const ALLOWED_PERMISSION = 'clipboard-sanitized-write';

/** Denies permissions and stops every request of the page that leaves it. */
export function secureSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, callback) => callback(permission === ALLOWED_PERMISSION));
  session.setPermissionCheckHandler((_contents, permission) => permission === ALLOWED_PERMISSION);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, callback) => callback({ cancel: !isAllowedRequest(url) }));
}

/** Our own files, what the page made itself (exports), and the developer tools' own pages. */
export function isAllowedRequest(url: string): boolean {
  if (url.startsWith('blob:')) return isOwnUrl(url.slice('blob:'.length));
  return isOwnUrl(url) || url.startsWith('data:') || url.startsWith('devtools://');
}

/**
 * Keeps a page where it is: no navigation but to itself, no new window, no embedded page, no WebRTC, whose packets neither
 * the policy nor the filter of requests sees. A link elsewhere is handed to `onLink`.
 */
export function pinContents(contents: WebContents, onLink: (url: string) => void): void {
  const stay = (event: { preventDefault(): void; readonly url: string }) => {
    if (!isPageUrl(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  // Chromium knows no `webrtc` in a Content-Security-Policy. Without UDP and without a proxy there is no way out but TCP to
  // a relay, which a page would have to be given.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(({ url }) => {
    onLink(url);
    return { action: 'deny' };
  });
}

/** Whether an IPC call comes from our own page: the window's main frame, showing our own address. */
export function isFromPage({ sender, senderFrame }: IpcMainInvokeEvent, page: WebContents | null): boolean {
  return (
    page !== null &&
    sender === page &&
    senderFrame !== null &&
    senderFrame.parent === null &&
    isPageUrl(senderFrame.url)
  );
}
