/**
 * Samba's own client, `smbclient`, as a program of its own for each thing that is to be done.
 *
 *     commands      standard input, a line each: unlike on the command line, names may hold any character
 *     password      a pipe of its own, which the client finds by PASSWD_FD: it is in no file, and neither among the
 *                   parameters nor in the environment of any process
 *     user's name   a file for the owner alone, which lies in the work directory while the client runs
 *     complaints    standard error; the exit status says little, as commands that fail leave it 0
 *     data          standard input of `put -`, standard output of `get … -`
 *     its end       with the agent's, however that comes: a server lets go of a file when its client has ended
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { systemCode } from '@palisade/private-files'
import { describe } from '@palisade/start-up'
import { destinationFailures, TaskFailure } from '../failure.ts'
import type { Credentials } from '../state/credentials-seal.ts'
import { complaintsIn, decisiveOf, type SmbError, shareFailure } from './share-failure.ts'
import { type SharePath, uncOf } from './share-path.ts'
import type { ShareSettings } from './share-settings.ts'

/** How long the client waits for one answer of the server. */
const answerMaxSeconds = 60
/** Complaints come last. */
const outputMaxLength = 64 * 1024
/** The client reads no more of a password, and says nothing about the rest. */
const passwordMaxBytes = 127

const passwordDescriptor = 3
/** What `setpriv` ends with, as shells do, when there is no such program. */
const notFoundStatus = 127

/** What became of a run of the client. */
export interface Answer {
  readonly output: string
  readonly complaints: readonly SmbError[]
  /** The one among them that says why; undefined when nothing went wrong. */
  readonly complaint: SmbError | undefined
}

/** Data on its way from or to a file of a share. */
export interface Transfer {
  /** Bytes that are to be written to the file. */
  readonly input: Writable
  /** The bytes of the file. */
  readonly output: Readable
  /** Resolves when the client has ended and found nothing wrong; rejects with a TaskFailure otherwise. */
  readonly done: Promise<void>
  /** Ends the client at once. */
  kill(): void
}

interface RunningClient {
  readonly process: ChildProcess
  readonly input: Writable
  readonly output: Readable
  readonly ended: Promise<Answer>
}

/** A folder of a share, for one user. Each call runs a program of its own, so calls may overlap. */
export class SmbClient {
  readonly #path: SharePath
  readonly #credentials: Credentials | undefined
  readonly #settings: ShareSettings

  /** @throws TaskFailure BackupSetActions_NetworkShareInvalidAuth for credentials that cannot be passed on */
  constructor(path: SharePath, credentials: Credentials | undefined, settings: ShareSettings) {
    this.#path = path
    const isNobody = credentials?.username === '' && credentials.password === ''
    this.#credentials = isNobody ? undefined : credentials
    this.#settings = settings
    if (this.#credentials !== undefined) requirePassable(this.#credentials, uncOf(path))
  }

  /** Runs commands, in the share or in its folder, and says what the client said. Rejects when it cannot be run. */
  async run(
    commands: readonly string[],
    where: 'share' | 'folder',
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const { input, output, ended } = this.#start(
      where === 'folder' ? this.#folderParameter() : [],
      options.signal,
    )
    output.resume()
    input.end(commands.map((command) => `${command}\n`).join(''))
    return ended
  }

  /** Begins to write a file in the folder; what is there is replaced. The name may hold letters, digits, - and . only. */
  put(name: string, signal?: AbortSignal): Transfer {
    return this.#transfer(`put - ${plainName(name)}`, name, signal)
  }

  /** Begins to read a file in the folder; for names as {@link put} takes them. */
  get(name: string, signal?: AbortSignal): Transfer {
    return this.#transfer(`get ${plainName(name)} -`, name, signal)
  }

  /** A complaint as a failure of the restore. */
  failure(complaint: SmbError, fileName?: string): TaskFailure {
    return shareFailure(complaint, uncOf(this.#path, fileName), this.#credentials !== undefined)
  }

  #transfer(command: string, name: string, signal: AbortSignal | undefined): Transfer {
    const parameters = [...this.#folderParameter(), `--command=${command}`]
    const { process, input, output, ended } = this.#start(parameters, signal)
    if (command.startsWith('put')) output.resume()
    const done = ended.then(({ complaint }) => {
      if (complaint !== undefined) throw this.failure(complaint, name)
      if (process.exitCode !== 0) throw this.#ended(process)
    })
    // Whoever moves data hears of it from the data as well, and then asks.
    done.catch(() => {})
    return { input, output, done, kill: () => process.kill('SIGKILL') }
  }

  #folderParameter(): string[] {
    const { folders } = this.#path
    return folders.length === 0 ? [] : [`--directory=${folders.join('\\')}`]
  }

  #start(parameters: readonly string[], signal: AbortSignal | undefined): RunningClient {
    signal?.throwIfAborted()
    const { host, share } = this.#path
    const { port, workDirectory } = this.#settings
    const userFile = join(workDirectory, `user-${randomUUID()}`)
    const [program, parametersOfProgram] = boundProgram('smbclient', [
      `//${host}/${share}`,
      '--stderr',
      `--timeout=${answerMaxSeconds}`,
      ...(port === undefined ? [] : [`--port=${port}`]),
      ...this.#logon(userFile),
      ...parameters,
    ])
    const child = spawn(program, parametersOfProgram, {
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', PASSWD_FD: String(passwordDescriptor) },
      ...(signal === undefined ? {} : { signal, killSignal: 'SIGKILL' }),
    })
    const ended = this.#whenEnded(child).finally(() => rmSync(userFile, { force: true }))
    ended.catch(() => {})
    this.#givePassword(child)
    const { stdin, stdout } = child
    // What is written to a client that has ended is lost; why it ended is asked elsewhere.
    stdin.on('error', () => {})
    return { process: child, input: stdin, output: stdout, ended }
  }

