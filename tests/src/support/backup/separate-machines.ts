import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Machine } from '../programs/server.ts'

const programs = ['/usr/sbin/ip', '/usr/sbin/iptables', '/usr/bin/unshare']

/** Why no machines of their own can be made here; false where they can. */
export function noSeparateMachines(): string | false {
  const missing = programs.find((program) => !existsSync(program))
  if (missing !== undefined) return `not installed: ${missing}`
  if (process.getuid?.() !== 0) return 'making network namespaces needs root'
  try {
    const network = new SeparateNetwork()
    try {
      network.machine().cutOff()
    } finally {
      network.remove()
    }
    return false
  } catch (error) {
    return `this kernel makes no network namespaces: ${error instanceof Error ? error.message.split('\n').at(-2) : error}`
  }
}

/** A machine whose packets can be dropped: nobody hears of that, as when a cable is pulled. */
export interface SeparateMachine extends Machine {
  /**
   * Drops all packets between it and all others, or some of them.
   *
   * @param peer the address of the only other machine that it is cut off from
   * @param port of that machine, where the others stay reachable
   */
  cutOff(peer?: string, port?: number): void
  /** Undoes every cut. */
  heal(): void
}

/** Whose processes can be seen is on the same machine, and a lock in the storage may say that they live. */
const ownProcesses = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']

/** Machines in network namespaces of their own, on one bridge with this one. */
export class SeparateNetwork {
  readonly #name = `pal${process.pid % 100_000}`
  readonly #subnet = `10.213.${process.pid % 250}`
  readonly #namespaces: string[] = []

  constructor() {
    ip('link', 'add', this.#name, 'type', 'bridge')
    ip('address', 'add', `${this.host}/24`, 'dev', this.#name)
    ip('link', 'set', this.#name, 'up')
  }

  /** Where machines reach this one. */
  get host(): string {
    return `${this.#subnet}.1`
  }

  machine(): SeparateMachine {
    const namespace = `${this.#name}-${this.#namespaces.length + 2}`
    const host = `${this.#subnet}.${this.#namespaces.length + 2}`
    ip('netns', 'add', namespace)
    this.#namespaces.push(namespace)
    const outside = `${this.#name}.${this.#namespaces.length}`
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    ip('link', 'set', outside, 'master', this.#name, 'up')
    const inside = (...argv: string[]) => ip('-n', namespace, ...argv)
    inside('link', 'set', 'lo', 'up')
    inside('address', 'add', `${host}/24`, 'dev', 'eth0')
    inside('link', 'set', 'eth0', 'up')
    const inNamespace = ['netns', 'exec', namespace]
    const filter = (...argv: string[]) => ip(...inNamespace, 'iptables', ...argv)
    return {
      host,
      enter: ['ip', ...inNamespace, ...ownProcesses],
      cutOff: (peer, port) => {
        const at = (direction: 's' | 'd') => [
          ...(peer === undefined ? [] : [`-${direction}`, peer]),
          ...(port === undefined ? [] : ['-p', 'tcp', `--${direction}port`, String(port)]),
        ]
        filter('-A', 'INPUT', '-i', 'eth0', ...at('s'), '-j', 'DROP')
        filter('-A', 'OUTPUT', '-o', 'eth0', ...at('d'), '-j', 'DROP')
      },
      heal: () => filter('-F'),
    }
  }

  remove(): void {
    for (const namespace of this.#namespaces.splice(0)) ip('netns', 'delete', namespace)
    ip('link', 'delete', this.#name)
  }
}

function ip(...argv: string[]): void {
  execFileSync('ip', argv, { stdio: 'pipe', encoding: 'utf8' })
}
