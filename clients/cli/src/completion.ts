import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { examples } from './api-command.ts'
import { type Suggestion, suggestedArguments } from './suggestions.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** `palisade completion`: a script for a shell. The shell asks `palisade complete` what may come next, so that it never is out of date. */
export function completionCommand() {
  return new Command('completion')
    .description('print a script that has a shell complete command lines')
    .addArgument(new Argument('<shell>', 'which one').choices(shells))
    .addHelpText(
      'after',
      examples(
        'source <(palisade completion bash)                                    # in ~/.bashrc',
        'source <(palisade completion zsh)                                     # in ~/.zshrc, behind compinit',
        'palisade completion fish > ~/.config/fish/completions/palisade.fish',
      ),
    )
    .action((shell) => console.log(scripts[shell]))
}

/**
 * `palisade complete -- WORDS`, which the scripts call.
 *
 * @param further words that may come first, besides the commands of the program
 */
export function completeCommand(program: CommandUnknownOpts, further: readonly Suggestion[]) {
  return new Command('complete')
    .argument('[words...]', 'what has been typed behind "palisade"; the last one is to be completed')
    .action(async (words) => {
      for (const [word, description] of await suggestions(program, further, words))
        console.log(`${word}\t${description}`)
    })
}

async function suggestions(
  program: CommandUnknownOpts,
  further: readonly Suggestion[],
  words: readonly string[],
): Promise<Suggestion[]> {
  const beginning = words.at(-1) ?? ''
  const { command, option, positional } = place(program, words.slice(0, -1))
  const choices = option?.argChoices ?? command.registeredArguments[positional.length]?.argChoices ?? []
  const all: Suggestion[] = choices.map((choice) => [choice, ''])
  if (option === undefined) {
    all.push(
      ...wordsOf(command, beginning),
      ...(await suggestedArguments(command, [...positional, beginning])),
    )
    if (command === program) all.push(...further)
  }
  return all.filter(([word]) => word.startsWith(beginning))
}

/** Which command has been typed, with which arguments, and the option whose value is to follow. */
function place(program: CommandUnknownOpts, words: readonly string[]) {
  let command = program
  let option: CommandUnknownOpts['options'][number] | undefined
  let positional: string[] = []
  for (const word of words) {
    if (option !== undefined) option = undefined
    else if (word.startsWith('-')) {
      const named = command.options.find(({ long, short }) => word === long || word === short)
      option = named?.required || named?.optional ? named : undefined
    } else {
      const inner = command.commands.find((one) => one.name() === word)
      if (inner) [command, positional] = [inner, []]
      else positional.push(word)
    }
  }
  return { command, option, positional }
}

function wordsOf(command: CommandUnknownOpts, beginning: string): Suggestion[] {
  if (!beginning.startsWith('-')) {
    return command
      .createHelp()
      .visibleCommands(command)
      .map((one): Suggestion => [one.name(), one.description()])
  }
  return command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, description }): Suggestion[] => (long ? [[long, description]] : []))
}

const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  // Readline takes what is before = or : for a word of its own, and replaces only what is behind. A blank in a word stands behind a backslash.
  bash: `_palisade() {
  local line=\${COMP_LINE:0:COMP_POINT} words candidates
  read -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  candidates=$(palisade complete -- "\${words[@]:1}" 2>/dev/null | cut -f 1)
  local word=\${words[-1]} IFS=$'\\n'
  COMPREPLY=($candidates)
  COMPREPLY=("\${COMPREPLY[@]#"\${word%"\${word##*[=:]}"}"}")
  [[ \${COMPREPLY[0]-} == *[=/] ]] && compopt -o nospace
  [[ -n \${COMPREPLY[0]-} ]] && COMPREPLY=($(printf '%q\\n' "\${COMPREPLY[@]}"))
}
complete -o default -F _palisade palisade`,
  zsh: `#compdef palisade
_palisade() {
  local -a candidates
  candidates=(\${(f)"$(palisade complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null | sed -e 's/:/\\\\:/g' -e $'s/\\t/:/')"})
  if (( \${#candidates} )); then _describe palisade candidates; else _files; fi
}
compdef _palisade palisade`,
  fish: `function __palisade_complete
  set -l typed (commandline -opc)
  set -l word (commandline -ct)
  set -l candidates (palisade complete -- $typed[2..-1] "$word" 2>/dev/null)
  if set -q candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path "$word"
  end
end
complete -c palisade -f -a '(__palisade_complete)'`,
}
