import i18next from 'i18next';
import { StrictMode } from 'react';
import { onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup, render } from 'vitest-browser-react';
import { fakeAnswers } from '../../scripts/fake-node/answers.ts';
import type { FakeDevice, SentReading } from '../../scripts/fake-node/devices.ts';
import { type Answers, callFake, FakeError } from '../../scripts/fake-node/fake.ts';
import { ApiError } from '../../src/renderer/api/errors.ts';
import { startLive } from '../../src/renderer/api/live.ts';
import { NodeConnection } from '../../src/renderer/api/node-connection.ts';
import { createQueryClient } from '../../src/renderer/api/queries/client.ts';
import { App } from '../../src/renderer/app.tsx';
import { readKeptAgain } from '../../src/renderer/kept-state.ts';
import { Providers } from '../../src/renderer/providers.tsx';
import { setLanguage } from '../../src/renderer/texts/setup.ts';
import type { OwnerApi } from '../../src/shared/owner-api/contract.ts';
import type { EventName, EventPayload } from '../../src/shared/owner-api/events.ts';
import type { CallerInfo } from '../../src/shared/owner-api/node.ts';
import type { Language } from '../../src/shared/texts/languages.ts';

type OnEvent = Parameters<OwnerApi['listen']>[0];

/** A fake node in a test. */
export interface OpenedPage {
  readonly node: NodeConnection;
  /** Sends the page an event, as a node does. */
  tell<E extends EventName>(event: E, payload: EventPayload<E>): void;
  /** Delivers a device's newest reading. */
  send(device: FakeDevice, reading: SentReading): void;
  /** Loads the page again with the stored state of the node and of this browser. */
  reload(): Promise<void>;
  /** Cuts or restores the connection. */
  connect(isConnected: boolean): void;
}

/** The options of opening a page. */
export interface OpenOptions {
  /** The number of the fake node's devices, or the devices. */
  readonly devices?: number | readonly FakeDevice[];
  /** The window's width in pixels; 1440 by default. */
  readonly width?: number;
  readonly language?: Language;
  /** The role of the page at the node; if missing, the owner at the machine. */
  readonly me?: CallerInfo;
  /** Answers that replace those of the fake node. */
  readonly answers?: Partial<Answers> | ((fake: Answers) => Partial<Answers>);
}

let opened = 0;

/**
 * Opens the whole view with its own fake node, at an address such as `#/settings`, or at the result of a function that
 * is called after the answers are made. Every answer is checked against the contract.
 */
export async function openPage(hash: string | (() => string), options: OpenOptions = {}): Promise<OpenedPage> {
  const { devices = 3, answers = {}, width, language, me } = options;
  if (width !== undefined) await page.viewport(width, 900);
  if (language !== undefined) await setLanguage(language);
  const listeners = new Set<OnEvent>();
  const connections = new Set<(isConnected: boolean) => void>();
  const tell: OpenedPage['tell'] = (event, payload) => {
    for (const listener of listeners) listener(event, payload);
  };
  let isConnected = true;
  const fake = fakeAnswers(devices, Date.now(), tell);
  const all: Answers = { ...fake, ...(typeof answers === 'function' ? answers(fake) : answers) };
  const api: OwnerApi = {
    async call(method, input) {
      if (!isConnected) throw new ApiError('disconnected', 'the fake node is cut off');
      try {
        return structuredClone(callFake(all, method, structuredClone(input))) as never;
      } catch (error) {
        throw error instanceof FakeError ? new ApiError(error.code, error.code) : error;
      }
    },
    listen(onEvent, onConnection) {
      listeners.add(onEvent);
      connections.add(onConnection);
      queueMicrotask(() => onConnection(isConnected));
      return () => {
        listeners.delete(onEvent);
        connections.delete(onConnection);
      };
    },
  };
  opened += 1;
  const node = new NodeConnection(`fake-node-${opened}`, api, null, me);
  window.location.hash = typeof hash === 'string' ? hash : hash();
  const show = async (): Promise<() => Promise<void>> => {
    readKeptAgain();
    const client = createQueryClient();
    const stop = startLive(client, node, () => {});
    await render(
      <StrictMode>
        <Providers client={client} node={node} nonce="">
          <App />
        </Providers>
      </StrictMode>,
    );
    return async () => {
      stop();
      await cleanup();
      client.clear();
    };
  };
  let hide = await show();
  onTestFinished(async () => {
    await hide();
    if (width !== undefined) await page.viewport(1440, 900);
    if (i18next.language !== 'en') await setLanguage('en');
  });
  return {
    node,
    tell,
    send(device, reading) {
      device.send(reading);
      tell('readings', { devices: [device.id] });
    },
    async reload() {
      await hide();
      hide = await show();
    },
    connect(next) {
      isConnected = next;
      for (const each of connections) each(next);
    },
  };
}
