import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { root } from '../repository/root.ts'
import type { Destination } from './backups.ts'

const program = join(root, 'programs', 'backup-agent', 'src', 'testing', 'samba', 'samba-process.ts')

interface Listening {
  readonly port: number
  readonly credentials: { readonly username: string; readonly password: string }
  /** Where what is on the share lies on this machine. */
  readonly folder: string
}

/** A share of a real Samba server on a free port of loopback. It ends with the process that started it at the latest. */
export class Share {
  readonly #child: ChildProcess
  readonly #lines: Interface
  readonly #directory: string
  readonly #listening: Listening

  private constructor(child: ChildProcess, lines: Interface, directory: string, listening: Listening) {
    this.#child = child
    this.#lines = lines
    this.#directory = directory
    this.#listening = listening
  }

  static async start(): Promise<Share> {
    const directory = mkdtempSync(join(tmpdir(), 'palisade-share-'))
    const child = spawn(process.execPath, ['--conditions=source', program, directory], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })
    const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit')])
    if (typeof line !== 'string') throw new Error('the Samba server of the test did not start')
    return new Share(child, lines, directory, JSON.parse(line))
  }

  /** What an agent needs to find the server, and to be allowed to write there. */
  get agentFlags(): readonly string[] {
    return ['--share-port', String(this.#listening.port), '--restore-to', '//127.0.0.1/data']
  }

  /** A folder on the share as a restore's destination. */
  destination(folder: string): Exclude<Destination, string> {
    return { path: `\\\\127.0.0.1\\data\\${folder}`, credentials: this.#listening.credentials }
  }

  /** Where a file on the share, by the path that the agent gives it, lies on this machine. */
  fileAt(path: string): string {
    return join(this.#listening.folder, ...path.split('\\').slice(4))
  }

  /** Takes the server away, and with it every connection. */
  async stop(): Promise<void> {
    await this.#say('stop')
  }

  /** Brings the server back, where it was. */
  async resume(): Promise<void> {
    await this.#say('resume')
  }

  async remove(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await ended
    rmSync(this.#directory, { recursive: true, force: true })
  }

  async #say(word: 'stop' | 'resume'): Promise<void> {
    const line = once(this.#lines, 'line')
    this.#child.stdin?.write(`${word}\n`)
    await line
  }
}
