import type { IncomingMessage } from 'node:http';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { ErrorText } from '../../shared/protocol/errors.ts';
import { ForeignHosts } from './foreign-hosts.ts';

function watched() {
  const lines: { host: string; msg: string; level: number }[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => lines.push(JSON.parse(line)) });
  let news = 0;
  let now = 6;
  const hosts = new ForeignHosts({ log, now: () => ++now, onNew: () => (news += 1) });
  const note = (host: string | null, refusal: ErrorText | null = null) => {
    const named = { headers: host === null ? {} : { host }, headersDistinct: host === null ? {} : { host: [host] } };
    hosts.note(named as unknown as IncomingMessage, refusal, (name) => name === 'well.lan');
  };
  return { hosts, note, lines, news: () => news };
}
const LET_IN =
  'a tunnel or proxy forwards requests from another host to the local endpoint: anyone who reaches that host can read every private reading; set LOCAL_READ_TOKEN if that is intended';
const REFUSED =
  'a request to the local endpoint names a public address and was refused: if your own tunnel has this address, list it in LOCAL_ALLOWED_HOSTS';
const warning = (host: string, msg: string) => ({ level: 40, host, msg });

it('a host that is not this machine is logged once for any number of requests', () => {
  const { hosts, note, lines, news } = watched();
  for (let request = 0; request < 5; request += 1) note('10.77.0.1:8080');
  note('[fd00::2]:8080');
  note('10.77.0.1');
  expect(lines).toEqual([warning('10.77.0.1', LET_IN), warning('[fd00::2]', LET_IN)]);
  expect(news()).toBe(2);
  expect(hosts.all).toEqual([
    { host: '10.77.0.1', isLetIn: true, count: 6, firstAt: 7, lastAt: 13 },
    { host: '[fd00::2]', isLetIn: true, count: 1, firstAt: 12, lastAt: 12 },
  ]);
});

it('this machine, listed hosts and refused names are not reported', () => {
  const { hosts, note, lines, news } = watched();
  const here = ['localhost:3001', '127.0.0.1', '127.9.9.9', '[::1]:3001', '[0:0::1]', '[::ffff:127.0.0.1]'];
  for (const host of [...here, 'well.lan', null]) note(host);
  for (const host of ['well.lan', '127.0.0.1', 'evil.example', '0.0.0.0', null]) note(host, 'host_not_allowed');
  for (const refusal of ['forwarded_request', 'origin_not_allowed'] as const) note('10.77.0.1', refusal);
  expect([hosts.all, lines, news()]).toEqual([[], [], 0]);
});

it('a refused public address is logged with the setting that allows it', () => {
  const { hosts, note, lines, news } = watched();
  for (let request = 0; request < 2; request += 1) note('203.0.113.9:8080', 'host_not_allowed');
  expect(lines).toEqual([warning('203.0.113.9', REFUSED)]);
  expect(hosts.all).toEqual([{ host: '203.0.113.9', isLetIn: false, count: 2, firstAt: 7, lastAt: 8 }]);
  expect(news()).toBe(1);
});

it('a host is logged again when its requests begin to be accepted or refused', () => {
  const { hosts, note, lines, news } = watched();
  note('203.0.113.9', 'host_not_allowed');
  note('203.0.113.9');
  expect(lines.map(({ msg }) => msg)).toEqual([REFUSED, LET_IN]);
  expect(hosts.all).toEqual([{ host: '203.0.113.9', isLetIn: true, count: 2, firstAt: 7, lastAt: 8 }]);
  expect(news()).toBe(2);
});

it('strangers who invent hosts fill neither memory nor the log', () => {
  const { hosts, note, lines, news } = watched();
  for (let last = 1; last < 200; last += 1) note(`203.0.113.${last}`, 'host_not_allowed');
  expect([hosts.all.length, lines.length, news()]).toEqual([20, 20, 20]);
  note('203.0.113.20', 'host_not_allowed');
  expect(hosts.all.map(({ count }) => count)).toEqual([...Array(19).fill(1), 2]);
});
