import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { makeSharingVolume } from './support/backup/sharing-volume.ts'
import { Agent } from './support/programs/agent.ts'
import { eventually } from './support/programs/calls.ts'
import { Program } from './support/programs/program.ts'
import { cleanUp, newFolder, provisionedWithUpkeep, Server } from './support/programs/server.ts'

after(cleanUp)

const mebibyte = 2 ** 20

test('revisions with tracked changes are what the image was, also when the one before was deleted and its space freed', async (t) => {
  const home = join(newFolder(), 'sharing')
  mkdirSync(home)
  const volume = makeSharingVolume(home, 512 * mebibyte)
  if ('why' in volume) {
    t.skip(volume.why)
    return
  }
  t.after(async () => {
    await Program.stopAll()
    await volume.remove()
  })
  const image = join(volume.folder, 'image.raw')
  writeFileSync(image, randomBytes(32 * mebibyte))
  const write = (at: number) => {
    const file = openSync(image, 'r+')
    writeSync(file, randomBytes(5000), 0, 5000, at)
    closeSync(file)
  }
  const server = await Server.start(newFolder(), provisionedWithUpkeep)
  t.after(() => server.remove())
  const agent = await Agent.start(server, newFolder(), ['--track-changes'])
  t.after(() => agent.program.stop())
  const backups = await Backups.connect(server)
  const isOn = async (revision: number, path: string) => {
    const { state, reason } = await backups.actionEnded(
      await backups.call('POST', `/revisions/${revision}/compare`, { path }),
    )
    assert.equal(state, 'SUCCESS', reason)
  }
  const isWhatTheImageIs = (revision: number) => isOn(revision, image)
  const counts = () =>
    [...agent.program.output.matchAll(/"unchanged":(\d+),"unchangedAndStored":(\d+)/g)].map(([, ...counts]) =>
      counts.map(Number),
    )
  await isWhatTheImageIs(await backups.backUp(image))
  write(3 * mebibyte + 77)
  const second = await backups.backUp(image)
  await isWhatTheImageIs(second)
  assert.deepEqual(counts(), [[63, 63]])
  assert.match(agent.program.output, /"partlyChanged":1/)
  for (const format of ['Vhdx', 'Vhd']) await isOn(second, await backups.restore(second, newFolder(), format))
  const verified = await backups.actionEnded(await backups.call('POST', `/revisions/${second}/verify`, {}))
  assert.equal(verified.state, 'SUCCESS', verified.reason)
  for (const revision of [1, 2])
    assert.equal((await backups.call('DELETE', `/revisions/${revision}`)).status, 204)
  const collections = () => server.program.output.match(/the vault was collected/g)?.length ?? 0
  // One may have been under way when the revisions were deleted.
  const before = collections()
  await eventually('two collections', async () => (collections() > before + 1 ? true : undefined))
  write(7 * mebibyte)
  await isWhatTheImageIs(await backups.backUp(image))
  assert.deepEqual(counts()[1], [63, 0], 'unchanged, and not stored any more')
})
