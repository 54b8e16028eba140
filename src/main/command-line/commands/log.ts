import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Option } from 'commander';
import { pino } from 'pino';
import type { z } from 'zod';
import { farmosLogs } from '../../../shared/export/farmos.ts';
import { JOURNAL_METHODS } from '../../../shared/owner-api/journal.ts';
import type { PhotoProblem } from '../../../shared/owner-api/photos.ts';
import type { JournalEntry, Photo } from '../../../shared/owner-data/journal.ts';
import { isTooFarAhead, TOO_FAR_AHEAD } from '../../../shared/owner-data/limits.ts';
import { LOG_KIND_NAMES, LOG_UNITS, type LogKindName, logKind } from '../../../shared/owner-data/log-kinds.ts';
import { logTotals } from '../../../shared/owner-data/log-totals.ts';
import { readJpeg } from '../../../shared/photos/jpeg.ts';
import { MAX_PHOTO_BYTES, MAX_PHOTO_SIDE, PHOTO_BOUNDS, photoFile } from '../../../shared/photos/photo-limits.ts';
import { FIELD_NAMES, type FieldName } from '../../../shared/protocol/fields.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import { PhotoFolder } from '../../photos/photo-folder.ts';
import { StoresWithoutNode } from '../../store/stores-without-node.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { namesOfDevices, pickDevice } from '../find-device.ts';
import { table, when } from '../output.ts';
import { linkToNode } from '../own-node.ts';
import { readTime, refuseEmptyRange } from '../times.ts';
import { actOf, kindIn } from '../typed-act.ts';
import { importLog } from './log-import.ts';

interface LogFlags {
  readonly device?: string;
  readonly since?: string;
  readonly until?: string;
  readonly farmos?: true;
  readonly product?: string;
  readonly amount?: string;
  readonly text?: string;
  readonly at?: string;
  readonly sensor?: FieldName;
  readonly reference?: string[];
  readonly shown?: string[];
  readonly photo?: string[];
}

type Kind = LogKindName | 'note';
type Checked = z.output<typeof JOURNAL_METHODS.writeJournalEntry.input>;

const KINDS = [...LOG_KIND_NAMES, 'note'] as const;
const OF_LIST = ['since', 'until', 'farmos'] as const;
const OF_ADD = ['product', 'amount', 'text', 'at', 'sensor', 'reference', 'shown', 'photo'] as const;

/** `log`: lists and adds log entries about the places. */
export const addLog: AddCommand = (program, act) => {
  program
    .command('log')
    .addArgument(
      new Argument('<action>', 'list the entries, oldest first, add one, or import an export').choices([
        'list',
        'add',
        'import',
      ]),
    )
    .argument('[kind]', `${KINDS.join(', ')}; import: the folder of an export`)
    .description('list what was done at your places, or add to it: log add toppedUp --device Roof --amount 20l')
    .option('--device <device>', 'list: of this device, and those of all devices; add: the device that it is of')
    .option('--since <time>', 'list: from this time on: 2h (ago), 3d, 2026-05-01, 2026-05-01T12:00')
    .option('--until <time>', 'list: up to this time')
    .option('--farmos', 'list: as JSON by the log model of farmOS')
    .option('--product <name>', 'add: what was used')
    .option('--amount <amount>', `add: how much, with its unit (${LOG_UNITS.join(', ')}): 15ml, 1.2kg, 12pieces`)
    .option('--text <text>', 'add: whatever else there is to say')
    .addOption(
      new Option('--sensor <field>', 'add calibrated: the sensor that was held in the references').choices(FIELD_NAMES),
    )
    .option(
      '--reference <value...>',
      'add calibrated: the true value of one reference or two, in the unit that the device sends',
    )
    .option('--shown <value...>', 'add calibrated: what the device sent for each, not corrected')
    .option(
      '--photo <file...>',
      `add: JPEG files without EXIF, at most ${MAX_PHOTO_SIDE} pixels and ${MAX_PHOTO_BYTES / 1000} kB large; the page makes any photo fit`,
    )
    .option('--at <time>', 'add: when it happened, if not now: 2h (ago), 2026-05-01T12:00')
    .action(
      act<[string, string | undefined, LogFlags]>(async (context, action, typed, flags) => {
        if (action === 'import') {
          const alien = [...OF_LIST, ...OF_ADD, 'device' as const].find((name) => flags[name] !== undefined);
          if (alien !== undefined) throw new CommandError(`--${alien} is not for "log import"`, EXIT.usage);
          if (typed === undefined) throw new CommandError('no folder of an export is named', EXIT.usage);
          const done = await importLog(context, resolve(typed));
          const { entries, cycles, photos, known } = done;
          context.output.answer(done, () => [
            `Imported: ${entries} entries, ${photos} photos, ${cycles} crop cycles; ${known} were here.`,
          ]);
          return undefined;
        }
        const isAdding = action === 'add';
        const alien = (isAdding ? OF_LIST : OF_ADD).find((name) => flags[name] !== undefined);
        if (alien !== undefined) throw new CommandError(`--${alien} is not for "log ${action}"`, EXIT.usage);
        const kind = typed === undefined ? null : kindIn(typed, KINDS);
        if (!isAdding) await list(context, kind, flags);
        else if (kind !== null) await add(context, kind, flags);
        else throw new CommandError('no kind is named', EXIT.usage, `there are ${KINDS.join(', ')}`);
        return undefined;
      }),
    );
};

