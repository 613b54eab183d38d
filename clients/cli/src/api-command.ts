import { Command, type CommandUnknownOpts, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { outputOption, quietOption } from './output.ts'

/** What help shows at its end. @param lines command lines, without a prompt */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}

/** A command that calls a server: it takes where that is, who asks, and how the result is printed. */
export function apiCommand(name: string) {
  return new Command(name)
    .addOption(new Option('--server <url>', 'where the services listen').env('PALISADE_SERVER'))
    .addOption(new Option('--profile <name>', 'which login to use').env('PALISADE_PROFILE'))
    .addOption(outputOption())
    .addOption(quietOption())
}

/** Reads the value of an option that is a whole number. */
export function wholeNumber({ min, max }: { readonly min: number; readonly max: number }) {
  return (text: string): number => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (number >= min && number <= max) return number
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`)
  }
}

/** The value of an option that was not added where types can see it; undefined when it was not given. */
export function optionText(command: CommandUnknownOpts, name: string): string | undefined {
  const value: unknown = command.getOptionValue(name)
  return typeof value === 'string' ? value : undefined
}
