import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../repository/root.ts'

const program = join(root, 'programs/backup-agent/src/hosts/testing/private-libvirt-program.ts')

/** A libvirtd of a test, which touches nothing of this machine's. It ends with the process that started it at the latest. */
export class Libvirt {
  readonly #child: ChildProcess
  readonly #uri: string
  /** The command that runs another one where the daemon's files are. */
  readonly enter: readonly [string, ...string[]]

  private constructor(child: ChildProcess, { uri, pid }: { readonly uri: string; readonly pid: number }) {
    this.#child = child
    this.#uri = uri
    this.enter = ['/usr/bin/nsenter', '--mount', '--target', String(pid)]
  }

  /** Starts one; or says why there can be none. */
  static async start(): Promise<Libvirt | { readonly why: string }> {
    const child = spawn(process.execPath, ['--conditions=source', program], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const answer = JSON.parse(String(line)) as { uri: string; pid: number } | { why: string }
    return 'why' in answer ? answer : new Libvirt(child, answer)
  }

  /** What an agent needs to make machines there, and disks where libvirt has them. */
  agentFlags(name: string): readonly string[] {
    return ['--host', `${name}=libvirt:${this.#uri}`, '--restore-to', '/var/lib/libvirt/images']
  }

  /** The states of its machines, by name. */
  machines(): Readonly<Record<string, string>> {
    const text = execFileSync('virsh', ['-q', '-c', this.#uri, 'list', '--all'], { encoding: 'utf8' })
    return Object.fromEntries(
      [...text.matchAll(/^ *\S+ +(\S+) +(.+)$/gm)].map(([, name = '', state = '']) => [name, state.trim()]),
    )
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit')
    this.#child.stdin?.end()
    await ended
  }
}
