import { Argument, type Command, type Option } from 'commander';
import type { AddCommand } from '../command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `completion`: generated from the commands themselves, so that it is always complete. */
export const addCompletion: AddCommand = (program) => {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .description('print the completion script of a shell: source <(wellhouse completion bash)')
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](program));
    });
};

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const namesOf = (options: readonly Option[]) => options.map(({ long }) => String(long));
/**
 * Returns the completions of a command's argument; null for a file or folder, or for values that a shell can't know.
 */
function wordsAfter(command: Command, program: Command): readonly string[] | null {
  if (command.name() === 'help') return program.commands.map((each) => each.name());
  const [first] = command.registeredArguments;
  return first === undefined ? [] : (first.argChoices ?? null);
}

function bash(program: Command): string {
  const withValue = program.options.filter(({ required }) => required);
  const values = program.commands.flatMap((command) =>
    command.options
      .filter(({ required }) => required)
      .map(({ long, argChoices }) => `    ${command.name()}/${long}) words=${quoted((argChoices ?? []).join(' '))} ;;`),
  );
  const cases = program.commands.map((command) => {
    const options = namesOf([...command.options, ...program.options]);
    return `        ${command.name()}) words=${quoted([...(wordsAfter(command, program) ?? []), ...options].join(' '))} ;;`;
  });
  const first = [...program.commands.map((each) => each.name()), ...namesOf(program.options)];
  return `_wellhouse() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words= command= word isValue=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ $isValue ]]; then isValue=; continue; fi
    case $word in ${namesOf(withValue).join('|')}) isValue=1 ;; -*) ;; *) command=$word; break ;; esac
  done
  case $command/$previous in
    ${namesOf(withValue)
      .map((name) => `*/${name}`)
      .join('|')}) ;;
${values.join('\n')}
    *)
      case $command in
        '') words=${quoted(first.join(' '))} ;;
${cases.join('\n')}
      esac ;;
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
  const shared = program.options.map(zshOption).join(' ');
  const cases = program.commands.map((command) => {
    const words = wordsAfter(command, program);
    const after = words === null ? `'*:file:_files'` : words.length === 0 ? '' : `'1:which:(${words.join(' ')})'`;
    const options = [...command.options.map(zshOption), shared, after].join(' ');
    return `        ${command.name()}) _arguments ${options.trimEnd()} ;;`;
  });
  return `#compdef wellhouse
_wellhouse() {
  local curcontext=$curcontext state line
  local -a commands
  local -A opt_args
  commands=(
${described.join('\n')}
  )
  _arguments -C ${shared} '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $words[1] in
${cases.join('\n')}
      esac ;;
  esac
}
compdef _wellhouse wellhouse
`;
}

function zshOption({ long, description, required, argChoices }: Option): string {
  const value = required ? `:value:${argChoices === undefined ? '_files' : `(${argChoices.join(' ')})`}` : '';
  return quoted(`${long}[${description.replaceAll(/[[\]]/g, '').replaceAll(':', '\\:')}]${value}`);
}

function fish(program: Command): string {
  const inCommand = (name: string) => `-n 'contains -- ${name} (__wellhouse_command)'`;
  const lines = program.commands.flatMap((command) => {
    const here = inCommand(command.name());
    const words = wordsAfter(command, program);
    return [
      `complete -c wellhouse -n 'test (count (__wellhouse_command)) = 0' -f -a ${command.name()} -d ${quoted(command.description())}`,
      ...(words === null ? [] : [`complete -c wellhouse ${here} -f -a ${quoted(words.join(' '))}`]),
      ...command.options.map((option) => fishOption(option, here)),
    ];
  });
  return `function __wellhouse_command
  set -l isValue 0
  for word in (commandline -opc)[2..]
    if test $isValue = 1
      set isValue 0
      continue
    end
    switch $word
      case ${namesOf(program.options.filter(({ required }) => required)).join(' ')}
        set isValue 1
      case '-*'
      case '*'
        echo $word
        return
    end
  end
end
${[...program.options.map((option) => fishOption(option, '')), ...lines].join('\n')}
`;
}

function fishOption({ long, description, required, argChoices }: Option, here: string): string {
  const value = !required ? '' : argChoices === undefined ? ' -r' : ` -x -a ${quoted(argChoices.join(' '))}`;
  return `complete -c wellhouse ${here} -l ${String(long).slice(2)} -d ${quoted(description)}${value}`;
}

const SCRIPTS: Readonly<Record<Shell, (program: Command) => string>> = { bash, zsh, fish };
