import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '../../../test/support/node-process.ts';
import { type Heard, notifyStub } from '../../../test/support/systemd.ts';
import { ServiceManager, watchdogMs } from './service-manager.ts';
import { type Supervised, Supervision } from './supervision.ts';

let folder: string;
let systemd: Heard;
let records: Record<string, unknown>[];
let log: Logger;
const ends: (() => void)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  systemd = notifyStub(folder);
  const own: Record<string, unknown>[] = [];
  records = own;
  log = pino({}, { write: (line: string) => own.push(JSON.parse(line) as Record<string, unknown>) });
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  removeFolder(folder);
});

const SOUND: Supervised = { urls: () => [], vitals: () => ({}), status: () => 'well' };

function supervise(of: Partial<Supervised> = {}, env: Record<string, string> = { WATCHDOG_USEC: '60000' }) {
  const supervision = new Supervision({ env: { ...systemd.env, ...env }, log, of: { ...SOUND, ...of } });
  ends.push(() => supervision.stopping());
  return supervision;
}

const beats = () => systemd.messages().filter((message) => message.includes('WATCHDOG=1')).length;

describe.skipIf(process.platform === 'win32')('systemd', () => {
  it('gets ready when every address answers, then signs of life, and stopping', async () => {
    const server = createServer((_request, response) => response.writeHead(503).end());
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));

    let asked = 0;
    const urls = () => {
      asked += 1;
      return [`http://0.0.0.0:${port}`];
    };
    const supervision = supervise({ urls });
    const started = supervision.started();
    await expect.poll(() => asked).toBeGreaterThan(2);
    expect(systemd.messages()).toEqual([]);

    server.listen(port, '127.0.0.1');
    ends.push(() => server.close());
    await started;
    await expect.poll(beats).toBeGreaterThan(2);
    supervision.stopping();
    // Each message is sent by a separate process, so an earlier one may arrive later.
    await expect.poll(() => systemd.messages().join('\n')).toContain('STOPPING=1');
    expect(systemd.messages()[0]).toBe('READY=1\nSTATUS=well');
    expect(systemd.messages()[1]).toBe('WATCHDOG=1\nSTATUS=well');
  });

  it('gets no sign of life while something hangs, which is logged, and gets them again afterwards', async () => {
    const hang = Promise.withResolvers<void>();
    let looks = 0;
    const vitals = () => {
      looks += 1;
      return { disk: Promise.reject(new Error('gone')), 'private store': looks > 2 ? hang.promise : Promise.resolve() };
    };
    void supervise({ vitals }).started();
    await expect.poll(() => records.length).toBeGreaterThan(3);
    expect(records.at(-1)).toMatchObject({ level: 50, hangs: ['private store'] });
    await expect.poll(beats).toBe(2);
    expect(looks).toBe(3);
    hang.resolve();
    await expect.poll(beats).toBeGreaterThan(3);
  });

  it('gets no sign of life after everything ended', async () => {
    let looks = 0;
    const vitals = () => {
      looks += 1;
      if (looks > 2) throw new Error('the port is taken');
      return {};
    };
    void supervise({ vitals }).started();
    await expect.poll(() => records.length).toBeGreaterThan(3);
    expect(records[0]).toMatchObject({ level: 50, reason: 'the port is taken' });
    await expect.poll(beats).toBe(2);
  });

  it('gets no sign of life if the watchdog is off or another process’s', async () => {
    await supervise({}, {}).started();
    await supervise({}, { WATCHDOG_USEC: '60000', WATCHDOG_PID: '1' }).started();
    expect(systemd.messages()).toEqual(['READY=1\nSTATUS=well', 'READY=1\nSTATUS=well']);
    expect(watchdogMs({ WATCHDOG_USEC: '60000000', WATCHDOG_PID: String(process.pid) })).toBe(60_000);
    for (const usec of ['', '0', '-1', 'x']) expect(watchdogMs({ WATCHDOG_USEC: usec })).toBeNull();
  });

  it('gets one message per line, whatever a status contains', async () => {
    await supervise({ status: () => 'well\nREADY=0\nMAINPID=1' }, {}).started();
    expect(systemd.messages()).toEqual(['READY=1\nSTATUS=well READY=0 MAINPID=1']);
  });
});

it('without systemd nothing is sent and nothing is checked', async () => {
  const fail = () => {
    throw new Error('looked');
  };
  const supervision = new Supervision({
    env: { WATCHDOG_USEC: '1' },
    log,
    of: { urls: fail, vitals: fail, status: fail },
  });
  await supervision.started();
  supervision.stopping();
  expect([systemd.messages(), records]).toEqual([[], []]);
});

describe.skipIf(process.platform === 'win32')('the program that tells it', () => {
  it('is missed once, and then never asked again', async () => {
    const manager = ServiceManager.of({ NOTIFY_SOCKET: '/nowhere', PATH: folder }, log)!;
    expect([await manager.tell('READY=1'), await manager.tell('WATCHDOG=1')]).toEqual([false, false]);
    expect(records).toHaveLength(1);
    expect(records[0]!.msg).toContain('systemd-notify is not installed');
  });

  it('may fail, and is asked again', async () => {
    const manager = ServiceManager.of({ ...systemd.env, NOTIFY_SOCKET: '/nowhere' }, log)!;
    removeFolder(`${folder}/said`);
    mkdirSync(`${folder}/said`);
    expect(await manager.tell('READY=1')).toBe(false);
    expect(records[0]!.reason).toContain('ended with');
    removeFolder(`${folder}/said`);
    expect(await manager.tell('READY=1')).toBe(true);
  });
});
