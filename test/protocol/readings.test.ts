import { describe, expect, test } from 'vitest';
import { FIELD_NAMES, perFieldName } from '../../src/shared/protocol/fields.ts';
import { accept, handWritten, onlyReadingOf, registeredDevice, SOME_TIME } from '../support/client.ts';
import { send } from '../support/http.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();
const MEMBERS = ['receivedAt', 'seq', 'timestamp', ...FIELD_NAMES].sort();
const CIPHER = 'Ab'.repeat(20);
const NONCE = 'Cd'.repeat(12);

describe.each(ENDPOINTS)('the shape of a reading, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test('has its members; fields are a value, sealed, or null', async () => {
    const device = await registeredDevice(url());
    const json = {
      ph: { plain: 6.2 },
      ec: { cipher: CIPHER, nonce: NONCE },
      waterLevel: null,
      tempWater: { plain: -3.25 },
      humidity: { plain: 0 },
    };
    const before = Date.now();
    await accept(url(), handWritten(device, { seq: 12, tail: '|ph=6.20|tempWater=-3.25|humidity= 0', json }));
    const after = Date.now();

    const reading = await onlyReadingOf(url(), device.id);
    expect(Object.keys(reading).sort()).toEqual(MEMBERS);
    expect(reading).toEqual({
      ...perFieldName(() => null),
      seq: 12n,
      timestamp: SOME_TIME,
      receivedAt: reading.receivedAt,
      ph: { value: 6.2 },
      ec: { encrypted: CIPHER.toLowerCase() },
      waterLevel: null,
      tempWater: { value: -3.25 },
      tempAmbient: null,
      humidity: { value: 0 },
    });
    expect(Number(reading.receivedAt)).toBeGreaterThanOrEqual(before);
    expect(Number(reading.receivedAt)).toBeLessThanOrEqual(after);
  });

  test('the nonce, the signature, raw and the key version are not returned', async () => {
    const device = await registeredDevice(url());
    const block = handWritten(device, { keyVersion: 3, json: { ph: { cipher: CIPHER, nonce: NONCE } } });
    await accept(url(), block);
    const { text } = await send(`${url()}/v1/devices/${device.id}/telemetry`);
    expect(text).toContain(CIPHER.toLowerCase());
    for (const secret of [NONCE, block.signature, block.raw, 'keyVersion']) {
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
    }
  });

  test('seq and timestamp are JSON integers, not text', async () => {
    const device = await registeredDevice(url());
    await accept(url(), handWritten(device, { seq: 5, timestamp: 6 }));
    const { json } = await send(`${url()}/v1/devices/${device.id}/telemetry`);
    expect(json).toMatchObject({ readings: [{ seq: 5, timestamp: 6 }] });
  });

  test.each(['16', '256'])('a cipher of %s bytes is returned whole', async (count) => {
    const device = await registeredDevice(url());
    const cipher = '5a'.repeat(Number(count));
    await accept(url(), handWritten(device, { json: { humidity: { cipher, nonce: NONCE } } }));
    expect((await onlyReadingOf(url(), device.id)).humidity).toEqual({ encrypted: cipher });
  });

  test('every field can be sealed, and every field can be plain', async () => {
    const sealed = await registeredDevice(url());
    await accept(
      url(),
      handWritten(sealed, {
        json: Object.fromEntries(
          FIELD_NAMES.map((name, index) => [name, { cipher: `0${index}`.repeat(20), nonce: NONCE }]),
        ),
      }),
    );
    const sealedReading = await onlyReadingOf(url(), sealed.id);
    const plain = await registeredDevice(url());
    await accept(
      url(),
      handWritten(plain, {
        tail: FIELD_NAMES.map((name, index) => `|${name}=${index}.25`).join(''),
        json: Object.fromEntries(FIELD_NAMES.map((name, index) => [name, { plain: index + 0.25 }])),
      }),
    );
    const plainReading = await onlyReadingOf(url(), plain.id);
    for (const [index, name] of FIELD_NAMES.entries()) {
      expect(sealedReading[name]).toEqual({ encrypted: `0${index}`.repeat(20) });
      expect(plainReading[name]).toEqual({ value: index + 0.25 });
    }
  });
});
