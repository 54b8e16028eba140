import { HELP, parseOptions, UsageError } from './options.ts';
import { runPortals } from './portal/run-portal.ts';
import { runSimulator } from './run.ts';
import { StateError } from './state.ts';

/** The entry of `npm run simulate`. Resolves with the exit code, 0 or 1. */
async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options === null) {
    process.stdout.write(HELP);
    return 0;
  }
  const stop = new AbortController();
  // `once`: a second Ctrl-C ends the process at once.
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  // If the reader of the output ends (`| head`), the simulator stops without a crash.
  process.stdout.on('error', () => stop.abort());
  const context = { print: (line: string) => console.log(line), signal: stop.signal };
  if (options.portal !== null) {
    await runPortals({ ...options, portal: options.portal }, context);
    return 0;
  }
  const { isBackfilled } = await runSimulator(options, context);
  return options.once && !isBackfilled && !stop.signal.aborted ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError || error instanceof StateError)) throw error;
  process.stderr.write(`simulate: ${error.message}\n`);
  process.exitCode = 1;
}
