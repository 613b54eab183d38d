/**
 * A simulated host that outlives the agent, for tests that kill it. What it is lies in a folder:
 *
 *     limits.json      what differs from a host that has everything, and may change at any time
 *     machines.json    its machines, written after each change
 *     pause-STEP       made by a test: the driver that comes to this step says so by `at-STEP` and waits until it is gone
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SimulatedHost } from './simulated-host.ts'
import type { SimulatedLimits, SimulatedMachine, SimulatedStep } from './simulated-hypervisor.ts'

const lookEveryMs = 20

/** Takes up the machines in the folder, and writes them there after each change. Pauses are looked for every 20 ms. */
export class SimulatedHostInFolder extends SimulatedHost {
  readonly #folder: string

  constructor(folder: string) {
    super()
    this.#folder = folder
    for (const machine of simulatedMachinesIn(folder)) this.machines.set(machine.definition.id, machine)
  }

  override get limits(): SimulatedLimits {
    const path = join(this.#folder, 'limits.json')
    return { ...super.limits, ...(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}) }
  }

  override async enter(step: SimulatedStep): Promise<void> {
    const pause = join(this.#folder, `pause-${step}`)
    if (existsSync(pause)) writeFileSync(join(this.#folder, `at-${step}`), '')
    while (existsSync(pause)) await delay(lookEveryMs)
    await super.enter(step)
  }

  override changed(): void {
    const path = join(this.#folder, 'machines.json')
    writeFileSync(`${path}.new`, JSON.stringify([...this.machines.values()]))
    renameSync(`${path}.new`, path)
  }
}

/** The machines of a simulated host in a folder, as they were after the last change. */
export function simulatedMachinesIn(folder: string): readonly SimulatedMachine[] {
  const path = join(folder, 'machines.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}
