import { expect, it } from 'vitest';
import { areSecretsOf } from '../../../shared/alerts/channel.ts';
import { type ChannelForm, channelFormOf, channelOf, newChannel, newSigningKey } from './channel-form.ts';

const ID = '0b7c1c53-5c1f-4d0e-9d43-6c7f4c2f6a11';

function refusedOf(form: ChannelForm): string[] {
  const made = channelOf(form, null);
  return 'refused' in made ? [...made.refused] : [];
}

it('converts a form of each kind to a channel and back', () => {
  const typed: readonly ChannelForm[] = [
    { ...newChannel('ntfy'), topic: 'garden' },
    { ...newChannel('webhook'), url: 'https://example.org/hook' },
    { ...newChannel('telegram'), chat: '-100123' },
    {
      ...newChannel('email'),
      ...{ host: 'mail.example.org', user: 'well', from: 'well@example.org', to: 'a@example.org, b@example.org' },
    },
    newChannel('desktop'),
  ];
  for (const form of typed) {
    const made = channelOf(form, ID);
    if ('refused' in made) throw new Error(`${form.kind}: ${[...made.refused].join()}`);
    expect(made.input.secrets).toEqual({});
    const { id, ...channel } = made.input.channel;
    expect(channelFormOf({ ...channel, id: id!, maxPerHour: 20 } as never)).toEqual(form);
  }
});

it('names invalid inputs', () => {
  expect(refusedOf({ ...newChannel('ntfy'), server: 'ftp://x', topic: 'a b' })).toEqual(['server', 'topic']);
  expect(refusedOf({ ...newChannel('email'), host: 'mail', from: 'x', to: '', port: '' })).toEqual([
    'port',
    'from',
    'to',
  ]);
  expect(refusedOf({ ...newChannel('desktop'), maxPerHour: '0' })).toEqual(['maxPerHour']);
  expect(refusedOf({ ...newChannel('telegram'), chat: '1', secrets: { token: 'two words' } })).toEqual(['token']);
});

it('sends a typed secret, and removes one on request', () => {
  const ntfy = { ...newChannel('ntfy'), topic: 'garden' };
  const secretsIn = (secrets: ChannelForm['secrets']) => {
    const made = channelOf({ ...ntfy, secrets }, null);
    return 'input' in made ? made.input.secrets : made.refused;
  };
  expect(secretsIn({ token: ' tk_1 ' })).toEqual({ token: 'tk_1' });
  expect(secretsIn({ token: '' })).toEqual({});
  expect(secretsIn({ token: null })).toEqual({ token: null });
  // The password was typed while another kind was chosen.
  expect(secretsIn({ password: 'x' })).toEqual({});
});

it('creates valid keys for a webhook', () => {
  expect(areSecretsOf('webhook', { signingKey: newSigningKey() })).toBe(true);
  expect(newSigningKey()).not.toBe(newSigningKey());
});
