import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

/** Runs a command. Resolves with its exit code if that is not 0. */
export type Work<Args extends unknown[]> = (context: Context, ...args: Args) => Promise<ExitCode | undefined>;
/** Makes a command's action from its work: adds the context, and reports failures. */
export type Act = <Args extends unknown[]>(work: Work<Args>) => (...args: [...Args, Command]) => Promise<void>;
/** Adds a command to the program. */
export type AddCommand = (program: Command, act: Act) => void;
