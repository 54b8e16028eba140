import { renderReading } from '../../src/main/http/reading-json.ts';
import { HOUR_MS } from '../../src/main/store/counts.ts';
import { openStoresReader } from '../../src/main/store/engines.ts';
import { fileLocation } from '../../src/main/store/locations.ts';
import { prepareStore } from '../../src/main/store/sqlite/file/database.ts';
import { DirectWriter } from '../../src/main/store/sqlite/write/direct-writer.ts';
import { deviceRegistration } from '../../src/shared/protocol/device.ts';
import { SENSOR_FIELDS } from '../../src/shared/protocol/fields.ts';
import { SimulatedDevice } from '../../src/simulator/device.ts';
import { newReading } from '../support/readings.ts';

/**
 * Run by new-field.test.ts in a copy of the sources that has one more field: opens each private store that is named, lets
 * it take readings with a value of every field, and prints how it gives them back.
 */

const START = 500_000 * HOUR_MS;
const READINGS = 3;

async function takeReadings(path: string) {
  prepareStore(path, 'private');
  const writer = new DirectWriter(path);
  const device = new SimulatedDevice({ seed: Buffer.alloc(32, 9) });
  writer.register(deviceRegistration.parse(device.registration({ publishTo: 0 })), START);
  const readings = Array.from({ length: READINGS }, (_, index) => {
    const timestamp = BigInt(START + index * HOUR_MS);
    const fields = SENSOR_FIELDS.map((_field, place) => index * 10 + place);
    return newReading(device.id, { seq: BigInt(index), timestamp, receivedAt: START, fields });
  });
  writer.append(readings);
  writer.sumUp();
  const reader = await openStoresReader({ private: fileLocation(path), public: null });
  const span = { axis: 'timestamp', from: BigInt(START), to: BigInt(START + READINGS * HOUR_MS - 1) } as const;
  const answers = await reader.snapshot(async (stores) => ({
    latest: (await stores.latest(device.id, 'timestamp', READINGS)).map((reading) => renderReading(reading).json),
    sums: await stores.sums(device.id, span, HOUR_MS),
  }));
  await reader.close();
  writer.close();
  return answers;
}

process.stdout.write(JSON.stringify(await Promise.all(process.argv.slice(2).map(takeReadings))));
