import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

/** The preferences of a window that decide which globals its page has. */
export interface PagePreferences {
  readonly sandbox?: boolean;
  readonly contextIsolation?: boolean;
  readonly nodeIntegration?: boolean;
}

const codec = stripTypeScriptTypes(readFileSync(new URL('./codec.ts', import.meta.url), 'utf8')).replaceAll(
  'export function',
  'function',
);

/**
 * Returns the script that runs in the page before its own scripts: the built preload script with its own
 * `require('electron')`, and the globals that Node gives a page with these preferences, as in Electron, where the
 * sandbox comes first.
 */
export function pageScript(preloadPath: string, preferences: PagePreferences): string {
  const { nodeIntegration = false, sandbox = !nodeIntegration, contextIsolation = true } = preferences;
  const preload = readFileSync(preloadPath, 'utf8');
  return `(() => {
  if (window.top !== window) return;
  ${codec}
  const electron = (${rendererModules})(encode, decode, ${contextIsolation});
  const module = { exports: {} };
  const require = (name) => {
    if (name !== 'electron') throw new Error('a sandboxed preload can not load ' + name);
    return electron;
  };
  if (${nodeIntegration && !sandbox}) Object.assign(window, { require, module, process: {}, Buffer: Uint8Array, global: window });
  ((require, module, exports) => {${preload}
  })(require, module, module.exports);
})();`;
}

interface PageGlobals {
  standInInvoke(channel: string, values: string): Promise<string>;
  standInEmit?: (channel: string, values: string) => void;
}

/** Sent to the page as text, so it uses only its arguments. */
function rendererModules(encode: (value: unknown) => string, decode: (text: string) => unknown, isIsolated: boolean) {
  const globals = globalThis as unknown as PageGlobals;
  type Listener = (event: object, ...values: unknown[]) => void;
  const listeners = new Map<string, Set<Listener>>();
  const strictly = <T extends object>(name: string, target: T): T =>
    new Proxy(target, {
      get(object, member) {
        if (!(member in object)) throw new Error(`the Electron stand-in has no ${name}.${String(member)}`);
        return Reflect.get(object, member);
      },
    });

  globals.standInEmit = (channel, text) => {
    for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, ...(decode(text) as unknown[]));
  };
  const ipcRenderer = {
    async invoke(channel: string, ...values: unknown[]) {
      const reply = decode(await globals.standInInvoke(channel, encode(values))) as { value?: unknown; error?: string };
      if (reply.error !== undefined) throw new Error(`Error invoking remote method '${channel}': ${reply.error}`);
      return reply.value;
    },
    on(channel: string, listener: Listener) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
    },
    off(channel: string, listener: Listener) {
      listeners.get(channel)?.delete(listener);
    },
  };
  /** Like the real bridge: copies values (frozen there), and keeps only the message of an error. */
  const bridged = (value: unknown): unknown => {
    if (typeof value === 'function') {
      return (...values: unknown[]) => bridged(value(...values.map(bridged)));
    }
    if (value instanceof Promise) {
      return value.then(bridged, (error: unknown) => {
        throw new Error(error instanceof Error ? error.message : String(error));
      });
    }
    if (value instanceof Uint8Array) return value.slice();
    if (Array.isArray(value)) return value.map(bridged);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, bridged(member)]));
  };
  const contextBridge = {
    exposeInMainWorld(name: string, api: unknown) {
      if (!isIsolated) throw new Error('contextBridge API can only be used when contextIsolation is enabled');
      Object.defineProperty(globalThis, name, { value: bridged(api), enumerable: true });
    },
  };
  return strictly('renderer', {
    ipcRenderer: strictly('ipcRenderer', ipcRenderer),
    contextBridge: strictly('contextBridge', contextBridge),
  });
}
