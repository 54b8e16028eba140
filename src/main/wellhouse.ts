import { runCommand } from './command-line/program.ts';

// The entry of the command line.
process.exitCode = await runCommand(process.argv, process.env);
