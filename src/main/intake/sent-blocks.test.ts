import { expect, it } from 'vitest';
import { deviceIdOf, deviceIdsOf, echoedDeviceId, echoedSeq } from './sent-blocks.ts';

const ID = 'ab'.repeat(32);
const WITHOUT = [undefined, null, 7, 'text', [], {}, { deviceId: 7, seq: 7 }, { deviceId: null, seq: null }];

it.each(WITHOUT.map((sent) => [sent]))('finds neither a device nor a seq in %o', (sent) => {
  expect([deviceIdOf(sent), echoedDeviceId(sent), echoedSeq(sent)]).toEqual(['', '', '']);
  expect(deviceIdsOf([sent])).toEqual(new Set());
});

it('finds each device once, in lowercase', () => {
  const sent = [{ deviceId: 'CD' }, null, { deviceId: ID }, { deviceId: ID.toUpperCase() }, { deviceId: 'cd' }];
  expect([...deviceIdsOf(sent)]).toEqual(['cd', ID]);
  expect(deviceIdsOf([])).toEqual(new Set());
});

it('repeats the seq as it was sent', () => {
  expect(echoedSeq({ seq: '007', deviceId: ID })).toBe('007');
});

it.each([
  [ID, ID],
  [ID.toUpperCase(), ID],
  [`0123456789abcdef${'f'.repeat(48)}`, `0123456789abcdef${'f'.repeat(48)}`],
  ['', ''],
  [ID.slice(1), ''],
  [`${ID}a`, ''],
  [`a${ID}`, ''],
  [`g${ID.slice(1)}`, ''],
  [`${ID}\n`, ''],
])('repeats a device id only if it is well-formed: "%s"', (deviceId, echoed) => {
  expect(echoedDeviceId({ deviceId })).toBe(echoed);
  expect(deviceIdOf({ deviceId })).toBe(deviceId.toLowerCase());
});
