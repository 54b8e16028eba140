import type { AddCommand } from '../command.ts';

/** `help`: reports an unknown command, unlike commander's own. */
export const addHelp: AddCommand = (program) => {
  program
    .command('help')
    .argument('[command]')
    .description('show the help of a command')
    .action((name: string | undefined) => {
      const command = name === undefined ? program : program.commands.find((each) => each.name() === name);
      if (command === undefined) program.error(`error: there is no command '${name}'; "help" lists them`);
      else command.outputHelp();
    });
};
