import { describe, expect, test } from 'vitest';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import {
  accept,
  handWritten,
  onlyReadingOf,
  readingsOf,
  refuse,
  register,
  registeredDevice,
} from '../support/client.ts';
import { ENDPOINTS, runningNode } from '../support/node-process.ts';

const node = runningNode();

/** A block of the field firmware and its signature, made apart from this project. */
const KNOWN = {
  deviceId: 'c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a',
  raw:
    'c5785e1865b708938aff8161d573006496663b1aa10834e396dc566869a2c66a|1|1700000000000|0' +
    '|ec=1800|ph=6.20|waterLevel=80|tempAmbient=24.50|humidity=60.00',
  signature:
    '2199c52836b4e4a314c1a051ca1f799624e9553ff6ae768d23d0f8287f68cc8c' +
    '3405dc01f105a297769ff2a9fedc045ff0afefec3f47951cae2e87f059c71c08',
};

describe.each(ENDPOINTS)('signatures, %s endpoint', (endpoint) => {
  const url = () => node.url(endpoint);

  test('the known block of the firmware is stored', async () => {
    const registration = new SimulatedDevice().registration({ id: KNOWN.deviceId });
    expect((await register(url(), registration)).status).toBe(201);
    await accept(url(), {
      deviceId: KNOWN.deviceId,
      seq: '1',
      timestamp: '1700000000000',
      keyVersion: 0,
      ec: { plain: 1800 },
      ph: { plain: Math.fround(6.2) },
      waterLevel: { plain: 80 },
      tempAmbient: { plain: 24.5 },
      humidity: { plain: 60 },
      signature: KNOWN.signature,
      raw: Buffer.from(KNOWN.raw).toString('hex'),
    });
    expect(await onlyReadingOf(url(), KNOWN.deviceId)).toMatchObject({
      seq: 1n,
      timestamp: 1_700_000_000_000n,
      ec: { value: 1800 },
      ph: { value: 6.2 },
      waterLevel: { value: 80 },
      tempWater: null,
      tempAmbient: { value: 24.5 },
      humidity: { value: 60 },
    });
  });

  test.each([0, 1, 32, 63, 65, 128])('a signature of %i bytes is an invalid signature', async (count) => {
    const device = await registeredDevice(url());
    const { signature } = handWritten(device);
    const json = { signature: signature.padEnd(256, '0').slice(0, count * 2) };
    expect(await refuse(url(), handWritten(device, { json }))).toBe(`Invalid signature for device ${device.id}`);
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('the device is looked up before the signature', async () => {
    const stranger = new SimulatedDevice();
    for (const signature of ['', '00', '00'.repeat(64)]) {
      const block = handWritten(stranger, { json: { signature } });
      expect(await refuse(url(), block)).toBe(`Device not found: ${stranger.id}`);
    }
  });

  test('the signature is checked before the binding', async () => {
    const device = await registeredDevice(url());
    const block = handWritten(device, { json: { seq: '2', signature: '00'.repeat(64) } });
    expect(await refuse(url(), block)).toBe(`Invalid signature for device ${device.id}`);
  });

  test('another key than the registered one is refused, also if the payload names it', async () => {
    const device = await registeredDevice(url());
    const thief = new SimulatedDevice();
    const raw = `${device.id}|1|1700000000000|0`;
    const json = { deviceId: device.id, publicKey: thief.id, id: thief.id };
    expect(await refuse(url(), handWritten(thief, { raw, json }))).toBe(`Invalid signature for device ${device.id}`);
    expect(await readingsOf(url(), device.id)).toEqual([]);
  });

  test('a block replayed onto another registered device is refused', async () => {
    const device = await registeredDevice(url());
    const victim = await registeredDevice(url());
    const captured = handWritten(device, { tail: '|ph=6.20', json: { ph: { plain: 6.2 } } });
    const replayed = { ...captured, deviceId: victim.id };
    expect(await refuse(url(), replayed)).toBe(`Invalid signature for device ${victim.id}`);
    expect(await readingsOf(url(), victim.id)).toEqual([]);
  });

  // The node remembers the signatures of blocks that came again, so that it need not check them a third time.
  test('a remembered signature is valid only for its own block', async () => {
    const device = await registeredDevice(url());
    const captured = handWritten(device, { tail: '|ph=6.20', json: { ph: { plain: 6.2 } } });
    for (let time = 1; time <= 3; time += 1) await accept(url(), captured);
    const forged = handWritten(device, { seq: 2, tail: '|ph=9.90', json: { ph: { plain: 9.9 } } });
    for (const signature of [captured.signature, captured.signature.toUpperCase()]) {
      expect(await refuse(url(), { ...forged, signature })).toBe(`Invalid signature for device ${device.id}`);
    }
    const victim = await registeredDevice(url());
    expect(await refuse(url(), { ...captured, deviceId: victim.id })).toBe(`Invalid signature for device ${victim.id}`);
    expect(await readingsOf(url(), device.id)).toHaveLength(1);
    expect(await readingsOf(url(), victim.id)).toEqual([]);
  });

  test('hex of any case is accepted, and errors name the device in lowercase', async () => {
    const device = await registeredDevice(url());
    const block = handWritten(device);
    const upper = {
      deviceId: device.id.toUpperCase(),
      signature: block.signature.toUpperCase(),
      raw: block.raw.toUpperCase(),
    };
    await accept(url(), { ...block, ...upper });
    expect(await readingsOf(url(), device.id)).toHaveLength(1);
    expect(await refuse(url(), { ...block, ...upper, signature: '00'.repeat(64) })).toBe(
      `Invalid signature for device ${device.id}`,
    );
    const stranger = new SimulatedDevice();
    expect(await refuse(url(), handWritten(stranger, { json: { deviceId: stranger.id.toUpperCase() } }))).toBe(
      `Device not found: ${stranger.id}`,
    );
  });
});
