import { resolve } from 'node:path';
import type { Settings } from '../../shared/settings/table.ts';
import { CareError } from '../care/care-error.ts';
import type { NodePaths } from '../care/node-files.ts';
import { StartError } from '../common/start-error.ts';
import { desktopFiles, desktopFolder, headlessFiles } from '../data-folder/own-files.ts';
import { readSettings } from '../settings/settings.ts';
import { SettingsFile } from '../settings/settings-file.ts';
import { accessProblem } from './access.ts';
import { CommandError, EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';
import { Output } from './output.ts';

/** The options that every command has. */
export interface GlobalFlags {
  readonly dataDir?: string;
  readonly desktop?: true;
  readonly json?: true;
  readonly table?: true;
}

/** The dependencies of a command. */
export interface Context extends NodePaths {
  readonly settings: Settings;
  readonly output: Output;
  /** Whether the folder is the desktop app's. */
  readonly isDesktop: boolean;
}

/** Finds the node's folder and settings. Throws StartError if its settings can't be read. */
export function contextOf(flags: GlobalFlags, variables: NodeJS.ProcessEnv): Context {
  const env = flags.dataDir === undefined ? variables : { ...variables, DATA_DIR: flags.dataDir };
  const isDesktop = flags.desktop === true;
  const files = isDesktop ? desktopFiles(desktopFolder(env, process.platform)) : headlessFiles(env);
  const settings = readSettings(env, files.defaults, SettingsFile.look(files.settingsFile));
  return {
    dataDir: resolve(settings.dataDir),
    settingsFile: resolve(files.settingsFile),
    settings,
    isDesktop,
    output: new Output(flags.json ? true : flags.table ? false : null),
  };
}

/** Returns the same failure, or a better one if its cause is that another user owns the data. */
export function withOwner(error: unknown, flags: GlobalFlags, variables: NodeJS.ProcessEnv): unknown {
  const exitCode = failureOf(error).exitCode;
  if (exitCode !== EXIT.failed && exitCode !== EXIT.place) return error;
  const env = flags.dataDir === undefined ? variables : { ...variables, DATA_DIR: flags.dataDir };
  const files = flags.desktop ? desktopFiles(desktopFolder(env, process.platform)) : headlessFiles(env);
  return accessProblem(resolve(env.DATA_DIR || files.defaults.dataDir)) ?? error;
}

/** Describes a failure for the user of the command. An unexpected error of the program keeps its stack. */
export function failureOf(error: unknown): {
  readonly message: string;
  readonly fault: string;
  readonly exitCode: ExitCode;
  readonly hint: string | null;
} {
  if (error instanceof CommandError)
    return { message: error.message, fault: error.code, exitCode: error.exitCode, hint: error.hint };
  if (error instanceof CareError)
    return { message: error.message, fault: error.fault, exitCode: exitCodeOf(error.fault), hint: null };
  if (error instanceof StartError) {
    const isBusy = error.folder?.reason === 'busy';
    return {
      message: error.message,
      fault: isBusy ? 'busy' : 'failed',
      exitCode: isBusy ? EXIT.busy : EXIT.failed,
      hint: null,
    };
  }
  return { message: (error as Error).stack ?? String(error), fault: 'failed', exitCode: EXIT.failed, hint: null };
}
