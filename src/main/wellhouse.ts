import { runCommand } from './command-line/program.ts';
import { surviveBrokenPipes } from './common/broken-pipe.ts';

// The entry of the command line.
surviveBrokenPipes();
process.exitCode = await runCommand(process.argv, process.env);
