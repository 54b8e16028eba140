import { Argument } from 'commander';
import { pino } from 'pino';
import { TASK_METHODS } from '../../../shared/owner-api/tasks.ts';
import { addDays, dayOf } from '../../../shared/owner-data/days.ts';
import { LOG_UNITS, OWN_KIND_NAMES } from '../../../shared/owner-data/log-kinds.ts';
import { byDue, taskState } from '../../../shared/owner-data/task-states.ts';
import type { Task } from '../../../shared/owner-data/tasks.ts';
import { OwnerError } from '../../common/owner-error.ts';
import { lockDataDir } from '../../data-folder/node-lock.ts';
import { TaskList } from '../../owner/api/task-list.ts';
import { LOCAL_OWNER } from '../../owner/caller.ts';
import { StoresWithoutNode } from '../../store/stores-without-node.ts';
import type { AddCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { namesOfDevices, pickDevice } from '../find-device.ts';
import { table } from '../output.ts';
import { linkToNode, type NodeLink } from '../own-node.ts';
import { readTime } from '../times.ts';
import { actOf, kindIn } from '../typed-act.ts';

interface TaskFlags {
  readonly device?: string;
  readonly every?: string;
  readonly due?: string;
  readonly kind?: string;
  readonly product?: string;
  readonly amount?: string;
  readonly at?: string;
  readonly to?: string;
}

const ACTIONS = ['list', 'add', 'done', 'snooze', 'skip', 'move', 'delete'] as const;
type Action = (typeof ACTIONS)[number];
/** The options of each action. */
const FLAGS: Readonly<Record<Action, readonly (keyof TaskFlags)[]>> = {
  list: ['device'],
  add: ['device', 'every', 'due', 'kind', 'product', 'amount'],
  done: ['at'],
  snooze: ['to'],
  skip: [],
  move: ['to'],
  delete: [],
};

type Changes = Pick<TaskList, 'write' | 'complete' | 'postpone' | 'delete'>;
type Devices = Awaited<ReturnType<typeof namesOfDevices>>;

/** `tasks`: lists, adds and completes tasks at the places. */
export const addTasks: AddCommand = (program, act) => {
  program
    .command('tasks')
    .addArgument(new Argument('<action>', ACTIONS.join(', ')).choices([...ACTIONS]))
    .argument('[task]', 'add: its title; else the task, by its title or the beginning of its id')
    .description('list what is to be done, and change it: tasks add "Change solution" --device Roof --every 14')
    .option('--device <device>', 'list: of this device, and those of all; add: the device that it is of')
    .option('--every <days>', 'add: due again so many days after it was done; without it, once')
    .option('--due <day>', 'add: when it is due first, if not today: 2026-05-01')
    .option('--kind <kind>', `add: what doing it logs: ${OWN_KIND_NAMES.join(', ')}; without it, a note`)
    .option('--product <name>', 'add: what is used')
    .option('--amount <amount>', `add: how much, with its unit (${LOG_UNITS.join(', ')}): 15ml`)
    .option('--at <time>', 'done: when it was done, if not now: 2h (ago), 2026-05-01T12:00')
    .option('--to <day>', 'snooze: until when it is not shown as due; move: when it is due: 2026-05-01')
    .action(
      act<[Action, string | undefined, TaskFlags]>(async (context, action, typed, flags) => {
        const alien = (Object.keys(flags) as (keyof TaskFlags)[]).find((name) => !FLAGS[action].includes(name));
        if (alien !== undefined) throw new CommandError(`--${alien} is not for "tasks ${action}"`, EXIT.usage);
        if (action === 'list') await list(context, flags);
        else await change(context, action, typed, flags);
        return undefined;
      }),
    );
};

async function list({ dataDir, output }: Context, flags: TaskFlags): Promise<void> {
  const link = await linkToNode(dataDir);
  try {
    const devices = await namesOfDevices(link);
    const device = flags.device === undefined ? null : pickDevice(devices.list, flags.device).id;
    const { tasks } = await link.call('tasks', {});
    const shown = tasks.filter((task) => device === null || task.device === null || task.device === device);
    const sorted = shown.toSorted(byDue);
    output.answer(sorted, () => lines(sorted, devices));
  } finally {
    await link.close();
  }
}

async function change(
  context: Context,
  action: Exclude<Action, 'list'>,
  typed: string | undefined,
  flags: TaskFlags,
): Promise<void> {
  const link = await linkToNode(context.dataDir);
  let devices: Devices;
  let tasks: readonly Task[];
  let made: (changes: Changes) => Promise<Task | null>;
  let changed: Task | null = null;
  try {
    devices = await namesOfDevices(link);
    ({ tasks } = await link.call('tasks', {}));
    made = changeOf(action, typed, flags, tasks, devices);
    if (link.how === 'beside')
      throw new CommandError(`the node on ${context.dataDir} has no owner API: start it with --ui`, EXIT.busy);
    if (link.how === 'api') changed = await made(ordersOf(link));
  } finally {
    await link.close();
  }
  if (link.how !== 'api') changed = await changeAlone(context, made);
  const { output } = context;
  if (changed === null) output.answer({ deleted: true }, () => ['Deleted.']);
  else output.answer(changed, () => lines([changed], devices));
}

/** Checks the arguments before anything is changed. Returns the change. Throws CommandError. */
function changeOf(
  action: Exclude<Action, 'list'>,
  typed: string | undefined,
  flags: TaskFlags,
  tasks: readonly Task[],
  devices: Devices,
): (changes: Changes) => Promise<Task | null> {
  const now = Date.now();
  if (action === 'add') {
    const { device, every, due, kind, product, amount } = flags;
    if (kind === undefined && (product ?? amount) !== undefined)
      throw new CommandError('a note has only a text: name a kind with --kind', EXIT.usage);
    const input = TASK_METHODS.writeTask.input.safeParse({
      id: null,
      device: device === undefined ? null : pickDevice(devices.list, device).id,
      title: typed ?? '',
      everyDays: every === undefined ? null : Number(every),
      due: due === undefined ? dayOf(now) : dayIn(due),
      ...(kind === undefined ? {} : { act: actOf(kindIn(kind, OWN_KIND_NAMES), product, amount) }),
    });
    if (!input.success) throw new CommandError(input.error.issues[0]!.message, EXIT.usage);
    return (changes) => changes.write(input.data);
  }
  const { id, title } = pickTask(tasks, typed);
  if (action === 'delete') return (changes) => changes.delete({ id }).then(() => null);
  if (action === 'done') {
    const at = flags.at === undefined ? now : readTime(flags.at, now);
    return async (changes) => (await changes.complete({ id, at, day: dayOf(at) }, LOCAL_OWNER)).task;
  }
  if (action === 'skip') return (changes) => changes.postpone({ id, how: 'skip', day: dayOf(now) });
  if (flags.to === undefined && action === 'move')
    throw new CommandError(`say when ${title} is due, with --to`, EXIT.usage);
  const day = flags.to === undefined ? addDays(dayOf(now), 1) : dayIn(flags.to);
  return (changes) => changes.postpone({ id, how: action, day });
}

function ordersOf(link: NodeLink): Changes {
  return {
    write: (input) => link.order('writeTask', input),
    complete: (input) => link.order('completeTask', input),
    postpone: (input) => link.order('postponeTask', input),
    delete: (input) => link.order('deleteTask', input),
  };
}

/** Changes a folder on which no node runs. */
async function changeAlone(
  { dataDir, settings }: Context,
  made: (changes: Changes) => Promise<Task | null>,
): Promise<Task | null> {
  const unlock = lockDataDir(dataDir);
  try {
    const stores = new StoresWithoutNode(dataDir, settings.durability, pino({ level: 'silent' }));
    try {
      const store = await stores.open('private');
      const list = new TaskList({
        ...{ store: () => store, clock: Date, requireDevice: async () => {} },
        ...{ admit: () => {}, onChange: () => {}, onEntry: () => {} },
      });
      return await made(list);
    } catch (error) {
      throw error instanceof OwnerError ? new CommandError(error.message) : error;
    } finally {
      await stores.close();
    }
  } finally {
    unlock();
  }
}

function pickTask(tasks: readonly Task[], typed: string | undefined): Task {
  if (typed === undefined) throw new CommandError('no task is named', EXIT.usage, '"tasks list" lists them');
  const lower = typed.toLowerCase();
  const byTitle = tasks.filter(({ title, act }) => title.toLowerCase() === lower || act?.kind.toLowerCase() === lower);
  const found = byTitle.length > 0 ? byTitle : tasks.filter(({ id }) => id.startsWith(lower));
  const [only] = found;
  if (only === undefined) throw new CommandError(`there is no task ${typed}`, EXIT.usage, '"tasks list" lists them');
  if (found.length > 1)
    throw new CommandError(`${typed} names ${found.length} tasks`, EXIT.usage, 'name one by the beginning of its id');
  return only;
}

/** Reads a typed calendar day. Throws CommandError. */
function dayIn(text: string): string {
  return dayOf(readTime(text, Date.now()));
}

function lines(tasks: readonly Task[], { nameOf }: Devices): string[] {
  const today = dayOf(Date.now());
  return table(
    ['state', 'due', 'task', 'device', 'every', 'done', 'id'],
    tasks.map((task) => [
      taskState(task, today),
      task.due,
      task.title || task.act!.kind,
      task.device === null ? 'all devices' : nameOf(task.device),
      task.everyDays === null ? null : `${task.everyDays} d`,
      task.done?.day ?? null,
      task.id.slice(0, 8),
    ]),
  );
}
