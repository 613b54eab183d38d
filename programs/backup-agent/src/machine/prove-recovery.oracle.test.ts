import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { copyFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { QemuHost } from '../hosts/qemu/qemu-host.ts'
import { bootImages } from '../hosts/testing/boot-images.ts'
import { directoryWithMachines } from '../hosts/testing/host-under-test.ts'
import { proveRecovery } from './prove-recovery.ts'

const pngMark = '89504e470d0a1a0a'

test('a real machine is proved to run, or not to, with a picture of its screen', {
  timeout: 600_000,
}, async (t) => {
  const images = bootImages(t)
  if (images === undefined) return
  const { directory, driver } = directoryWithMachines(
    t,
    (folder) => new QemuHost({ machinesPath: folder, accelerator: 'tcg' }),
  )
  const works = join(directory, 'works.raw')
  copyFileSync(images.separate.bios, works)
  const broken = join(directory, 'broken.raw')
  copyFileSync(images.separate.bios, broken)
  // Without its second volume the loader and the kernel are there, and the system is not.
  truncateSync(broken, 22 * 1024 * 1024)
  truncateSync(broken, statSync(works).size)
  const empty = join(directory, 'empty.raw')
  writeFileSync(empty, '')
  truncateSync(empty, 4 * 1024 * 1024)
  let ran = 0
  for (const [path, verdict, reason] of [
    [works, 'runs', /says what it was expected to say/],
    [broken, 'fails', /ended by itself/],
    [empty, 'fails', /nothing to start from/],
  ] as const) {
    const machine = {
      id: randomUUID(),
      name: `proof ${verdict} ${ran}`,
      firmware: 'bios' as const,
      cores: 1,
      memoryMebibytes: 512,
      disks: [{ path, format: 'raw' }],
    } as const
    const request = { machine, signOfLife: /^PALISADE up=yes$/m, timeoutMs: 240_000, removeDisks: false }
    const proof = await proveRecovery(driver, request, new AbortController().signal)
    assert.equal(proof.verdict, verdict, `${proof.reason}\n${proof.output}`)
    assert.match(proof.reason, reason)
    if (path !== broken) assert.equal(proof.screenshot?.toString('hex', 0, 8), pngMark)
    if (path === works) assert.match(proof.output, /PALISADE root=9a15ade0/)
    assert.deepEqual(await driver.list(), [])
    ran++
  }
  assert.equal(ran, 3)
})
