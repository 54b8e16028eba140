import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { MAX_MONTHS_KEPT } from '../../../shared/owner-api/limits.ts';
import type { Retention as Rules } from '../../../shared/owner-api/retention.ts';
import type { RetentionPreview } from '../../../shared/owner-api/space.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { STORE_FILES } from '../../care/node-files.ts';
import { Retention } from '../../care/retention/retention.ts';
import { EventBus } from '../../common/event-bus.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import type { Store } from '../../store/port.ts';
import { StoresWithoutNode } from '../../store/stores-without-node.ts';
import { collect } from '../collect.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { linkToNode } from '../node-link.ts';
import { pairs, size, table } from '../output.ts';

interface RetentionFlags {
  readonly private?: string;
  readonly public?: string;
  readonly strangers?: string;
  readonly device?: readonly string[];
  readonly yes?: true;
}

/** `retention`: how long readings are kept. */
export const addRetention: AddCommand = (program, act) => {
  program
    .command('retention')
    .description('say how long readings are kept, or change that: what it would delete is shown, and done with --yes')
    .option('--private <months>', 'of the private store; "ever" keeps all')
    .option('--public <months>', 'of the public store')
    .option(
      '--strangers <months>',
      'in the public store, of devices that are not the owner\'s; "ever": as the store\'s',
    )
    .option(
      '--device <id=months>',
      'of one device, in both stores; "id=none" removes its rule; may be repeated',
      collect,
    )
    .option('--yes', 'keep the rules, and delete what they say')
    .action(
      act<[RetentionFlags]>(async (context, flags) => {
        const { output, dataDir } = context;
        const { yes, ...changes } = flags;
        const link = await linkToNode(dataDir);
        let rules: Rules;
        let preview: RetentionPreview;
        try {
          rules = changed(await link.call('retention', {}), changes);
          preview = await link.call('previewRetention', rules);
          if (yes && link.how === 'beside') {
            throw new CommandError(
              `the node on ${dataDir} has no owner API: start it with --ui, or stop it`,
              EXIT.busy,
            );
          }
          if (yes && link.how === 'api') await link.order('setRetention', rules);
        } finally {
          await link.close();
        }
        const deleted = yes && link.how === 'folder' ? await deleteNow(context, rules) : null;
        output.answer({ rules, kept: yes === true || Object.keys(changes).length === 0, preview, deleted }, () => [
          ...ruleLines(rules),
          '',
          ...previewLines(preview),
          ...(yes
            ? ['', deleted === null ? 'The node deletes that now.' : `${deleted} readings were deleted.`]
            : Object.keys(changes).length === 0
              ? []
              : ['', 'Nothing is changed yet: add --yes.']),
        ]);
        return undefined;
      }),
    );
};

function changed(rules: Rules, flags: Omit<RetentionFlags, 'yes'>): Rules {
  const devices = new Map(rules.devices.map(({ id, months }) => [id, months]));
  for (const text of flags.device ?? []) {
    const [id = '', months = ''] = text.toLowerCase().split('=');
    if (!/^[0-9a-f]{64}$/.test(id)) throw new CommandError(`--device takes <id>=<months>, not ${text}`, EXIT.usage);
    if (months === 'none') devices.delete(id);
    else devices.set(id, monthsIn(months, '--device'));
  }
  const next = (name: 'private' | 'public' | 'strangers') =>
    flags[name] === undefined ? rules[name] : monthsIn(flags[name], `--${name}`);
  return {
    private: next('private'),
    public: next('public'),
    strangers: next('strangers'),
    devices: Array.from(devices, ([id, months]) => ({ id, months })),
  };
}

function monthsIn(text: string, flag: string): number | null {
  if (text === 'ever') return null;
  const months = Number(text);
  if (Number.isInteger(months) && months >= 1 && months <= MAX_MONTHS_KEPT) return months;
  throw new CommandError(`${flag} takes months from 1 to ${MAX_MONTHS_KEPT}, or "ever", not ${text}`, EXIT.usage);
}

function ruleLines({ private: own, public: open, strangers, devices }: Rules): string[] {
  const words = (months: number | null, none = 'for ever') =>
    months === null ? none : months === 1 ? '1 month' : `${months} months`;
  return pairs([
    ['private store', words(own)],
    ['public store', words(open)],
    ['devices of others', words(strangers, 'as the public store')],
    ...devices.map(({ id, months }) => [id, words(months)] as const),
  ]);
}

function previewLines({ stores }: RetentionPreview): string[] {
  const rows = stores.map(({ store, readings, bytes, devices }) => [store, devices.length, readings, size(bytes)]);
  return ['Older than that now:', ...table(['store', 'devices', 'readings', 'about'], rows)];
}

/** Keeps the rules of a folder on which no node runs, and deletes what they say. */
async function deleteNow({ dataDir, settings }: Context, rules: Rules): Promise<number> {
  const pathOf = (name: StoreName) => join(dataDir, STORE_FILES[name]);
  const unlock = lockDataDir(dataDir);
  try {
    const log = pino({ level: 'silent' });
    const stores = new StoresWithoutNode(pathOf, settings.durability, log);
    try {
      const open = new Map<StoreName, Store>();
      for (const name of ['private', 'public'] as const) {
        if (existsSync(pathOf(name))) open.set(name, await stores.open(name));
      }
      await open.get('private')!.setChoice('retention', rules, Date.now());
      const paths = { private: pathOf('private'), public: open.has('public') ? pathOf('public') : null };
      const store = (name: StoreName) => open.get(name) ?? null;
      return await new Retention({
        store,
        paths: () => paths,
        clock: { now: () => Date.now(), isSteady: true },
        events: new EventBus(log),
        log,
      }).runNow();
    } finally {
      await stores.close();
    }
  } finally {
    unlock();
  }
}
