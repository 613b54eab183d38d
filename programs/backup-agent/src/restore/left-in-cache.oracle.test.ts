/** What of a restored disk is left in the system's cache, in a folder of a container, whose file system lies upon another. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileSystems } from '../system-calls/file-system-types.ts'
import { linuxFileCalls } from '../system-calls/linux-files.ts'
import { TestAgent } from '../testing/agent/test-agent.ts'
import { hasTools } from '../testing/tool.ts'
import { whileMounted } from '../testing/volumes/mount.ts'
import { cachedMiB } from '../testing/volumes/volume-image.ts'

const sizeMiB = 64

test('a restored disk is not left in the cache, also where a file system lies upon another', async (t) => {
  if (!hasTools(t, 'mount', 'fincore') || (await linuxFileCalls()) === undefined) return
  const agent = await TestAgent.start(t)
  if (statfsSync(agent.directory).type === fileSystems.tmpfs)
    return t.skip('the files of the tests are in memory')
  const image = join(agent.directory, 'image.raw')
  writeFileSync(image, randomBytes(sizeMiB * 1024 * 1024))
  const revision = await agent.server.backUp('b1', { path: image })
  const [lower, upper, work] = ['lower', 'upper', 'work'].map((name) => join(agent.directory, name))
  for (const folder of [lower, upper, work]) mkdirSync(folder ?? assert.fail())
  const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work}`
  await whileMounted(t, 'overlay', ['mount', '-t', 'overlay', '-o', layers], async (folder) => {
    for (const format of ['Vhdx', 'Vhd'] as const) {
      const outcome = await agent.server.restore(`r-${format}`, folder, format, [revision], 'files01')
      assert.equal(outcome.state, 'SUCCESS')
      const left = cachedMiB(join(folder, `files01.${format.toLowerCase()}`))
      assert.ok(left < sizeMiB / 4, `${left} MiB are in the cache`)
    }
  })
})