async function list({ dataDir, output }: Context, kind: Kind | null, flags: LogFlags): Promise<void> {
  refuseEmptyRange(flags);
  const time = (text: string | undefined) => (text === undefined ? null : readTime(text, Date.now()));
  const range = { from: time(flags.since), to: time(flags.until) };
  const link = await linkToNode(dataDir);
  try {
    const devices = await namesOfDevices(link);
    const device = flags.device === undefined ? null : pickDevice(devices.list, flags.device).id;
    const { entries: all, isCut } = await link.call('journal', { device, ...range });
    const entries = all.filter((entry) => kind === null || (entry.act?.kind ?? 'note') === kind);
    if (isCut) output.note('wellhouse: older entries are left out: name a range with --since and --until');
    if (flags.farmos) {
      const logs = farmosLogs(entries, devices.nameOf);
      output.answer(logs, () => JSON.stringify(logs, null, 2).split('\n'));
    } else if (output.isJson) for (const entry of entries) output.line(entry, '');
    else output.answer(entries, () => [...lines(entries, devices.nameOf), ...totalLines(entries)]);
  } finally {
    await link.close();
  }
}

async function add(context: Context, kind: Kind, flags: LogFlags): Promise<void> {
  const now = Date.now();
  const { product, amount } = flags;
  if (kind !== 'note' && logKind(kind).isAutomatic)
    throw new CommandError(`${kind} is written by the node, when a stage begins`, EXIT.usage);
  const photos = (flags.photo ?? []).map(readPhoto);
  if (kind !== 'calibrated' && [flags.sensor, flags.reference, flags.shown].some((flag) => flag !== undefined))
    throw new CommandError('--sensor, --reference and --shown are for "log add calibrated"', EXIT.usage);
  if (kind === 'note' && (product !== undefined || amount !== undefined || photos.length > 0))
    throw new CommandError('a note has only a text: name another kind', EXIT.usage, `there are ${KINDS.join(', ')}`);
  const link = await linkToNode(context.dataDir);
  let devices: Awaited<ReturnType<typeof namesOfDevices>>;
  let input: Checked;
  let entry: JournalEntry | null = null;
  try {
    devices = await namesOfDevices(link);
    const parsed = JOURNAL_METHODS.writeJournalEntry.input.safeParse({
      id: null,
      device: flags.device === undefined ? null : pickDevice(devices.list, flags.device).id,
      at: flags.at === undefined ? now : readTime(flags.at, now),
      text: flags.text ?? '',
      ...(kind === 'note'
        ? {}
        : {
            act: {
              ...{ ...actOf(kind, product, amount), ...calibrationIn(kind, flags) },
              ...(photos.length > 0 ? { photos: photos.map(({ photo }) => photo) } : {}),
            },
          }),
    });
    if (!parsed.success) throw new CommandError(parsed.error.issues[0]!.message, EXIT.usage);
    input = parsed.data;
    if (isTooFarAhead(input.at, now)) throw new CommandError(TOO_FAR_AHEAD, EXIT.usage);
    if (link.how === 'beside')
      throw new CommandError(`the node on ${context.dataDir} has no owner API: start it with --ui`, EXIT.busy);
    if (link.how === 'api') {
      for (const { path, bytes } of photos) {
        const image = Buffer.from(bytes).toString('base64');
        refusePhoto(path, (await link.order('addPhoto', { image, preview: null })).problem);
      }
      entry = await link.order('writeJournalEntry', input);
    }
  } finally {
    await link.close();
  }
  const added = entry ?? (await writeAlone(context, input, photos));
  context.output.answer(added, () => ['Added:', ...lines([added], devices.nameOf)]);
}

