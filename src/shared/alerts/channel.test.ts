import { expect, it } from 'vitest';
import { areSecretsOf, channelTarget } from './channel.ts';

const isTarget = (target: unknown) => channelTarget.safeParse(target).success;

it.each([
  ['http://well:secret@example.org/', false],
  ['https://token@example.org', false],
  ['https://example.org/hooks/@all?to=a@b', true],
  ['http://192.168.1.2:8123/api/webhook/x', true],
  ['ftp://example.org/', false],
  ['javascript:alert(1)', false],
  ['//example.org', false],
])('a webhook at %s: %s', (url, isRight) => {
  expect(isTarget({ kind: 'webhook', url })).toBe(isRight);
});

it.each([
  ['https://ntfy.sh', true],
  ['http://nas.lan:2586/', true],
  ['https://ntfy.sh/mytopic', false],
  ['https://ntfy.sh?x=1', false],
  ['https://u:p@ntfy.sh', false],
])('an ntfy server at %s: %s', (server, isRight) => {
  expect(isTarget({ kind: 'ntfy', server, topic: 'garden' })).toBe(isRight);
});

it('a chat of Telegram is a number or a name, at Telegram’s own server if no other is named', () => {
  expect(isTarget({ kind: 'telegram', chat: 'my garden' })).toBe(false);
  expect(isTarget({ kind: 'telegram', chat: '../setWebhook' })).toBe(false);
  expect(channelTarget.parse({ kind: 'telegram', chat: '-1001234567890' })).toMatchObject({
    server: 'https://api.telegram.org',
  });
});

it('secrets belong to the kind, and have its form', () => {
  expect(areSecretsOf('ntfy', { token: 'tk_1' })).toBe(true);
  expect(areSecretsOf('ntfy', { token: 'two words' })).toBe(false);
  expect(areSecretsOf('ntfy', { token: 'a\r\nHost: evil' })).toBe(false);
  expect(areSecretsOf('ntfy', { password: 'x' })).toBe(false);
  expect(areSecretsOf('webhook', { signingKey: `whsec_${'A'.repeat(32)}` })).toBe(true);
  expect(areSecretsOf('webhook', { signingKey: 'secret' })).toBe(false);
  expect(areSecretsOf('telegram', { token: '1:a/../b' })).toBe(false);
  expect(areSecretsOf('email', { password: '' })).toBe(false);
  expect(areSecretsOf('email', { password: null })).toBe(true);
  expect(areSecretsOf('desktop', {})).toBe(true);
});
