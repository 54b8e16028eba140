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

/** A fake node as a test holds it. */
export interface OpenedPage {
  readonly node: NodeConnection;
  /** Tells the page of an event, as a node does. */
  tell<E extends EventName>(event: E, payload: EventPayload<E>): void;
  /** A device's newest reading arrives. */
  send(device: FakeDevice, reading: SentReading): void;
  /** Begins again with what the node and this browser keep. */
  reload(): Promise<void>;
  /** Cuts the connection, or brings it back. */
  connect(isConnected: boolean): void;
}

/** The options of opening a page. */
export interface OpenOptions {
  /** How many devices the fake node has, or those that it has. */
  readonly devices?: number | readonly FakeDevice[];
  /** The window's width in pixels; 1440 by default. */
  readonly width?: number;
  readonly language?: Language;
  /** As what the page calls the node; the owner at the machine if it is missing. */
  readonly me?: CallerInfo;
  /** Answers in place of those that the fake node gives. */
  readonly answers?: Partial<Answers> | ((fake: Answers) => Partial<Answers>);
}

let opened = 0;

/** Opens the whole view at an address such as `#/settings`, or one that is asked for when the answers are made, over a fake node of its own. Every answer is checked by the contract. */
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
