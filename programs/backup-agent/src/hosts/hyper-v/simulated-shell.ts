import { existsSync, rmSync } from 'node:fs'
import { isRecord } from '../../json.ts'
import type { CommandResult } from '../run-bounded.ts'
import type { Shell } from './shell.ts'

interface Run {
  readonly script: string
  readonly input: string
}

interface SimulatedVm {
  readonly id: string
  name: string
  notes: string
  state: 'Off' | 'Running'
}

/**
 * Answers as the script would on a Windows Server 2022 with one switch, and records what it was given. What it answers is what
 * Microsoft's documentation of the cmdlets says, not what a Windows was seen to say. For tests only.
 */
export class SimulatedShell implements Shell {
  readonly runs: Run[] = []
  readonly machines = new Map<string, SimulatedVm>()
  readonly switchId = '9a0b7c11-8d4e-4c55-8b7e-0f1d2e3c4b5a'
  /** Given instead of the next reply. */
  nextReply: unknown

  async run(script: string, input: string): Promise<CommandResult> {
    this.runs.push({ script, input })
    const reply = this.nextReply ?? { ok: true, value: this.#answer(JSON.parse(input)) }
    this.nextReply = undefined
    return { status: 0, stdout: Buffer.from(JSON.stringify(reply)).toString('base64'), stderr: '' }
  }

  #answer({ command, parameters }: { command: string; parameters: Record<string, unknown> }): unknown {
    const id = String(parameters.id)
    const machine = this.machines.get(id)
    const disks = (Array.isArray(parameters.disks) ? parameters.disks : []).map((disk: unknown) =>
      String(isRecord(disk) ? disk.path : disk),
    )
    switch (command) {
      case 'describe-host':
        return {
          version: '10.0.20348',
          supportsGenerations: true,
          processors: 4,
          freeMebibytes: 8191,
          virtualDisksPath: 'C:\\Hyper-V\\Virtual Hard Disks',
          machinesPath: 'C:\\Hyper-V',
        }
      case 'list-switches':
        return [{ id: this.switchId, name: 'External' }]
      case 'list-machines':
        return [...this.machines.values()].map(({ name, notes, state }) => ({ name, notes, state }))
      case 'missing-disks':
        return disks.filter((path) => !existsSync(path))
      case 'define': {
        const notes = `palisade:1:${id}:${parameters.definition}`
        this.machines.set(id, { id, name: String(parameters.name), notes, state: 'Off' })
        return null
      }
      case 'start':
      case 'turn-off':
        if (machine !== undefined) machine.state = command === 'start' ? 'Running' : 'Off'
        return null
      case 'remove':
        for (const path of disks) rmSync(path, { force: true })
        this.machines.delete(id)
        return null
      default:
        throw new Error(`the script has no command ${command}`)
    }
  }
}
