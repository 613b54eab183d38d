import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import {
  answer,
  createFetch,
  logInOperator,
  NotAuthenticated,
  NotFound,
  type OperatorSession,
} from '@palisade/sdk'
import { optionText } from '../api-command.ts'
import {
  administrationPath,
  type ConnectionOptions,
  localServer,
  profileOf,
  serverOf,
} from '../connection.ts'
import { exitStatus, UsageError } from '../exit-status.ts'
import { readSecret } from '../input-file.ts'
import { ask, askSecret, canAsk } from './ask.ts'

/** How to log in, where the command line says so; what is left out is asked for. */
export interface Credentials {
  readonly username: string | undefined
  readonly passwordFile: string | undefined
  readonly code: string | undefined
}

/** Where to log in, and how. */
export interface LoginTarget extends Credentials {
  readonly server: string
}

/** Options for a command that needs a session, since an API token may not do what it does. */
export function addLoginOptions(command: CommandUnknownOpts): void {
  command
    .addOption(new Option('--username <name>', 'who logs in'))
    .addOption(new Option('--password-file <file>', 'a file with the password; - for standard input'))
    .addOption(new Option('--code <digits>', 'of the authenticator app, where there is one'))
}

/** What those options say. */
export function credentialsOf(command: CommandUnknownOpts): Credentials {
  return {
    username: optionText(command, 'username'),
    passwordFile: optionText(command, 'passwordFile'),
    code: optionText(command, 'code'),
  }
}

/** The same, completed by the profile that the command uses. */
export function loginTarget(command: CommandUnknownOpts, options: ConnectionOptions): LoginTarget {
  const profile = profileOf(options)
  const { username, ...others } = credentialsOf(command)
  return {
    ...others,
    server: serverOf(options) ?? profile?.server ?? localServer,
    username: username ?? profile?.username,
  }
}

/** A session, and what it was opened with. */
export interface OpenSession extends OperatorSession {
  readonly password: string
  /** Any call, by its path at the server. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

/**
 * Logs in, does something with the session, and ends it. What is not given is asked for at the terminal.
 *
 * @throws ApiError when the login is refused
 */
export async function withSession<Result>(
  { server, username: given, passwordFile, code }: LoginTarget,
  use: (session: OpenSession) => Promise<Result>,
): Promise<Result> {
  warnOfPlainText(server)
  const username = given ?? (await ask('Username: ', '--username'))
  const password = passwordFile
    ? readSecret(passwordFile)
    : await askSecret(`Password of ${username}: `, '--password-file')
  const session = await logIn(`${server}${administrationPath}`, { username, password, code })
  try {
    const { authorisation } = session
    return await use({ ...session, password, fetch: createFetch({ baseUrl: server, authorisation }) })
  } finally {
    await end(session)
  }
}

/** It may have ended by what was done. */
async function end({ administration }: OperatorSession): Promise<void> {
  try {
    await answer(administration.DELETE('/session'))
  } catch (error) {
    if (!(error instanceof NotAuthenticated)) throw error
  }
}

interface Login {
  readonly username: string
  readonly password: string
  readonly code: string | undefined
}

async function logIn(baseUrl: string, { username, password, code }: Login): Promise<OperatorSession> {
  try {
    return await logInOperator(baseUrl, { username, password, ...(code === undefined ? {} : { code }) })
  } catch (error) {
    if (error instanceof NotFound) throw noOperatorsAt(baseUrl)
    const needsCode = error instanceof NotAuthenticated && error.field === 'code'
    if (!needsCode || code !== undefined || !canAsk()) throw error
    return logIn(baseUrl, {
      username,
      password,
      code: await ask('Code of the authenticator app: ', '--code'),
    })
  }
}

/** The firewall's management, for one, has another listener, and no operators. */
function noOperatorsAt(baseUrl: string): UsageError {
  const { origin } = new URL(baseUrl)
  return new UsageError(
    `${origin} is not where the services of Palisade listen: name that listener, http://127.0.0.1:8080 unless configured.`,
    exitStatus.notFound,
  )
}

/** RFC 8446 protects what is on the wire; loopback has no wire. */
function warnOfPlainText(server: string): void {
  const { protocol, hostname } = new URL(server)
  if (protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return
  console.error(`Warning: ${server} is not encrypted, and the password is about to be sent to it.`)
}
