import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '../programs/calls.ts'
import { root } from '../repository/root.ts'

const program = join(root, 'programs/backup-agent/src/hosts/testing/boot-images-program.ts')
/** A guest that computes every instruction takes its time, and longer on a loaded machine. */
const bootPatienceMs = 420_000

/** Disks of tiny Linux systems whose root is on a volume of its own, by firmware; shared: copy before use. */
export type GuestDisks = Readonly<Record<'bios' | 'uefi', string>>

/** The disks of this machine, made now if they have to be; or why there can be none. */
export function guestDisks(): GuestDisks | { readonly why: string } {
  const text = execFileSync(process.execPath, ['--conditions=source', program], { encoding: 'utf8' })
  const { images, why } = JSON.parse(text) as { images?: { separate: GuestDisks }; why?: string }
  return images?.separate ?? { why: why ?? 'there are no boot images' }
}

/** A machine of QEMU that was defined in a folder and runs. */
export class Guest {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Starts the guest anew, with somebody who listens to its serial line, and waits until it has said that it is up.
   *
   * @returns what it said by then, by name
   */
  async startAndHear(): Promise<Readonly<Record<string, string>>> {
    // The one folder that QEMU may write in, by the only path that it may go.
    const out = join('run', 'heard.log')
    const path = join(this.#folder, out)
    const backend = { type: 'file', data: { out } }
    await this.#tell('chardev-change', { id: 'serial', backend })
    await this.#tell('system_reset')
    return eventually('the guest being up', async () => wordsIn(path), bootPatienceMs)
  }

  /** Cuts its power. */
  async end(): Promise<void> {
    await this.#tell('quit')
  }

  /** Gives QEMU one command of its machine protocol. */
  async #tell(execute: string, parameters: object = {}): Promise<void> {
    const socket = createConnection(join(this.#folder, 'run', 'qmp'))
    await once(socket, 'connect')
    const commands = [{ execute: 'qmp_capabilities' }, { execute, arguments: parameters }]
    for (const command of commands) socket.write(`${JSON.stringify(command)}\n`)
    let replies = 0
    for await (const line of createInterface({ input: socket })) {
      const { error, ...reply } = JSON.parse(line)
      if (error) throw new Error(`QEMU refuses ${execute}: ${error.desc}`)
      if ('return' in reply && ++replies === commands.length) break
    }
    socket.destroy()
  }
}

/** What the guest said since it was started last; undefined while it is not up. */
function wordsIn(path: string): Readonly<Record<string, string>> | undefined {
  const text = readFileSync(path, 'latin1')
  const words: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(/PALISADE (\w+)=([^\r\n]*)\r?\n/g)) {
    words[name] = value.trim()
  }
  return words.up === 'yes' ? words : undefined
}
