import { describe, expect, it } from 'vitest';
import { brokerUrl, password, topicPrefix, topicPrefixOrNone } from './kinds.ts';

const takes = (kind: { parse: (text: string) => object }, text: string) => 'value' in kind.parse(text);

describe('the address of a broker', () => {
  it.each([
    ...['mqtt://broker', 'mqtt://192.168.1.5:1883', 'mqtts://broker.lan:8883/', 'mqtt://[::1]:1883'],
    ...['ws://broker/mqtt', 'wss://broker.example/mqtt?x=1'],
  ])('may be %s', (url) => {
    expect(takes(brokerUrl, url)).toBe(true);
    expect(brokerUrl.schema.safeParse(url).success).toBe(true);
  });

  it.each([
    ...[
      '',
      'broker',
      'http://broker',
      'mqtt://',
      'mqtt://a b',
      'mqtt://broker:0',
      'mqtt://broker:70000',
      'mqtt://broker/x',
    ],
    ...['mqtt://user:secret@broker', 'ws://broker/@x', 'ws://broker/#x', 'mqtt://broker\n', 'mqtt://broker?clientId=x'],
  ])('is not %j', (url) => {
    expect(takes(brokerUrl, url)).toBe(false);
    expect(brokerUrl.schema.safeParse(url).success).toBe(false);
  });

  it('is refused without the login that stands in it', () => {
    expect(JSON.stringify(brokerUrl.parse('mqtt://user:secret@broker'))).not.toContain('secret');
  });
});

it('the beginning of a topic has whole levels without wildcards', () => {
  for (const text of ['wellhouse', 'home/water', 'água/1', 'a b']) expect(takes(topicPrefix, text)).toBe(true);
  for (const text of ['', '/', 'a/', '/a', 'a//b', 'a/+', '#', '$SYS', 'a\u0000', 'a\n', 'x'.repeat(101)]) {
    expect(takes(topicPrefix, text)).toBe(false);
  }
  expect(takes(topicPrefixOrNone, '')).toBe(true);
  expect(takes(topicPrefixOrNone, 'a/#')).toBe(false);
});

it('a password may be anything in one line', () => {
  for (const text of ['x', ' a b ', '🍅"\'']) expect(takes(password, text)).toBe(true);
  for (const text of ['', 'a\nb', 'x'.repeat(1001)]) expect(takes(password, text)).toBe(false);
});
