// toolgate completion: a script for a shell, made from the commands of this program. It starts no process when Tab is pressed.

import { Argument, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Context } from './context.ts';

type Shell = 'bash' | 'zsh' | 'fish';

/** The words that may follow a path of commands, such as "tools import". */
type Completion = { path: string; words: string[] };

export function addCompletionCommand(program: Command, context: Context): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish'] as const))
    .description('print a completion script for a shell')
    .action((shell) => {
      context.stdout.write(scripts[shell](completionsOf(program)));
    });
}

function completionsOf(program: Command): Completion[] {
  const globals = flagsOf(program);
  const visit = (command: CommandUnknownOpts, path: string[]): Completion[] => [
    { path: path.join(' '), words: wordsOf(command, path.length === 0 ? [] : globals) },
    ...command.commands.flatMap((child) => visit(child, [...path, child.name()])),
  ];
  return visit(program, []);
}

function wordsOf(command: CommandUnknownOpts, globals: string[]): string[] {
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  return [...command.commands.map((child) => child.name()), ...choices, ...flagsOf(command), ...globals, '--help'];
}

function flagsOf(command: CommandUnknownOpts): string[] {
  return command.options.flatMap(({ long }) => (long ? [long] : []));
}

/** The function that finds the path: bash and zsh share it, except for the number of the first word. */
function caseOfPaths(completions: Completion[], render: (words: string[]) => string): string {
  return completions.map(({ path, words }) => `    "${path}") ${render(words)} ;;`).join('\n');
}

const pathsOf = (completions: Completion[]) => completions.flatMap(({ path }) => (path ? [`"${path}"`] : [])).join('|');

const scripts: Record<Shell, (completions: Completion[]) => string> = {
  bash: (completions) => `# Completion of toolgate for bash: source <(npx toolgate completion bash)
_toolgate() {
  local path="" words="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
      ${pathsOf(completions)}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path" in
${caseOfPaths(completions, (words) => `words="${words.join(' ')}"`)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _toolgate toolgate
`,
  zsh: (completions) => `#compdef toolgate
# Completion of toolgate for zsh: source <(npx toolgate completion zsh)
_toolgate() {
  local path_of_command="" i
  for ((i = 2; i < CURRENT; i++)); do
    case "\${path_of_command:+$path_of_command }\${words[i]}" in
      ${pathsOf(completions)}) path_of_command="\${path_of_command:+$path_of_command }\${words[i]}" ;;
    esac
  done
  case "$path_of_command" in
${caseOfPaths(completions, (words) => `compadd -- ${words.join(' ')}`)}
  esac
  _files
}
compdef _toolgate toolgate
`,
  fish: (completions) => `# Completion of toolgate for fish: npx toolgate completion fish | source
function __toolgate_path
  set -l found ""
  for word in (commandline -opc)[2..]
    set -l next (string trim "$found $word")
    switch "$next"
      case ${pathsOf(completions).replaceAll('|', ' ')}
        set found "$next"
    end
  end
  test "$found" = "$argv[1]"
end
${completions.map(({ path, words }) => `complete -c toolgate -n '__toolgate_path "${path}"' -a '${words.join(' ')}'`).join('\n')}
`,
};
