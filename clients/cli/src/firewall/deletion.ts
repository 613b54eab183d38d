import { Option } from '@commander-js/extra-typings'
import type { Reply } from './management.ts'

/** `--yes` of commands that ask before they delete. */
export function yesOption() {
  return new Option('-y, --yes', 'do not ask')
}

/** Says that something is deleted, and what takes that back. */
export function deletedSentence(what: string, { checkpoint }: Reply): string {
  const wayBack =
    checkpoint === undefined ? '' : ` "palisade firewall checkpoints rollback ${checkpoint}" takes it back.`
  return `${what} is deleted.${wayBack}`
}
