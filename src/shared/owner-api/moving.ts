import { z } from 'zod';
import { moveProgress } from '../node-state.ts';
import { path as pathKind } from '../settings/kinds.ts';
import type { Methods } from './method.ts';
import { nothing } from './values.ts';

const path = pathKind.schema;

/** Why the data folder can't be moved. */
export const MOVE_PROBLEMS = [
  'not_absolute',
  'same',
  'nested',
  'not_empty',
  'not_writable',
  'no_space',
  'busy',
  'pinned',
  'not_applicable',
  'copy_failed',
  'not_equal',
  'cancelled',
  'start_failed',
] as const;
const moveProblem = z.enum(MOVE_PROBLEMS);
export type MoveProblem = z.infer<typeof moveProblem>;

/** Why a folder can't be used for the data. */
const folderProblem = z.enum([
  'not_absolute',
  /** The folder contains no data. */
  'no_data',
  'not_empty',
  'busy',
  'pinned',
  'not_applicable',
]);
export type FolderProblem = z.infer<typeof folderProblem>;

/** A running move, or the result of the last one. */
const move = z.union([
  moveProgress,
  z.strictObject({ to: z.string(), phase: z.literal('done') }),
  z.strictObject({ to: z.string(), phase: z.literal('failed'), problem: moveProblem, message: z.string() }),
]);
export type Move = z.infer<typeof move>;

const moves = z.strictObject({
  /** The running move, or the result of the last one. */
  move: move.nullable(),
  /** Copies that moves left behind, for the owner to delete. */
  oldData: z.array(z.strictObject({ path: z.string(), bytes: z.int().min(0) })),
});
export type Moves = z.infer<typeof moves>;

export const MOVING_METHODS = {
  getMoves: { role: 'owner', input: nothing, output: moves },
  /** Starts to move the data folder. `settings` events report progress. */
  moveData: {
    role: 'owner',
    input: z.strictObject({ to: path }),
    output: z.strictObject({ problem: moveProblem.nullable() }),
  },
  cancelMove: { role: 'owner', input: nothing, output: nothing },
  /**
   * Makes a node that could not start use another folder with data, or, with `startOver`, an empty one for a new node. The
   * next node state shows the result.
   */
  useDataDir: {
    role: 'owner',
    input: z.strictObject({ path, startOver: z.boolean() }),
    output: z.strictObject({ problem: folderProblem.nullable() }),
  },
  /** Deletes the old copy that a move left in a folder. `confirm` repeats the path. */
  deleteOldData: {
    role: 'owner',
    input: z.strictObject({ path, confirm: path }),
    output: z.strictObject({ deleted: z.boolean() }),
  },
} as const satisfies Methods;
