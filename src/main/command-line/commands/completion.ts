import { Argument, type Command } from 'commander';
import type { AddCommand } from '../command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `completion`: made of the commands themselves, so that it can't fall behind. */
export const addCompletion: AddCommand = (program) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'whose completion is printed').choices(SHELLS))
    .description('print what a shell completes commands by: source <(wellhouse completion bash)')
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](program));
    });
};

const optionsOf = (command: Command) => command.options.flatMap(({ long }) => (long == null ? [] : [long]));
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function bash(program: Command): string {
  const cases = program.commands.map(
    (command) => `    ${command.name()}) words="${[...optionsOf(command), ...optionsOf(program)].join(' ')}" ;;`,
  );
  return `_wellhouse() {
  local current=\${COMP_WORDS[COMP_CWORD]} words= command= word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) command=$word; break ;; esac
  done
  case $command in
    '') words="${[...program.commands.map((each) => each.name()), ...optionsOf(program)].join(' ')}" ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _wellhouse wellhouse
`;
}

function zsh(program: Command): string {
  const described = program.commands.map(
    (each) => `    ${quoted(`${each.name()}:${each.description().replaceAll(':', '\\:')}`)}`,
  );
  const cases = program.commands.map(
    (command) => `    ${command.name()}) _arguments ${argumentsOf(command)} '*:file:_files' ;;`,
  );
  return `#compdef wellhouse
_wellhouse() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${cases.join('\n')}
  esac
}
compdef _wellhouse wellhouse
`;
}

function argumentsOf(command: Command): string {
  return command.options
    .map(({ long, description, required }) =>
      quoted(`${long}[${description.replaceAll(/[[\]]/g, '')}]${required ? ':value:_files' : ''}`),
    )
    .join(' ');
}

function fish(program: Command): string {
  const lines = program.commands.flatMap((command) => [
    `complete -c wellhouse -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
    ...command.options.map(
      ({ long, description, required }) =>
        `complete -c wellhouse -n '__fish_seen_subcommand_from ${command.name()}' -l ${String(long).slice(2)} -d ${quoted(description)}${required ? ' -r' : ''}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

const SCRIPTS: Readonly<Record<Shell, (program: Command) => string>> = { bash, zsh, fish };
