/**
 * A real Samba server in a directory of its own, on a free port of the loopback: nothing of the machine's own Samba is
 * read or written.
 *
 *     data      for the user, who may write
 *     readonly  for the user, who may only read
 *     closed    for somebody else
 *     open      for anybody, without credentials
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@palisade/start-up/testing'
import { temporaryDirectory } from '../temporary-directory.ts'
import { hasTools } from '../tool.ts'

const programs = ['smbd', 'pdbedit', 'smbclient'] as const
/**
 * The server in a process group of its own, so that its children are ended with it: also when its tests are gone,
 * however that came, since the shell's standard input then ends.
 */
const script = 'smbd "$@" < /dev/null & read line; kill -KILL 0'
/** As root the server needs an account of the system for its user; Debian has this one for backups. */
const systemUser = userInfo().uid === 0 ? 'backup' : userInfo().username

export class SambaServer {
  /** With characters that commands, files and shells read as something else. */
  readonly password = ' pä$s;"w%rd\\ '
  readonly username = systemUser
  readonly port: number
  readonly #directory: string
  #process: ChildProcess | undefined

  private constructor(directory: string, port: number) {
    this.#directory = directory
    this.port = port
  }

  /** Starts one that ends with the test; undefined, with the test skipped, where Samba is not installed. */
  static async start(t: TestContext): Promise<SambaServer | undefined> {
    if (!hasTools(t, ...programs)) return undefined
    const server = await SambaServer.open(temporaryDirectory(t))
    t.after(() => server.stop())
    return server
  }

  /** Starts one in an empty directory; the caller stops it. */
  static async open(directory: string): Promise<SambaServer> {
    const server = new SambaServer(directory, await freePort())
    server.#setUp()
    await server.resume()
    return server
  }

  /** Where the files of a share are. */
  folderOf(share: string): string {
    return join(this.#directory, share)
  }

  /** Has the server say from now on that so much is free on the share `data`, whatever is true. */
  reportFreeBytes(sizeBytes: number): void {
    const kibibytes = Math.floor(sizeBytes / 1024)
    writeFileSync(this.#freeFile, `${kibibytes} ${kibibytes}\n`)
  }

  get credentials(): { username: string; password: string } {
    return { username: this.username, password: this.password }
  }

  /** Listens, again after {@link stop}. */
  async resume(): Promise<void> {
    const parameters = ['--foreground', '--no-process-group', `--configfile=${this.#configFile}`]
    this.#process = spawn('sh', ['-c', script, 'sh', ...parameters], {
      env: environment,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    for (let attempt = 0; attempt < 100; attempt++) {
      if (await answers(this.port)) return
      await sleep(50)
    }
    throw new Error(`smbd does not listen; its log is in ${this.#directory}`)
  }

  /** Ends at once, and every connection with it. */
  async stop(): Promise<void> {
    const running = this.#process
    this.#process = undefined
    if (running?.pid === undefined || running.exitCode !== null) return
    const exited = once(running, 'exit')
    process.kill(-running.pid, 'SIGKILL')
    await exited
  }

  /** Answers no more, and keeps every connection, until {@link stop}. */
  freeze(): void {
    if (this.#process?.pid !== undefined) process.kill(-this.#process.pid, 'SIGSTOP')
  }

  get #configFile(): string {
    return join(this.#directory, 'smb.conf')
  }

  get #freeScript(): string {
    return join(this.#directory, 'ask-free')
  }

  get #freeFile(): string {
    return join(this.#directory, 'free')
  }

  #setUp(): void {
    chmodSync(this.#directory, 0o755)
    for (const share of ['data', 'readonly', 'open', 'private']) mkdirSync(this.folderOf(share))
    for (const share of ['data', 'readonly', 'open']) chmodSync(this.folderOf(share), 0o777)
    const askSystem = 'df -k --output=size,avail "$1" | tail -n 1'
    const script = `#!/bin/sh\ncat '${this.#freeFile}' 2>/dev/null || ${askSystem}\n`
    writeFileSync(this.#freeScript, script, { mode: 0o755 })
    writeFileSync(this.#configFile, this.#configuration())
    // Unlike smbpasswd, this one also serves who is not root.
    const parameters = [
      `--configfile=${this.#configFile}`,
      '--create',
      '--password-from-stdin',
      this.username,
    ]
    const input = `${this.password}\n${this.password}\n`
    const { status, stderr } = spawnSync('pdbedit', parameters, {
      env: environment,
      input,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`pdbedit: ${stderr}`)
  }

  #configuration(): string {
    const inner = this.folderOf('private')
    const shares = {
      data: ['read only = no', `dfree command = ${this.#freeScript}`],
      readonly: ['read only = yes'],
      closed: ['read only = no', 'valid users = nobody-of-that-name', `path = ${this.folderOf('data')}`],
      // Samba does not take its guest for the owner of what the guest has made.
      open: ['read only = no', 'guest ok = yes', 'force directory mode = 0777'],
    }
    const sections = Object.entries(shares).map(([name, lines]) =>
      [`[${name}]`, `path = ${this.folderOf(name)}`, ...lines].join('\n'),
    )
    return `[global]
server role = standalone
passdb backend = tdbsam
smb ports = ${this.port}
interfaces = 127.0.0.1
bind interfaces only = yes
disable netbios = yes
load printers = no
printcap name = /dev/null
map to guest = never
guest account = ${userInfo().uid === 0 ? 'nobody' : systemUser}
private dir = ${inner}
lock directory = ${inner}
state directory = ${inner}
cache directory = ${inner}
pid directory = ${inner}
ncalrpc dir = ${join(inner, 'ncalrpc')}
log file = ${join(inner, 'log')}
${sections.join('\n')}
`
  }
}

/** Debian keeps servers where only root looks for them. */
const environment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
