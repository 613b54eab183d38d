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
    `(umask 077; printf '%s\\n' ${quoted(enrolmentKey)} > ${file}) && ` +
    (certificate === undefined ? '' : `printf '%s\\n' ${quoted(certificate.trim())} > ${trusted} && `) +
    `palisade agent --server ${quoted(`${server}/backup`)} ` +
    `--account ${quoted(account)} --computer ${quoted(computer)} --key-file ${file}` +
    more.map((option) => ` ${quoted(option)}`).join('')
  )
}

/** A word of a shell's command line. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
