import type { DesktopEvent, DesktopPayload, OwnerBridge, Wake } from '../../src/shared/desktop-api.ts';
import { DESKTOP_EVENTS, DESKTOP_METHODS } from '../../src/shared/desktop-api.ts';
import type { NodeState } from '../../src/shared/node-state.ts';

// Import this before any module of the page, because those look for the desktop app when they load.

type OnDesktopEvent = Parameters<OwnerBridge['listenDesktop']>[0];
const RUNNING: NodeState = { state: 'running', localUrl: 'http://127.0.0.1:3001', publicUrl: null };
/** The secret with which Chromium encrypts if no keyring runs. */
export const PUBLIC_SECRET = 0;

const listeners = new Set<OnDesktopEvent>();

/** A test's fake of the desktop app's main process. Its answers and events are checked against the contract. */
export const fakeDesktop = {
  state: RUNNING as NodeState,
  wake: null as Wake | null,
  /** The result of starting the node; running by default. */
  startNode: (): NodeState => RUNNING,
  /** The methods that the page has called, oldest first. */
  calls: [] as string[],
  /** Like the real one, but without cryptography: an encrypted value starts with the secret that encrypted it. */
  keyring: { isThere: true, secret: 1, isRotated: false },

  /** Restores the state at the start of the app. */
  reset(): void {
    const keyring = { isThere: true, secret: 1, isRotated: false };
    Object.assign(this, { state: RUNNING, wake: null, startNode: () => RUNNING, calls: [], keyring });
  },

  tell<E extends DesktopEvent>(event: E, payload: DesktopPayload<E>): void {
    DESKTOP_EVENTS[event].parse(payload);
    for (const listener of [...listeners]) listener(event, payload);
  },

  /** Changes the node's state and notifies the page. */
  become(state: NodeState): void {
    this.state = state;
    this.tell('nodeState', state);
  },
};

const METHODS: { readonly [M in keyof typeof DESKTOP_METHODS]?: () => unknown } = {
  nodeState: () => fakeDesktop.state,
  startNode: () => {
    fakeDesktop.become(fakeDesktop.startNode());
    return fakeDesktop.state;
  },
  lastWake: () => ({ wake: fakeDesktop.wake }),
  dismissWake: () => {
    fakeDesktop.wake = null;
    return {};
  },
};

const bridge: OwnerBridge = {
  // Pages call the fake node; the app's other calls are not part of these tests.
  call: async () => ({ ok: false, error: 'disconnected' }),
  listen: () => () => {},
  async callDesktop(method, input) {
    fakeDesktop.calls.push(method);
    const { input: takes, output } = DESKTOP_METHODS[method];
    takes.parse(input);
    const answer = METHODS[method];
    if (answer === undefined) throw new Error(`the fake desktop app has no answer to ${method}`);
    return { ok: true, json: JSON.stringify(output.parse(answer())) };
  },
  listenDesktop(onEvent) {
    listeners.add(onEvent);
    return () => listeners.delete(onEvent);
  },
  osWrap: {
    available: async () => fakeDesktop.keyring.isThere,
    wrap: async (dataKey) => {
      const { isThere, secret } = fakeDesktop.keyring;
      return isThere ? Uint8Array.of(secret, ...dataKey) : null;
    },
    unwrap: async ([secret, ...dataKey]) => {
      const { keyring } = fakeDesktop;
      if (secret === PUBLIC_SECRET) return { dataKey: null, advice: 'drop' };
      if (!keyring.isThere || secret !== keyring.secret) return { dataKey: null, advice: 'renew' };
      return { dataKey: Uint8Array.from(dataKey), advice: keyring.isRotated ? 'renew' : 'keep' };
    },
  },
};

Object.assign(window, { owner: bridge });
