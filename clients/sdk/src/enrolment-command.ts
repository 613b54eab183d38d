import { shellWord } from './shell-word.ts'

/** What an agent needs to be let in for the first time. */
export interface Enrolment {
  /** Where the services are, such as https://palisade.example.org:8444. */
  readonly server: string
  readonly account: string
  readonly computer: string
  /** As it was shown when the computer was added, or the key made anew. */
  readonly enrolmentKey: string
}

/** The command line that starts the agent of a computer, for a shell there. */
export function enrolmentCommand({ server, account, computer, enrolmentKey }: Enrolment): string {
  // By a file, since others on the machine see command lines.
  const file = 'enrolment.key'
  return (
    `(umask 077; printf '%s\\n' ${shellWord(enrolmentKey)} > ${file}) && palisade agent --server ${shellWord(`${server}/backup`)} ` +
    `--account ${shellWord(account)} --computer ${shellWord(computer)} --key-file ${file}`
  )
}
