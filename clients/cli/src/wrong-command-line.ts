import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { nameOf } from './operations.ts'

/**
 * Has a command and those below it say in a sentence or two what is wrong with a command line, what would be right, and how to get help;
 * and throw instead of ending the process.
 */
export function explainWrongLines(command: CommandUnknownOpts): void {
  command.exitOverride()
  command.configureOutput({
    outputError: (text, write) => write(explanation(command, text)),
  })
  for (const inner of command.commands) explainWrongLines(inner)
}

/** @param text what commander says, such as `error: required option '--source <path>' not specified` */
function explanation(command: CommandUnknownOpts, text: string): string {
  const message = text
    .trim()
    .replace(/^error: /, '')
    .replaceAll('\n', ' ')
  const [, missing] = /^required option '(.*)' not specified$/.exec(message) ?? []
  const option = command.options.find(({ flags }) => flags === missing)
  const what = option ? `${option.long} is missing: ${option.description}` : message
  const sentences = [what, ...(option ? misspelt(command) : [])].map((words) =>
    words.replace(/[^.)!?]$/, '$&.'),
  )
  const listed = command.commands.length > 0 ? 'the commands' : 'the options'
  return `${sentences.join(' ')}\n"${nameOf(command)} --help" lists ${listed}.\n`
}

/** What was given and is no option: it may have been meant for the one that is missing. */
function misspelt({ args }: CommandUnknownOpts): string[] {
  const unknown = args.find((word) => word.startsWith('--'))
  return unknown === undefined ? [] : [`There is no option ${unknown.replace(/=.*/s, '')}`]
}
