import { EXIT } from './command-line/exit-codes.ts';
import { runCommand } from './command-line/program.ts';
import { surviveBrokenPipes } from './common/broken-pipe.ts';

// The entry point of the command line.
surviveBrokenPipes((error) => {
  process.stderr.write(`wellhouse: the answer can't be written (${error.code ?? error.message})\n`);
  process.exit(EXIT.place);
});
process.exitCode = await runCommand(process.argv, process.env);
