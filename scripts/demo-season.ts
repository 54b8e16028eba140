import { publicKeyOf } from '../src/shared/crypto/ed25519.ts';
import { DEMO_TANK } from '../src/shared/demo-keys.ts';
import type { Input, MethodName, Output } from '../src/shared/owner-api/contract.ts';
import { addDays, type Day, dayOf, startOfDay } from '../src/shared/owner-data/days.ts';
import type { LogAct } from '../src/shared/owner-data/journal.ts';
import { NO_NOTES } from '../src/shared/owner-data/notes.ts';
import { SimulatedDevice } from '../src/simulator/device.ts';
import type { DemoDevice, HistorySpan } from './demo-history.ts';
import { plantPhoto } from './demo-photos.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SEASON_DAYS = 90;

/** The length and the interval of the season's readings. */
export const SEASON: HistorySpan = { days: SEASON_DAYS, everyMs: 10 * MINUTE_MS };
const EIGHT_O_CLOCK_MS = 8 * HOUR_MS;

type Call = <M extends MethodName>(method: M, input: Input<M>) => Promise<Output<M>>;

const PHOTO_EVERY_DAYS = 6;
const GROWN_AT_DAY = 62;

/**
 * The two places, their different treatment, and the values that their pH sensors sent for a buffer of 7 on days 5, 35
 * and 65. Their seeds give the first place the higher EC and pH.
 */
const PLACES = [
  {
    name: 'Greenhouse',
    seed: 59,
    plants: 24,
    areaM2: 6,
    acidMl: 6,
    doseEvery: 7,
    doseMl: 45,
    kgAWeek: 3.1,
    vigour: 1,
    shownPh7: [7.02, 6.98, 7.01],
    note: 'Firm, sweet',
  },
  // Dosed seldom, and its pH corrected late and by much, so its harvest is smaller.
  {
    name: 'Terrace',
    seed: 19,
    plants: 20,
    areaM2: 5,
    acidMl: 15,
    doseEvery: 14,
    doseMl: 60,
    kgAWeek: 1.7,
    vigour: 0.3,
    // Its sensor drifts too far, and the first page says so.
    shownPh7: [7.05, 7.18, 7.36],
    note: 'Small, some split',
  },
] as const;

const ph = (low: number, high: number) => ({ field: 'ph', low, high }) as const;
const ec = (low: number, high: number) => ({ field: 'ec', low, high }) as const;

/** Returns the devices at the two places. */
export function seasonDevices(ownerSeed: Uint8Array): DemoDevice[] {
  const ownerPubkey = Buffer.from(publicKeyOf(ownerSeed)).toString('hex');
  return PLACES.map(({ name, seed }) => ({
    device: new SimulatedDevice({ name, ownerPubkey, seed: new Uint8Array(32).fill(seed) }),
    ...{ encrypt: [], lastAt: Date.now(), bootedAt: null, stores: ['private'] as const },
  }));
}

/**
 * Writes a season into a running node through its owner API: two places with tomatoes, planted 90 days ago, with three
 * stages, a log, harvests and tasks. `link` is the link of the owner's view.
 */
export async function writeSeason(link: URL, devices: readonly DemoDevice[]): Promise<void> {
  const call: Call = async (method, input) => {
    const reply = await fetch(`${link.origin}/ui/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${link.hash.replace('#token=', '')}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const answer = (await reply.json()) as { ok: boolean; value: never; error?: string; details?: string };
    if (!answer.ok) throw new Error(`${method}: ${answer.error} ${answer.details ?? ''}`);
    return answer.value;
  };
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const today = dayOf(Date.now(), zone);
  const planted = addDays(today, -SEASON_DAYS);
  for (const [index, place] of PLACES.entries()) {
    const device = devices[index]!.device.id;
    const cycle = await call('writeCycle', {
      ...{ id: null, crop: 'Tomato', variety: index === 0 ? 'Sakura' : 'Moneymaker' },
      ...{ place: { kind: 'device', device }, zone, plantedAt: planted, endedAt: null },
      ...{ plants: place.plants, areaM2: place.areaM2 },
      stages: [
        { name: 'Seedling', from: planted, ranges: [ph(5.5, 6.5), ec(700, 1400)] },
        { name: 'Vegetative', from: addDays(planted, 21), ranges: [ph(5.5, 6.5), ec(900, 1500)] },
        { name: 'Fruiting', from: addDays(planted, 50), ranges: [ph(5.8, 6.3), ec(1050, 1900)] },
      ],
    });
    await call('setNotes', { id: device, notes: { ...NO_NOTES, units: { waterLevel: { tank: DEMO_TANK } } } });
    const log = (day: Day, act: LogAct, text = '') =>
      call('writeJournalEntry', { id: null, device, at: startOfDay(day, zone) + EIGHT_O_CLOCK_MS, text, act });
    for (let count = 1; count < SEASON_DAYS; count += 1) {
      const day = addDays(planted, count);
      if (count % 3 === 0) await log(day, { kind: 'toppedUp', amount: { value: 12 + index * 3, unit: 'l' } });
      if (count % 4 === 2)
        await log(day, {
          kind: 'phCorrected',
          product: 'Phosphoric acid',
          amount: { value: place.acidMl, unit: 'ml' },
        });
      if (count % place.doseEvery === 1) {
        for (const product of ['Part A', 'Part B'])
          await log(day, { kind: 'dosed', product, amount: { value: place.doseMl, unit: 'ml' } });
      }
      if (count % 14 === 13) await log(day, { kind: 'solutionChanged', amount: { value: 80, unit: 'l' } });
      const shown = place.shownPh7[(count - 5) / 30];
      if (shown !== undefined) await log(day, { kind: 'calibrated', field: 'ph', points: [{ reference: 7, shown }] });
      if (count % PHOTO_EVERY_DAYS === 0) {
        // The number that ripens in a week.
        const fruits = count < GROWN_AT_DAY - 6 ? 0 : Math.round(place.kgAWeek * 3);
        const drawn = plantPhoto({ day: count, grownAt: GROWN_AT_DAY, vigour: place.vigour, fruits });
        const added = await call('addPhoto', drawn);
        if (added.problem === null) await log(day, { kind: 'observed', photos: [added.photo] });
      }
      if (count === 35) await log(day, { kind: 'pruned' }, 'Side shoots');
      if (count >= 62 && count % 7 === 6)
        await log(
          day,
          { kind: 'harvested', amount: { value: place.kgAWeek, unit: 'kg' }, cycle: cycle.id },
          place.note,
        );
    }
    const task = (title: string, everyDays: number | null, inDays: number, act?: LogAct) =>
      call('writeTask', { id: null, device, title, everyDays, due: addDays(today, inDays), ...(act && { act }) });
    await task('', 14, index === 0 ? 0 : -3, { kind: 'solutionChanged', amount: { value: 80, unit: 'l' } });
    await task('Calibrate the pH sensor', 30, index === 0 ? 5 : 0);
  }
  await call('writeTask', { id: null, device: null, title: 'Order seeds', everyDays: null, due: addDays(today, 10) });
}
