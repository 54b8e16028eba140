import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { ForeignHosts } from './foreign-hosts.ts';

function watched() {
  const lines: { host: string; msg: string }[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) });
  let news = 0;
  const hosts = new ForeignHosts({ log, now: () => 7, onNew: () => (news += 1) });
  const note = (host: string, refusal: 'host_not_allowed' | 'forwarded_request' | null = null) =>
    hosts.note(
      { headers: { host }, headersDistinct: { host: [host] } } as unknown as IncomingMessage,
      refusal,
      (name) => name === 'well.lan',
    );
  return { hosts, note, lines, news: () => news };
}

it('a host that is not this machine is logged once for any number of requests', () => {
  const { hosts, note, lines, news } = watched();
  for (let request = 0; request < 5; request += 1) note('10.77.0.1:8080');
  note('[fd00::2]:8080');
  expect(lines.map(({ host }) => host)).toEqual(['10.77.0.1', '[fd00::2]']);
  expect(news()).toBe(2);
  expect(hosts.all[0]).toEqual({ host: '10.77.0.1', isLetIn: true, count: 5, firstAt: 7, lastAt: 7 });
});

it('this machine, listed hosts and refused names are not reported', () => {
  const { hosts, note, lines } = watched();
  for (const host of ['localhost:3001', '127.0.0.1', '127.9.9.9', '[::1]:3001', '[0:0::1]', 'well.lan']) note(host);
  note('evil.example', 'host_not_allowed');
  note('10.77.0.1', 'forwarded_request');
  expect([hosts.all, lines]).toEqual([[], []]);
});

it('a refused public address is logged with the setting that allows it', () => {
  const { hosts, note, lines } = watched();
  note('203.0.113.9:8080', 'host_not_allowed');
  expect(lines[0]!.msg).toContain('LOCAL_ALLOWED_HOSTS');
  expect(hosts.all[0]).toMatchObject({ host: '203.0.113.9', isLetIn: false });
});

it('strangers who invent hosts fill neither memory nor the log', () => {
  const { hosts, note, lines } = watched();
  for (let last = 1; last < 200; last += 1) note(`203.0.113.${last}`, 'host_not_allowed');
  expect([hosts.all.length, lines.length]).toEqual([20, 20]);
});
