/** A disk that takes what is written to it and says later that it could not: a device in a file for which memory runs out. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { hasTools, run } from '../testing/tool.ts'
import { whileMounted } from '../testing/volumes/mount.ts'

const mebibyte = 1024 * 1024

for (const verifiesFromDisk of [false, true]) {
  const way = verifiesFromDisk ? 'past the cache' : 'through the cache'

  test(`a disk that was written ${way} and did not reach the device gets no name`, async (t) => {
    if (!hasTools(t, 'mke2fs', 'mount')) return
    const agent = await TestAgent.start(t, { verifiesFromDisk })
    const image = join(agent.directory, 'image.raw')
    writeFileSync(image, randomBytes(96 * mebibyte))
    const revision = await agent.server.backUp('b1', { path: image })
    await whileMounted(t, 'memory', ['mount', '-t', 'tmpfs', '-o', 'size=48m'], async (memory) => {
      const disk = join(memory, 'disk')
      writeFileSync(disk, '')
      truncateSync(disk, 256 * mebibyte)
      run('mke2fs', '-q', '-t', 'ext4', '-J', 'size=4', '-E', 'lazy_itable_init=1', disk)
      await whileMounted(t, disk, ['mount', '-o', 'loop,errors=continue'], async (folder) => {
        const target = join(folder, 'restored')
        mkdirSync(target)
        const outcome = await agent.server.restore('r1', target, 'Vhdx', [revision], 'files01')
        // Who hears of it first is a matter of time: a write, what is read back, or the wait for the device.
        const { code, message } = outcome.state === 'ERROR' ? outcome : assert.fail()
        assert.ok(['NotEnoughSpace', 'CreateFolderFailed', 'VerificationFailed'].includes(code), message)
        assert.ok(!existsSync(join(target, 'files01.vhdx')))
      })
    })
  })
}
