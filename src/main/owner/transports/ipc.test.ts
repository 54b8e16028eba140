import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { BridgeAnswer } from '../../../shared/desktop-api.ts';
import { CHANNELS } from '../../../shared/desktop-channels.ts';
import { METHODS, type MethodName } from '../../../shared/owner-api/contract.ts';
import { OwnerCalls } from '../api/calls.ts';
import { type Caller, LOCAL_OWNER } from '../caller.ts';
import { guardedHandler, ownerOverIpc } from './ipc.ts';

type Listener = (event: string, ...values: unknown[]) => unknown;

/**
 * Serves the owner API over IPC, called by our page or by something else; `asked` has the calls that reached the node.
 */
function served(callJson: (caller: Caller, method: string, input: unknown) => ReturnType<OwnerCalls['callJson']>) {
  const listeners = new Map<string, Listener>();
  const ipc = { handle: (channel: string, listener: Listener) => void listeners.set(channel, listener) };
  ownerOverIpc(
    guardedHandler(ipc, (sender: string) => sender === 'our page'),
    { callJson, listen: () => () => {} },
    () => {},
  );
  return async (sender: string, method: unknown, input: unknown) =>
    (await listeners.get(CHANNELS.ownerCall)!(sender, method, input)) as BridgeAnswer;
}

it('passes each method to the common place of all transports, as the owner at the machine', async () => {
  const asked: [Caller, string][] = [];
  const ask = served(async (caller, method) => {
    asked.push([caller, method]);
    return { ok: false, error: 'unauthorized' };
  });
  const names = Object.keys(METHODS) as MethodName[];
  for (const name of names) expect(await ask('our page', name, {})).toEqual({ ok: false, error: 'unauthorized' });
  expect(asked).toEqual(names.map((name) => [LOCAL_OWNER, name]));
});

it('answers only its own page, and no unknown method', async () => {
  let executed = 0;
  const handlers = { nodeInfo: () => (executed += 1) } as never;
  const calls = new OwnerCalls(pino({ enabled: false }), handlers, async () => {});
  const ask = served((caller, method, input) => calls.callJson(caller, method, input));
  await expect(ask('another page', 'nodeInfo', {})).rejects.toThrow('refused');
  expect(executed).toBe(0);
  for (const method of ['__proto__', 'constructor', 'none', 7, null])
    expect(await ask('our page', method, {})).toMatchObject({ ok: false, error: 'unknown_method' });
  expect(await ask('our page', 'nodeInfo', {})).toEqual({ ok: true, json: '1' });
});
