import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { block as blockSchema } from '../shared/protocol/block.ts';
import { deviceRegistration } from '../shared/protocol/device.ts';
import { SENSOR_FIELDS } from '../shared/protocol/fields.ts';
import { agrees, parseRaw } from '../shared/protocol/raw.ts';
import { SimulatedDevice } from './device.ts';

// The known answers of the protocol. The key is the standard derivation of the all-"abandon" phrase.
const SEED = Buffer.from('5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1', 'hex');
const ID = 'c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a';
const RAW = `${ID}|1|1700000000000|0|ec=1800|ph=6.20|waterLevel=80|tempAmbient=24.50|humidity=60.00`;
const SIGNATURE =
  '2199c52836b4e4a314c1a051ca1f799624e9553ff6ae768d23d0f8287f68cc8c' +
  '3405dc01f105a297769ff2a9fedc045ff0afefec3f47951cae2e87f059c71c08';

const rawText = (block: { raw: string }) => Buffer.from(block.raw, 'hex').toString('utf8');

test('signs the known block exactly as the vectors have it', () => {
  const device = new SimulatedDevice({ seed: SEED });
  const plain = { ec: 1800, ph: 6.2, waterLevel: 80, tempAmbient: 24.5, humidity: 60 };
  const block = device.block({ seq: 1, timestamp: 1_700_000_000_000, plain });
  expect(device.id).toBe(ID);
  expect(rawText(block)).toBe(RAW);
  expect(block.signature).toBe(SIGNATURE);
});

test('writes raw strings like the firmware: order, decimals, a padded single digit', () => {
  const device = new SimulatedDevice({ seed: SEED });
  const plain = { humidity: 60.005, tempWater: 20.126, waterLevel: 7, ph: 6.2, tempAmbient: -0.5, ec: 0 };
  const block = device.block({ seq: 18446744073709551615n, timestamp: 0, keyVersion: 3, plain });
  expect(rawText(block)).toBe(
    `${ID}|18446744073709551615|0|3|ec= 0|ph=6.20|waterLevel= 7|tempWater=20.13|tempAmbient=-0.50|humidity=60.01`,
  );
  expect(block.ph).toEqual({ plain: 6.199999809265137 });
});

test('its JSON numbers agree with raw for values of every size', () => {
  const device = new SimulatedDevice();
  for (let index = 0; index < 500; index += 1) {
    const value = (index * 7.77773 - 1000) / (1 + (index % 7));
    const block = device.block({ seq: index, timestamp: index, plain: { ec: value, ph: value } });
    const raw = parseRaw(rawText(block))!;
    for (const name of ['ec', 'ph'] as const) {
      const field = block[name] as { plain: number };
      expect(agrees(raw.fields.get(name)!, field.plain)).toBe(true);
    }
  }
});

test('a sealed field is sent sealed, and neither raw nor plain', () => {
  const sealed = { ph: { cipher: 'ab'.repeat(20), nonce: '00'.repeat(12) } };
  const block = new SimulatedDevice().block({ seq: 1, timestamp: 2, plain: { ph: 6.2, ec: 900 }, sealed });
  expect(block.ph).toEqual(sealed.ph);
  expect(rawText(block)).not.toContain('ph=');
  expect(rawText(block)).toContain('|ec=900');
  expect(blockSchema.safeParse(block).success).toBe(true);
});

test('signs another given raw string', () => {
  const device = new SimulatedDevice();
  const block = device.block({ seq: 1, timestamp: 2, raw: 'é|anything' });
  expect(rawText(block)).toBe('é|anything');
  const x = Buffer.from(device.id, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  expect(verify(null, Buffer.from('é|anything'), key, Buffer.from(block.signature, 'hex'))).toBe(true);
});

test('registers with a body that matches the schema, like the firmware', () => {
  const device = new SimulatedDevice({ name: 'Nursery' });
  const checked = deviceRegistration.parse(device.registration());
  expect(checked).toMatchObject({ id: device.id, name: 'Nursery', type: 0, publishTo: 2 });
  expect(checked.privacyPolicy).toEqual(
    Object.fromEntries(SENSOR_FIELDS.map(({ policyName }) => [policyName, { default_disposition: 1 }])),
  );
  expect(deviceRegistration.parse(device.registration({ publishTo: 0 })).publishTo).toBe(0);
});

test('two random devices differ in key, mac and owner; a seed of another length is refused', () => {
  const [a, b] = [new SimulatedDevice(), new SimulatedDevice()];
  expect(a.id).not.toBe(b.id);
  expect(a.mac).not.toBe(b.mac);
  expect(a.ownerPubkey).not.toBe(b.ownerPubkey);
  expect(() => new SimulatedDevice({ seed: new Uint8Array(31) })).toThrow(RangeError);
});
