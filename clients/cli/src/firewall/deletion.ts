import { Option } from '@commander-js/extra-typings'
import { canAsk, confirm } from '../login/ask.ts'
import type { Reply } from './management.ts'

/** `--yes` of commands that ask before they delete. */
export function yesOption() {
  return new Option('-y, --yes', 'do not ask')
}

/**
 * Asks whoever is at a terminal; scripts have none, and go on.
 *
 * @param question is only made up where it is asked
 * @throws UsageError when the answer is not yes
 */
export async function askAtTerminal(
  { yes }: { readonly yes?: true | undefined },
  question: () => Promise<string> | string,
): Promise<void> {
  if (!yes && canAsk()) await confirm(await question())
}

/** Says that something is deleted, and what takes that back. */
export function deletedSentence(what: string, { checkpoint }: Reply): string {
  const wayBack =
    checkpoint === undefined ? '' : ` "palisade firewall checkpoints rollback ${checkpoint}" takes it back.`
  return `${what} is deleted.${wayBack}`
}