/** Writes to a folder on which no node runs. */
async function writeAlone(
  { dataDir, settings }: Context,
  input: Checked,
  photos: readonly ReadPhoto[],
): Promise<JournalEntry> {
  const unlock = lockDataDir(dataDir);
  try {
    const stores = new StoresWithoutNode(dataDir, settings.durability, pino({ level: 'silent' }));
    const folder = new PhotoFolder(dataDir);
    try {
      for (const { path, bytes } of photos)
        refusePhoto(path, (await folder.add(bytes, null, settings.photosMaxBytes)).problem);
      const entry = { ...input, updatedAt: Date.now() };
      const id = await (await stores.open('private')).writeEntry(entry);
      await folder.adopt(photos.map(({ photo }) => photo.id));
      return { ...entry, id: id! };
    } finally {
      await stores.close();
    }
  } finally {
    unlock();
  }
}

/** A photo that was read from a file. */
interface ReadPhoto {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly photo: Photo;
}

const PHOTO_REFUSALS: Readonly<Record<PhotoProblem, string>> = {
  notJpeg: 'is no JPEG',
  tooManyBytes: `has more than ${MAX_PHOTO_BYTES / 1000} kB`,
  tooLarge: `has more than ${MAX_PHOTO_SIDE} pixels on a side`,
  metadata: 'has EXIF or other data beside the picture, such as the place where it was taken',
  damaged: 'is damaged, or no plain JPEG',
  full: 'does not fit: the photos of the log have reached PHOTOS_MAX_BYTES',
};

function refusePhoto(path: string, problem: PhotoProblem | null): void {
  if (problem === null) return;
  const help = problem === 'full' ? 'delete entries with photos' : 'add it on the page, which makes any photo fit';
  throw new CommandError(`${path} ${PHOTO_REFUSALS[problem]}`, EXIT.usage, help);
}

function readPhoto(path: string): ReadPhoto {
  let bytes: Uint8Array;
  try {
    // Larger files are refused, so they need not be read.
    if (statSync(path).size > MAX_PHOTO_BYTES) refusePhoto(path, 'tooManyBytes');
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${path} can’t be read (${(error as NodeJS.ErrnoException).code})`, EXIT.usage);
  }
  const size = readJpeg(bytes, PHOTO_BOUNDS);
  if ('fault' in size) {
    refusePhoto(path, size.fault);
    throw new Error('unreachable');
  }
  const id = createHash('sha256').update(bytes).digest('hex');
  return { path, bytes, photo: { id, ...size, bytes: bytes.length } };
}

/** Returns the sensor and the points of a calibration. */
function calibrationIn(kind: LogKindName, { sensor, reference = [], shown = [] }: LogFlags) {
  if (kind !== 'calibrated') return {};
  if (reference.length !== shown.length || reference.length === 0)
    throw new CommandError('a calibration needs a --shown value for each --reference value', EXIT.usage);
  const points = reference.map((text, index) => ({ reference: numberIn(text), shown: numberIn(shown[index]!) }));
  return sensor === undefined ? { points } : { field: sensor, points };
}

function numberIn(text: string): number {
  const value = /^-?\d+(?:[.,]\d+)?$/.test(text.trim()) ? Number(text.trim().replace(',', '.')) : Number.NaN;
  if (Number.isNaN(value)) throw new CommandError(`--reference and --shown take numbers, not ${text}`, EXIT.usage);
  return value;
}

function lines(entries: readonly JournalEntry[], nameOf: (device: string) => string): string[] {
  return table(
    ['when', 'device', 'what', 'product', 'amount', 'sensor', 'reference: shown', 'text', 'by', 'photos'],
    entries.map(({ at, device, act, text, by }) => [
      when(at),
      device === null ? 'all devices' : nameOf(device),
      act?.kind ?? 'note',
      act?.product ?? null,
      act?.amount === undefined ? null : `${act.amount.value} ${act.amount.unit}`,
      act?.field ?? null,
      act?.points?.map(({ reference, shown }) => `${reference}: ${shown}`).join(', ') ?? null,
      text.replaceAll('\n', ' '),
      by ?? null,
      act?.photos?.map(photoFile).join(' ') ?? null,
    ]),
  );
}

function totalLines(entries: readonly JournalEntry[]): string[] {
  const totals = logTotals(entries);
  if (totals.length === 0) return [];
  return [
    '',
    'In total:',
    ...table(
      ['what', 'product', 'amount'],
      totals.map(({ kind, product, value, unit }) => [kind, product ?? null, `${value} ${unit}`]),
    ),
  ];
}
