import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/** A word that may come next on a command line, and what it is. One that ends with `=` goes on with a value. */
export type Suggestion = readonly [word: string, description: string]

/** @param words what has been typed behind the command, without options; the last one, which may be empty, is to be completed */
type Suggest = (words: readonly string[]) => readonly Suggestion[] | Promise<readonly Suggestion[]>

const suggestOf = new WeakMap<CommandUnknownOpts, Suggest>()

/** Has shells complete the arguments of a command, besides its options and their choices. */
export function suggestArguments(command: CommandUnknownOpts, suggest: Suggest): void {
  suggestOf.set(command, suggest)
}

/** Words that may come next as arguments of a command. */
export async function suggestedArguments(
  command: CommandUnknownOpts,
  words: readonly string[],
): Promise<readonly Suggestion[]> {
  return (await suggestOf.get(command)?.(words)) ?? []
}
