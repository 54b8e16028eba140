import type { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { posix, sep, win32 } from 'node:path';
import Database from 'better-sqlite3';
import 'sodium-native';

/** The systems that the desktop app supports. */
export type System = 'linux' | 'darwin' | 'win32';

/** The events of its process that the app listens to. */
const LISTENING = [
  [process, 'uncaughtException'],
  [process, 'unhandledRejection'],
  [process.stdout, 'error'],
  [process.stderr, 'error'],
] as readonly (readonly [EventEmitter, string])[];

/**
 * Makes this process look like an app's: on that system, with these arguments, and with only these variables and PATH.
 * Returns a function that restores the process. Worker threads have the real system, and paths stay those of this
 * machine.
 */
export function play(system: System, args: readonly string[], variables: Readonly<Record<string, string>>): () => void {
  // The native modules choose their binary by the system, so they are loaded first.
  new Database(':memory:').close();
  const { env, argv } = process;
  const { now } = Date;
  const { join } = win32;
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  const variablesBefore = { ...env };
  const listeners = LISTENING.map(([emitter, event]) => emitter.listeners(event));
  const { write } = process.stdout;

  setVariables({ PATH: env.PATH ?? '', TEMP: tmpdir(), ...variables });
  process.argv = [...argv.slice(0, 2), ...args];
  if (system !== process.platform && sep === posix.sep) win32.join = posix.join;
  Object.defineProperty(process, 'platform', { ...platform, value: system });

  // The app also writes its log to a file in its folder.
  process.stdout.write = () => true;

  return () => {
    setVariables(variablesBefore);
    process.argv = argv;
    win32.join = join;
    Object.defineProperty(process, 'platform', platform);
    // The stand-in moves the clock while the machine sleeps.
    Date.now = now;
    process.stdout.write = write;
    for (const [index, [emitter, event]] of LISTENING.entries()) {
      for (const listener of emitter.listeners(event)) {
        if (!listeners[index]!.includes(listener)) emitter.off(event, listener as () => void);
      }
    }
  };
}

/** Changes `process.env` in place: the system's own functions read it, such as the one for the user's folder. */
function setVariables(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  for (const [name, value] of Object.entries(variables)) process.env[name] = value;
}