  /** Without credentials nobody is logged on, and servers that have one let the client in as their guest. */
  #logon(userFile: string): string[] {
    if (this.#credentials === undefined) return ['--no-pass', '--user=%']
    const { username, password } = this.#credentials
    writeFileSync(userFile, `username = ${username}\n`, { mode: 0o600, flag: 'wx' })
    return [`--authentication-file=${userFile}`, ...(password === '' ? ['--no-pass'] : [])]
  }

  /** The client reads it twice. */
  #givePassword({ stdio }: ChildProcess): void {
    const pipe = stdio[passwordDescriptor]
    if (pipe === null || pipe === undefined || !('write' in pipe)) return
    pipe.on('error', () => {})
    const password = this.#credentials?.password ?? ''
    pipe.end(password === '' ? '' : `${password}\n${password}\n`)
  }

  /** Resolves when the client has ended and everything that it said has been heard. */
  #whenEnded(child: ChildProcess): Promise<Answer> {
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputMaxLength)
    })
    return new Promise((resolve, reject) => {
      child.on('error', (error) => reject(this.#cannotRun(error)))
      child.on('close', () => {
        const complaints = complaintsIn(output)
        if (child.exitCode === notFoundStatus) reject(this.#cannotRun(undefined))
        else if (complaints.length === 0 && child.signalCode !== null) reject(this.#ended(child))
        else resolve({ output, complaints, complaint: decisiveOf(complaints) })
      })
    })
  }

  #ended({ exitCode, signalCode }: ChildProcess): TaskFailure {
    return new TaskFailure(
      destinationFailures.networkShareInaccessible,
      `${uncOf(this.#path)}: smbclient ended unexpectedly (${signalCode ?? `status ${exitCode}`})`,
    )
  }

  /** @param error of starting it; undefined when there is no such program to become */
  #cannotRun(error: Error | undefined): TaskFailure {
    const isMissing = error === undefined || systemCode(error) === 'ENOENT'
    return new TaskFailure(
      destinationFailures.networkShareInaccessible,
      `${uncOf(this.#path)}: ${isMissing ? 'smbclient is not installed on this computer' : describe(error)}`,
      { cause: error },
    )
  }
}

/** A name inside a command that says where it ends by itself: in quotes, which no name on a share may hold. */
export function quoteName(name: string): string {
  return `"${name}"`
}

function plainName(name: string): string {
  if (!/^[\w.-]+$/.test(name)) throw new Error(`${name} cannot stand on the command line of smbclient`)
  return name
}

function requirePassable({ username, password }: Credentials, unc: string): void {
  const isPassable =
    /^[^\p{Cc}%]+$/u.test(username) &&
    username === username.trim() &&
    !/[\p{Cc}]/u.test(password) &&
    Buffer.byteLength(password) <= passwordMaxBytes
  if (isPassable) return
  throw new TaskFailure(
    destinationFailures.networkShareInvalidAuth,
    `${unc}: no user can log on with such a name or password (passwords have up to ${passwordMaxBytes} bytes here)`,
  )
}

let isBindable: boolean | undefined

/**
 * A program with its parameters, so that the kernel kills it when this process is gone, however that comes. Programs that
 * wait for somebody else would otherwise outlive a killed agent and hold what they had opened. `setpriv` of util-linux
 * asks the kernel for it and then becomes the program; where there is none the program ends when its pipes do.
 */
function boundProgram(program: string, parameters: readonly string[]): [string, readonly string[]] {
  const bind = ['--pdeathsig', 'KILL', '--']
  isBindable ??= spawnSync('setpriv', [...bind, 'true'], { stdio: 'ignore' }).status === 0
  return isBindable ? ['setpriv', [...bind, program, ...parameters]] : [program, parameters]
}
