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
const momentsMs = [5, 40, 90, 150, 220, 300, 500, 900]

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
    let left = 0
    for (const moment of momentsMs) {
      await killAfter(moment, [host.kind, JSON.stringify(host.options), disk?.path ?? ''])
      const driver = host.again()
      const machines = await driver.list()
      left += machines.length
      for (const { id } of machines) await driver.remove(id, { disks: false })
      assert.deepEqual(await driver.list(), [])
      // What a killed driver had set going may come up a little later, and must not stay.
      await delay(300)
      assert.deepEqual(await driver.list(), [])
      assert.equal(openFilesIn(host.directory), 0)
    }
    assert.ok(left > 0, 'no kill came in the middle of anything')
  })
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
