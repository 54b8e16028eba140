import { setTimeout as delay } from 'node:timers/promises';
import { type Correction, correct, correctionAt } from '../../../shared/measures/correction.ts';
import type { OwnerReading } from '../../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../../shared/owner-api/values.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { Arrivals } from '../arrivals.ts';
import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { findDevice } from '../find-device.ts';
import { type Output, when } from '../output.ts';
import { linkToNode, type NodeLink, reconnect } from '../own-node.ts';
import { readTime, refuseEmptyRange } from '../times.ts';

interface ReadingsFlags {
  readonly since?: string;
  readonly until?: string;
  readonly limit?: string;
  readonly follow?: true;
}

const PAGE = 2000;
const NEWEST = 500;
const DEFAULT_LIMIT = 50;
const FOLLOW_EVERY_MS = 2000;

/** `readings`: prints the readings of one device. */
export const addReadings: AddCommand = (program, act) => {
  program
    .command('readings')
    .argument('<device>', 'the name of a device, its id, or the start of its id if no other id starts like that')
    .description('print readings, oldest first; one line of JSON each if the output is not a terminal')
    .option('--since <time>', 'from this time on: 2h (ago), 3d, 2026-05-01, 2026-05-01T12:00')
    .option('--until <time>', 'up to this time')
    .option('--limit <number>', `at most this many, the newest (${DEFAULT_LIMIT} without --since and --until)`)
    .option('--follow', 'keep running, and print new readings as they arrive')
    .action(
      act<[string, ReadingsFlags]>(async ({ dataDir, output }, device, flags) => {
        const limit = flags.limit === undefined ? null : Number(flags.limit);
        if (limit !== null && !(Number.isInteger(limit) && limit >= 1))
          throw new CommandError('--limit takes a whole number of at least 1', EXIT.usage);
        if (flags.follow && flags.until !== undefined)
          throw new CommandError('--follow goes on without an end: leave out --until', EXIT.usage);
        refuseEmptyRange(flags);
        let link = await linkToNode(dataDir);
        try {
          const { id, clockNotSet, corrections } = await findDevice(link, device);
          const since = flags.since === undefined ? null : readTime(flags.since, Date.now());
          const timeOf = ({ receivedAt, timestamp }: OwnerReading) => (clockNotSet ? receivedAt : Number(timestamp));
          const print = printer(output, timeOf, corrections);
          // Each call uses the present link, since the node may have been started again.
          const arrivals = new Arrivals((cursor) =>
            link.call('readingsPage', { id, from: null, to: null, cursor, order: 'descending', limit: NEWEST }),
          );
          const take = (readings: readonly OwnerReading[]) => {
            for (const reading of readings) print(reading);
          };
          // These readings are printed now, or left out by the limit.
          const before = await arrivals.begin();
          const isShort = since === null && flags.until === undefined && (limit ?? DEFAULT_LIMIT) <= NEWEST;
          if (isShort) take(before.slice(-(limit ?? DEFAULT_LIMIT)));
          else
            await pages(link, id, flags, limit, (readings) => {
              take(readings);
              arrivals.add(readings);
            });
          while (flags.follow) {
            await delay(FOLLOW_EVERY_MS);
            try {
              take((await arrivals.next()).filter((reading) => since === null || timeOf(reading) >= since));
            } catch (error) {
              // The node is being restarted, at the same or another address.
              if (!(error instanceof CommandError) || link.how !== 'api') throw error;
              link = reconnect(dataDir) ?? link;
            }
          }
        } finally {
          await link.close();
        }
        return undefined;
      }),
    );
};

async function pages(
  link: NodeLink,
  id: string,
  flags: ReadingsFlags,
  limit: number | null,
  take: (readings: readonly OwnerReading[]) => void,
): Promise<void> {
  const now = Date.now();
  const range = {
    from: flags.since === undefined ? null : readTime(flags.since, now),
    to: flags.until === undefined ? null : readTime(flags.until, now),
  };
  if (limit !== null) {
    const newest: OwnerReading[] = [];
    await eachPage(link, { id, ...range, order: 'descending' }, (readings) => {
      newest.push(...readings.slice(0, limit - newest.length));
      return newest.length < limit;
    });
    take(newest.reverse());
    return;
  }
  await eachPage(link, { id, ...range, order: 'ascending' }, (readings) => {
    take(readings);
    return true;
  });
}

async function eachPage(
  link: NodeLink,
  range: { id: string; from: number | null; to: number | null; order: 'ascending' | 'descending' },
  onPage: (readings: readonly OwnerReading[]) => boolean,
): Promise<void> {
  let cursor: string | null = null;
  do {
    const page: { readings: OwnerReading[]; next: string | null } = await link.call('readingsPage', {
      ...range,
      cursor,
      limit: PAGE,
    });
    if (!onPage(page.readings)) return;
    cursor = page.next;
  } while (cursor !== null);
}

/** Returns a function that prints readings as they were sent, with the values that calibrations correct. */
function printer(
  output: Output,
  timeOf: (reading: OwnerReading) => number,
  corrections: readonly Correction[],
): (reading: OwnerReading) => void {
  return (reading) => {
    const { seq, fields } = reading;
    const corrected: Partial<Record<FieldName, number>> = {};
    const values = FIELD_NAMES.flatMap((name) => {
      const value = fields[name];
      if (value === null) return [];
      const correction = typeof value === 'number' ? correctionAt(corrections, name, timeOf(reading)) : null;
      if (correction === null || typeof value !== 'number') return [`${name}=${valueText(value)}`];
      corrected[name] = correct(correction, value);
      return [`${name}=${corrected[name]} (sent: ${valueText(value)})`];
    });
    const isCorrected = Object.keys(corrected).length > 0;
    output.line(
      isCorrected ? { ...reading, corrected } : reading,
      `${when(timeOf(reading))}  #${seq}  ${values.join('  ')}`,
    );
  };
}

function valueText(value: FieldValue): string {
  return typeof value === 'object' ? 'sealed' : String(value);
}
