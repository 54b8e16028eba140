import { pino } from 'pino';
import { MAX_KEPT } from '../../../shared/owner-api/limits.ts';
import type { KeptSpan, Retention as Rules } from '../../../shared/owner-api/retention.ts';
import type { RetentionPreview } from '../../../shared/owner-api/space.ts';
import type { StoreName } from '../../../shared/protocol/codes.ts';
import { Retention } from '../../care/retention/retention.ts';
import { EventBus } from '../../common/event-bus.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import { locationsIn } from '../../store/locations.ts';
import type { Store } from '../../store/port.ts';
import { StoresWithoutNode } from '../../store/stores-without-node.ts';
import { collect } from '../collect.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { findDevice } from '../find-device.ts';
import { pairs, size, table } from '../output.ts';
import { linkToNode, type NodeLink } from '../own-node.ts';
import { record } from '../record.ts';

interface RetentionFlags {
  readonly private?: string;
  readonly public?: string;
  readonly strangers?: string;
  readonly device?: readonly string[];
  readonly yes?: true;
}

/** `retention`: shows or changes how long readings are kept. */
export const addRetention: AddCommand = (program, act) => {
  program
    .command('retention')
    .description(
      'show or change how long readings are kept; shows what a change would delete, and needs --yes to do it',
    )
    .option('--private <span>', 'for the private store: "30d", "2w", "6mo", or a number of months; "ever" keeps all')
    .option('--public <span>', 'for the public store')
    .option('--strangers <span>', 'in the public store, for devices of others; "ever": the rule of the store')
    .option(
      '--device <device=span>',
      'for one device, by name or id, in both stores; "=none" removes its rule; may be repeated',
      collect,
    )
    .option('--yes', 'save the rules, and delete the readings')
    .action(
      act<[RetentionFlags]>(async (context, flags) => {
        const { output, dataDir } = context;
        const { yes, ...changes } = flags;
        const link = await linkToNode(dataDir);
        let rules: Rules;
        let preview: RetentionPreview;
        try {
          const before = await link.call('retention', {});
          rules = changed(before, changes, await deviceRules(link, changes.device ?? []));
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
        if (deleted !== null) await record(context, 'retention_set');
        output.answer({ rules, kept: yes === true || Object.keys(changes).length === 0, preview, deleted }, () => [
          ...ruleLines(rules),
          '',
          ...previewLines(preview),
          ...(yes
            ? ['', deleted === null ? 'The node is deleting them now.' : `${deleted} readings were deleted.`]
            : Object.keys(changes).length === 0
              ? []
              : ['', 'Nothing has changed yet: add --yes.']),
        ]);
        return undefined;
      }),
    );
};

/** Returns the ids and spans of `--device`. A name may contain an equals sign, a span does not. */
async function deviceRules(link: NodeLink, texts: readonly string[]): Promise<{ id: string; span: string }[]> {
  const rules: { id: string; span: string }[] = [];
  for (const text of texts) {
    const end = text.lastIndexOf('=');
    if (end < 1) throw new CommandError(`--device takes <device>=<span>, not ${text}`, EXIT.usage);
    const [device, span] = [text.slice(0, end), text.slice(end + 1).toLowerCase()];
    // A rule may be about a device that no longer exists.
    const isId = /^[0-9a-f]{64}$/i.test(device);
    rules.push({ id: isId ? device.toLowerCase() : (await findDevice(link, device)).id, span });
  }
  return rules;
}

function changed(
  rules: Rules,
  flags: Omit<RetentionFlags, 'yes' | 'device'>,
  ofDevices: readonly { readonly id: string; readonly span: string }[],
): Rules {
  const devices = new Map(rules.devices.map(({ id, kept }) => [id, kept]));
  for (const { id, span } of ofDevices) {
    if (span === 'none') devices.delete(id);
    else devices.set(id, spanIn(span, '--device'));
  }
  const next = (name: 'private' | 'public' | 'strangers') =>
    flags[name] === undefined ? rules[name] : spanIn(flags[name], `--${name}`);
  return {
    private: next('private'),
    public: next('public'),
    strangers: next('strangers'),
    devices: Array.from(devices, ([id, kept]) => ({ id, kept })),
  };
}

const UNITS: Readonly<Record<string, KeptSpan['unit']>> = { d: 'days', w: 'weeks', m: 'months' };

/** Reads a span: `30d`, `2 weeks`, `6mo`, or a bare number of months. Returns null for `ever`. Throws CommandError. */
function spanIn(text: string, flag: string): KeptSpan | null {
  if (text === 'ever') return null;
  const match = /^(\d{1,4}) ?(?:(d)(?:ays?)?|(w)(?:eeks?)?|(m)(?:o|onths?)?)?$/.exec(text);
  const unit = UNITS[match?.[2] ?? match?.[3] ?? match?.[4] ?? 'm']!;
  const count = Number(match?.[1]);
  if (match !== null && count >= 1 && count <= MAX_KEPT[unit]) return { count, unit };
  throw new CommandError(
    `${flag} takes days (1d to ${MAX_KEPT.days}d), weeks (2w), months (6mo, or 6) or "ever", not ${text}`,
    EXIT.usage,
  );
}

function ruleLines({ private: own, public: open, strangers, devices }: Rules): string[] {
  const words = (span: KeptSpan | null, none = 'for ever') =>
    span === null ? none : `${span.count} ${span.count === 1 ? span.unit.slice(0, -1) : span.unit}`;
  return pairs([
    ['private store', words(own)],
    ['public store', words(open)],
    ['devices of others', words(strangers, 'as the public store')],
    ...devices.map(({ id, kept }) => [id, words(kept)] as const),
  ]);
}

function previewLines({ stores }: RetentionPreview): string[] {
  const rows = stores.map(({ store, readings, bytes, devices }) => [store, devices.length, readings, size(bytes)]);
  return ['Older readings that this deletes:', ...table(['store', 'devices', 'readings', 'about'], rows)];
}

/**
 * Saves the rules of a folder on which no node runs, and deletes readings by them. Resolves with the number of deleted
 * readings.
 */
async function deleteNow({ dataDir, settings }: Context, rules: Rules): Promise<number> {
  const unlock = lockDataDir(dataDir);
  try {
    const log = pino({ level: 'silent' });
    const stores = new StoresWithoutNode(dataDir, settings.durability, log);
    try {
      const open = new Map<StoreName, Store>();
      for (const name of ['private', 'public'] as const) {
        if (await stores.exists(name)) open.set(name, await stores.open(name));
      }
      await open.get('private')!.setChoice('retention', rules, Date.now());
      const all = locationsIn(dataDir);
      const locations = { ...all, public: open.has('public') ? all.public : null };
      const store = (name: StoreName) => open.get(name) ?? null;
      return await new Retention({
        store,
        locations: () => locations,
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
