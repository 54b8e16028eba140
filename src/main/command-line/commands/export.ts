import { resolve } from 'node:path';
import { Option } from 'commander';
import { CSV_DIALECTS, type CsvDialect } from '../../../shared/export/csv.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../../shared/owner-api/limits.ts';
import { MAX_UINT64 } from '../../../shared/protocol/uint64.ts';
import { CareError, careError } from '../../care/care-error.ts';
import { exportData } from '../../care/export/export-data.ts';
import { isWithin } from '../../care/within.ts';
import { PHOTOS_DIR, PhotoFolder } from '../../photos/photo-folder.ts';
import { collect } from '../collect.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { pickDevice } from '../find-device.ts';
import { table } from '../output.ts';
import { openFolder } from '../own-node.ts';
import { record } from '../record.ts';
import { readTime, refuseEmptyRange } from '../times.ts';
import { withSignal } from '../with-signal.ts';

interface ExportFlags {
  readonly format: ExportFormat;
  readonly csv: CsvDialect;
  readonly device?: readonly string[];
  readonly since?: string;
  readonly until?: string;
}

/** `export`: writes all data in open formats. Works while the node runs. */
export const addExport: AddCommand = (program, act) => {
  program
    .command('export')
    .argument('<folder>', 'an empty folder; it is created if it does not exist')
    .description(
      'export the data in an open format: one file for each device, a list of the devices, your log with its photos, tasks and crop cycles',
    )
    .addOption(
      new Option('--format <format>', 'format of the files (sqlite: copies of both stores)')
        .choices(EXPORT_FORMATS)
        .default('csv' satisfies ExportFormat),
    )
    .addOption(
      new Option('--csv <dialect>', 'semicolon: with decimal commas')
        .choices(CSV_DIALECTS)
        .default('comma' satisfies CsvDialect),
    )
    .option('--device <device>', 'only this device, by name or id; may be repeated', collect)
    .option('--since <time>', 'measured from this time on: 3d (ago), 2026-05-01')
    .option('--until <time>', 'measured up to this time')
    .action(
      act<[string, ExportFlags]>(async (context, folder, flags) => {
        const { output } = context;
        const result = await run(context, resolve(folder), flags);
        await record(context, 'export_started', { path: result.folder, format: flags.format });
        const others = result.files.filter(({ name }) => !name.startsWith(`${PHOTOS_DIR}/`));
        const photos = result.files.length - others.length;
        output.answer(result, () => [
          ...table(
            ['file', 'readings'],
            others.map(({ name, readings }) => [name, readings]),
          ),
          ...(photos === 0 ? [] : ['', `photos: ${photos}`]),
          '',
          `in ${result.folder}`,
        ]);
        return undefined;
      }),
    );
};

async function run({ dataDir, output }: Context, folder: string, flags: ExportFlags) {
  if (await isWithin(dataDir, folder)) {
    throw new CareError('no_folder', `${folder} is in the data folder: choose one outside of it`);
  }
  const now = Date.now();
  const { format } = flags;
  const isPart = flags.device !== undefined || flags.since !== undefined || flags.until !== undefined;
  if (format === 'sqlite' && isPart) throw new CommandError('sqlite copies whole stores', EXIT.usage);
  const order = {
    ...{ folder, format },
    dialect: flags.csv,
    from: flags.since === undefined ? 0n : BigInt(readTime(flags.since, now)),
    to: flags.until === undefined ? MAX_UINT64 : BigInt(readTime(flags.until, now)),
  };
  refuseEmptyRange(flags);
  const opened = await openFolder(dataDir);
  try {
    const known = await opened.reader.snapshot((stores) => stores.devices());
    const named = known.map(({ id, notes, entries }) => ({ id, notes, name: entries[0]?.device.name ?? '' }));
    const devices = flags.device?.map((each) => pickDevice(named, each).id) ?? null;
    const { locations } = opened;
    return await withSignal('stopped: complete files stay', (signal) =>
      exportData(
        { ...order, devices },
        {
          ...{ reader: opened.reader, locations, photos: new PhotoFolder(dataDir) },
          stopIfAsked: () => signal.throwIfAborted(),
          onProgress: (file, readings, total) => output.bar(file, readings, total),
        },
      ),
    );
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw careError(error, `the export to ${folder} failed`);
  } finally {
    await opened.close();
  }
}
