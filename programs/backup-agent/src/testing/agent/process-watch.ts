import { readdirSync, readFileSync } from 'node:fs'

/** What was seen of the processes of this machine over some time. */
export interface SeenProcesses {
  /** Their command lines, each once, parameters parted by spaces. */
  readonly commands: readonly string[]
  /** Where a secret was seen: `/proc/…/cmdline` or `/proc/…/environ`, and the command line. */
  readonly found: readonly string[]
}

const lookEveryMs = 3

/** Looks again and again for secrets in the parameters and the environment of every process of this machine. */
export function watchProcesses(secrets: readonly string[]): { stop(): Promise<SeenProcesses> } {
  const commands = new Set<string>()
  const processes = new Set<string>()
  const look = () => {
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue
      const command = readOfProcess(pid, 'cmdline').replaceAll('\0', ' ')
      commands.add(command)
      for (const place of ['cmdline', 'environ'] as const) {
        const text = readOfProcess(pid, place)
        if (secrets.some((secret) => text.includes(secret)))
          processes.add(`/proc/${pid}/${place} of ${command}`)
      }
    }
  }
  const timer = setInterval(look, lookEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      look()
      return { commands: [...commands], found: [...processes] }
    },
  }
}

/** What a process was started with, each part ended by a NUL; empty when it is gone or belongs to somebody else. */
export function readOfProcess(pid: string, what: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}
