import { setTimeout as delay } from 'node:timers/promises';
import { deviceName } from '../../../shared/display-text.ts';
import type { OwnerReading } from '../../../shared/owner-api/readings.ts';
import type { FieldValue } from '../../../shared/owner-api/values.ts';
import { FIELD_NAMES } from '../../../shared/protocol/fields.ts';
import type { AddCommand } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { linkToNode, type NodeLink } from '../node-link.ts';
import { type Output, when } from '../output.ts';
import { readTime } from '../times.ts';

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

/** `readings`: of one device. */
export const addReadings: AddCommand = (program, act) => {
  program
    .command('readings')
    .argument('<id>', 'the id of a device, or as much of its beginning as tells it from others')
    .description('print readings, the oldest first; one line of JSON each where the output is no terminal')
    .option('--since <time>', 'from this time on: 2h (ago), 3d, 2026-05-01, 2026-05-01T12:00')
    .option('--until <time>', 'up to this time')
    .option('--limit <number>', `the newest so many (without --since and --until ${DEFAULT_LIMIT})`)
    .option('--follow', 'go on with those that arrive')
    .action(
      act<[string, ReadingsFlags]>(async ({ dataDir, output }, start, flags) => {
        const limit = flags.limit === undefined ? null : Number(flags.limit);
        if (limit !== null && !(Number.isInteger(limit) && limit >= 1))
          throw new CommandError('--limit takes a whole number', EXIT.usage);
        const link = await linkToNode(dataDir);
        try {
          const { id, clockNotSet } = await findDevice(link, start);
          const print = printer(output, clockNotSet);
          const seen = new Set<string>();
          const take = (readings: readonly OwnerReading[]) => {
            for (const reading of readings) if (!seen.has(reading.seq)) print(reading);
            for (const { seq } of readings) seen.add(seq);
          };
          if (flags.since === undefined && flags.until === undefined && (limit ?? DEFAULT_LIMIT) <= NEWEST) {
            const { readings } = await link.call('latestReadings', { id, limit: limit ?? DEFAULT_LIMIT });
            take([...readings].reverse());
          } else await pages(link, id, flags, limit, take);
          while (flags.follow) {
            await delay(FOLLOW_EVERY_MS);
            const { readings } = await link.call('latestReadings', { id, limit: NEWEST });
            take([...readings].reverse());
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

async function findDevice(link: NodeLink, start: string): Promise<{ id: string; clockNotSet: boolean }> {
  const { devices } = await link.call('overview', { dayStart: new Date().setHours(0, 0, 0, 0) });
  const found = devices.filter(({ id }) => id.startsWith(start.toLowerCase()));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new CommandError(
      `${start} is the beginning of ${found.length} ids: ${found.map(deviceName).join(', ')}`,
      EXIT.usage,
    );
  throw new CommandError(`no device has an id that begins with ${start}; "devices" lists them`, EXIT.usage);
}

function printer(output: Output, clockNotSet: boolean): (reading: OwnerReading) => void {
  return (reading) => {
    const { seq, timestamp, receivedAt, fields } = reading;
    const at = clockNotSet ? receivedAt : Number(timestamp);
    const values = FIELD_NAMES.flatMap((name) => (fields[name] === null ? [] : [`${name}=${valueText(fields[name])}`]));
    output.line(reading, `${when(at)}  #${seq}  ${values.join('  ')}`);
  };
}

function valueText(value: FieldValue): string {
  return typeof value === 'object' ? 'sealed' : String(value);
}
