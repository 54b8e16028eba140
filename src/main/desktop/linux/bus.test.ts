import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../../test/support/node-process.ts';
import { answered, connectBus } from './bus.ts';

const WITHIN_MS = 5000;

afterEach(() => void vi.useRealTimers());

/** A bus that answers the handshake, and no message. `heard` resolves after the handshake, `gone` when a client has left. */
async function silentBus() {
  const folder = temporaryFolder();
  const [heard, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = createServer((socket) => {
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (text.includes('AUTH')) socket.write('OK 1234deadbeef\r\n');
      if (text.includes('BEGIN')) heard.resolve();
    });
    socket.on('error', () => {});
    socket.on('close', () => gone.resolve());
  });
  onTestFinished(() => {
    server.close();
    removeFolder(folder);
  });
  const path = join(folder, 'bus');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` }, heard: heard.promise, gone: gone.promise };
}

it.skipIf(process.platform === 'win32')(
  'a bus that answers no message is given up in time, without a fault',
  async () => {
    const bus = await silentBus();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const onEnd = vi.fn();
    const connecting = connectBus('session', bus.env).finally(onEnd);
    await bus.heard;
    await vi.advanceTimersByTimeAsync(WITHIN_MS - 1);
    expect(onEnd).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await connecting).toBeNull();
    await bus.gone;
    expect(vi.getTimerCount()).toBe(0);
  },
);

it('a call is waited for as long, and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await answered(Promise.resolve(7))).toBe(7);
  await expect(answered(Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(vi.getTimerCount()).toBe(0);
  const late = expect(answered(new Promise(() => {}))).rejects.toThrow('there was no answer in time');
  await vi.advanceTimersByTimeAsync(WITHIN_MS);
  await late;
});
