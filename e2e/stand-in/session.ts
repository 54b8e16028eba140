import { offer } from './control.ts';
import { strict } from './strict.ts';

type ProtocolHandler = (request: Request) => Response | Promise<Response>;
type Filter = (details: { url: string }, callback: (response: { cancel?: boolean }) => void) => void;
type PermissionRequestHandler = (contents: null, permission: string, callback: (isGranted: boolean) => void) => void;
type PermissionCheckHandler = (contents: null, permission: string) => boolean;

const privileges = new Map<string, Readonly<Record<string, boolean>>>();
const handlers = new Map<string, ProtocolHandler>();
let filter: Filter | null = null;
let onPermissionRequest: PermissionRequestHandler | null = null;
let onPermissionCheck: PermissionCheckHandler | null = null;
const blocked: string[] = [];

export const protocol = strict('Protocol', {
  registerSchemesAsPrivileged(schemes: { scheme: string; privileges: Record<string, boolean> }[]): void {
    for (const { scheme, privileges: given } of schemes) privileges.set(scheme, given);
  },
  handle(scheme: string, handler: ProtocolHandler): void {
    handlers.set(scheme, handler);
  },
});

export const session = {
  defaultSession: strict('Session', {
    setPermissionRequestHandler(handler: PermissionRequestHandler): void {
      onPermissionRequest = handler;
    },
    setPermissionCheckHandler(handler: PermissionCheckHandler): void {
      onPermissionCheck = handler;
    },
    setDevicePermissionHandler(_handler: () => boolean): void {},
    webRequest: strict('WebRequest', {
      onBeforeRequest(given: Filter): void {
        filter = given;
      },
    }),
  }),
};

/**
 * Answers a request of a page as the app decides; null if it is blocked. Allowed requests are not sent, but succeed, so
 * that a test can see them.
 */
export async function answerRequest(url: string, method: string): Promise<Response | null> {
  if (await isCancelled(url)) {
    blocked.push(url);
    return null;
  }
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  if (handler === undefined) return new Response('it went out', { headers: { 'access-control-allow-origin': '*' } });
  return handler(new Request(url, { method }));
}

async function isCancelled(url: string): Promise<boolean> {
  const { cancel = false } = await new Promise<{ cancel?: boolean }>((resolve) => {
    if (filter === null) resolve({});
    else filter({ url }, resolve);
  });
  return cancel;
}

offer('isCancelled', isCancelled);
offer('session', () => ({ privileges: Object.fromEntries(privileges), blocked }));
offer('permission', async (permission: string) => {
  const isRequestGranted = await new Promise<boolean>((resolve) => onPermissionRequest!(null, permission, resolve));
  return { isRequestGranted, isCheckGranted: onPermissionCheck!(null, permission) };
});
offer('fetch', async (url: string) => {
  const handler = handlers.get(new URL(url).protocol.slice(0, -1));
  const response = await handler!(new Request(url));
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
});
