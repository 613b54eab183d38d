import { shellWord } from './shell-word.ts'

/** What an agent needs to be let in for the first time. */
export interface Enrolment {
  /** Where the services are, such as https://palisade.example.org:8444. */
  readonly server: string
  readonly account: string
  readonly computer: string
  /** As it was shown when the computer was added, or the key made anew. */
  readonly enrolmentKey: string
  /** The certificate of the server in PEM, where the computer has no reason to trust it. */
  readonly certificate?: string | undefined
  /** More options of the agent, such as `--host qemu:/srv/machines`. */
  readonly options?: readonly string[]
}

/** The command line that starts the agent of a computer, for a shell there. */
export function enrolmentCommand(enrolment: Enrolment): string {
  const { server, account, computer, enrolmentKey, certificate, options = [] } = enrolment
  // By a file, since others on the machine see command lines.
  const file = 'enrolment.key'
  const trusted = 'palisade.pem'
  const more = [...(certificate === undefined ? [] : ['--ca', trusted]), ...options]
  return (
    `(umask 077; printf '%s\\n' ${shellWord(enrolmentKey)} > ${file}) && ` +
    (certificate === undefined ? '' : `printf '%s\\n' ${shellWord(certificate.trim())} > ${trusted} && `) +
    `palisade agent --server ${shellWord(`${server}/backup`)} ` +
    `--account ${shellWord(account)} --computer ${shellWord(computer)} --key-file ${file}` +
    more.map((option) => ` ${shellWord(option)}`).join('')
  )
}
