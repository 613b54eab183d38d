import { type ParseArgsConfig, parseArgs } from 'node:util'
import { nearestName } from './nearest-name.ts'

/** A command line that asks for nothing that there is; the message is one sentence without a full stop. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Options = NonNullable<ParseArgsConfig['options']>
type Values<Given extends Options> = ReturnType<
  typeof parseArgs<{ options: Given; allowPositionals: true; args: string[] }>
>

/**
 * Reads the options of a command line.
 *
 * @param allowed.positionals whether there may be words beside the options
 * @throws UsageError that names the option at fault, and the one that may be meant
 */
export function readOptions<const Given extends Options>(
  argv: readonly string[],
  options: Given,
  allowed: { readonly positionals: boolean } = { positionals: false },
): Values<Given> {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: allowed.positionals }) as Values<Given>
  } catch (error) {
    throw new UsageError(sentenceOf(error, Object.keys(options)))
  }
}

function sentenceOf(error: unknown, names: readonly string[]): string {
  const text = error instanceof Error ? error.message : String(error)
  const [, unknown] = /^Unknown option '-*([^']+)'/.exec(text) ?? []
  if (unknown !== undefined) {
    const meant = nearestName(unknown, names)
    const dashes = unknown.length === 1 ? '-' : '--'
    return `there is no option ${dashes}${unknown}${meant === undefined ? '' : ` (did you mean --${meant}?)`}`
  }
  const [, option] = /^Option '(?:-\w, )?(--[^ ']+)/.exec(text) ?? []
  if (option !== undefined) {
    if (text.includes('does not take')) return `${option} takes no value`
    const begins = text.includes('ambiguous') ? `; one that begins with a dash is written ${option}=-…` : ''
    return `the value of ${option} is missing${begins}`
  }
  const [, word] = /^Unexpected argument '(.*?)'\. /s.exec(text) ?? []
  return word === undefined ? text : `"${word}" is too much: there are options only`
}
