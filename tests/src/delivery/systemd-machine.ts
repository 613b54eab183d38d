import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mirror } from '../fresh-machine/fresh-machine.ts'
import { eventually } from '../support/programs/calls.ts'

const release = 'bookworm'

/** What a server that runs Debian has, and what the package for Debian recommends. */
const installed = ['systemd', 'systemd-sysv', 'dbus', 'adduser', 'modsecurity-crs', 'libmodsecurity3']

/** Programs that make such a machine and run it. */
export const neededPrograms = ['/usr/bin/mmdebstrap', '/usr/bin/systemd-nspawn', '/usr/bin/nsenter']

/**
 * A Debian system in a folder that runs with its own systemd, processes and users, and with the network of this machine: its services
 * are reached on loopback.
 */
export class SystemdMachine {
  readonly #folder: string
  readonly #container: ChildProcess

  private constructor(folder: string) {
    this.#folder = folder
    const flags = ['--quiet', '--register=no', '--keep-unit', '--console=pipe', '--resolv-conf=off', '--boot']
    this.#container = spawn(
      'setpriv',
      ['--pdeathsig', 'KILL', 'systemd-nspawn', ...flags, '--directory', folder],
      { stdio: 'ignore' },
    )
  }

  /** Takes half a minute. @throws Error where no package can be downloaded */
  static async boot(): Promise<SystemdMachine> {
    const folder = mkdtempSync(join(process.env.PALISADE_TESTS_SHARE ?? tmpdir(), 'systemd-machine-'))
    const flags = ['--quiet', '--variant=minbase', `--include=${installed.join(',')}`]
    execFileSync('mmdebstrap', [...flags, release, folder, mirror()], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const machine = new SystemdMachine(folder)
    try {
      await eventually('the machine being up', async () =>
        (await machine.try('systemctl is-system-running')).status === 0 ? true : undefined,
      )
      return machine
    } catch (error) {
      await machine.remove()
      throw error
    }
  }

  /** A path of the machine as it is called outside. */
  outside(path: string): string {
    return join(this.#folder, path)
  }

  /**
   * Runs a command of the shell there, as root.
   *
   * @returns all that it printed, to both outputs
   */
  async try(command: string): Promise<{ status: number | null; output: string }> {
    const entering = [
      '--target',
      `${firstChildOf(this.#container.pid)}`,
      '--all',
      '--',
      'env',
      '-i',
      ...environment,
    ]
    const child = spawn('nsenter', [...entering, 'sh', '-c', `exec 2>&1; ${command}`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const [status] = await once(child, 'close')
    return { status, output }
  }

  /** The same. @throws Error with the output when the command fails */
  async run(command: string): Promise<string> {
    const { status, output } = await this.try(command)
    if (status !== 0) throw new Error(`${command} ended with ${status}:\n${output}`)
    return output
  }

  /** Ends what runs there, and removes all of it. */
  async remove(): Promise<void> {
    this.#container.kill('SIGKILL')
    if (this.#container.exitCode === null) await once(this.#container, 'exit')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
}

const environment = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'DEBIAN_FRONTEND=noninteractive',
]

/** The first process of the machine; another one for a moment while it starts. */
function firstChildOf(pid: number | undefined): string | undefined {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]
}
