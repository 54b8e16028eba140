import type { DesktopEvent, DesktopPayload, OwnerBridge, Wake } from '../../src/shared/desktop-api.ts';
import { DESKTOP_EVENTS, DESKTOP_METHODS } from '../../src/shared/desktop-api.ts';
import type { NodeState } from '../../src/shared/node-state.ts';

// To be imported before anything of the page, which looks for the desktop app when its modules are loaded.

type OnDesktopEvent = Parameters<OwnerBridge['listenDesktop']>[0];
const RUNNING: NodeState = { state: 'running', localUrl: 'http://127.0.0.1:3001', publicUrl: null };
/** The key that Chromium seals with if no keyring runs. */
export const PUBLIC_SECRET = 0;

const listeners = new Set<OnDesktopEvent>();

/** The main process of the desktop app as a test holds it. What it answers and tells is checked by its contract. */
export const fakeDesktop = {
  state: RUNNING as NodeState,
  wake: null as Wake | null,
  /** How a start of the node goes; it is running after it by default. */
  startNode: (): NodeState => RUNNING,
  /** The methods that the page called, oldest first. */
  calls: [] as string[],
  /** As the real one, without its cryptography: what is sealed begins with the secret that sealed it. */
  keyring: { isThere: true, secret: 1, isRotated: false },

  /** As at the start of the app. */
  reset(): void {
    const keyring = { isThere: true, secret: 1, isRotated: false };
    Object.assign(this, { state: RUNNING, wake: null, startNode: () => RUNNING, calls: [], keyring });
  },

  tell<E extends DesktopEvent>(event: E, payload: DesktopPayload<E>): void {
    DESKTOP_EVENTS[event].parse(payload);
    for (const listener of [...listeners]) listener(event, payload);
  },

  /** The node gets into a state, and the page is told. */
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
  // Pages call the fake node; what else the app keeps is no part of these tests.
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
