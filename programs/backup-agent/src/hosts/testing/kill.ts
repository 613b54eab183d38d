import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { run } from '../../testing/tool.ts'
import { machine } from './conformance.ts'
import type { HostUnderTest } from './host-under-test.ts'

/** After so long is the program killed: in the middle of defining, of starting, of removing, or between. */
const momentsMs = [5, 90, 220, 400, 900]

/** And after so long where nothing was begun before, on a machine that is busy with other things. */
const laterMomentsMs = [2_000, 5_000, 10_000]

/** How often machines are removed before it counts as in vain. */
const attemptsMax = 30

/** A host, and what the driver in another process needs to reach it. */
export interface HostToKillOn extends HostUnderTest {
  readonly kind: 'qemu' | 'libvirt'
  readonly options: Readonly<Record<string, unknown>>
}

/** Kills a driver's process at many moments; whatever it leaves has to be found and removed by the next. */
export function testKilledDrivers(
  kind: string,
  create: (t: TestContext) => Promise<HostToKillOn | undefined>,
): void {
  test(`${kind}: what a killed driver leaves can be listed and removed`, { timeout: 120_000 }, async (t) => {
    const host = await create(t)
    if (host === undefined) return
    const [disk] = machine(host).disks
    const leftAfter = async (moment: number) => {
      await killAfter(moment, [host.kind, JSON.stringify(host.options), disk?.path ?? ''])
      return removeAll(host)
    }
    let left = 0
    for (const moment of momentsMs) left += await leftAfter(moment)
    for (const moment of laterMomentsMs) {
      if (left === 0) left += await leftAfter(moment)
    }
    assert.ok(left > 0, 'no kill came in the middle of anything')
  })
}

/**
 * Removes all machines until nothing is left of any. What a killed driver had set going may come up a little later: the tools that it
 * has started live on.
 *
 * @returns how many there were
 */
async function removeAll(host: HostToKillOn): Promise<number> {
  const driver = host.again()
  let removed = 0
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    for (const { id } of await driver.list()) {
      await driver.remove(id, { disks: false })
      removed++
    }
    await delay(300)
    if ((await driver.list()).length === 0 && openFilesIn(host.directory) === 0) return removed
  }
  assert.fail('what was left cannot be removed, or comes back again and again')
}

async function killAfter(moment: number, parameters: readonly string[]): Promise<void> {
  const program = join(import.meta.dirname, 'define-and-start.ts')
  const child = spawn(process.execPath, ['--conditions=source', program, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  await delay(moment)
  child.kill('SIGKILL')
  const [, signal] = await ended
  assert.equal(signal, 'SIGKILL', 'the program ended by itself')
}

/** How many files of this folder any process has open, removed ones too: a hypervisor has those of its machines. */
function openFilesIn(directory: string): number {
  const search = 'ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c -F -- "$1" || true'
  return Number(run('sh', '-c', search, 'sh', directory).trim())
}
