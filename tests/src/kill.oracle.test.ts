import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Backups } from './support/backup/backups.ts'
import { assertHolds, finishedDisks, keepCopy, makeExt4, tool } from './support/backup/images.ts'
import { Agent } from './support/programs/agent.ts'
import { basic, eventually, firewallToken } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'

after(cleanUp)

const kills = Number(process.env.KILLS ?? 8)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Listed {
  readonly name: string
  readonly port: string
  readonly 'Slow Client Attack Prevention': { readonly 'data-transfer-rate': string }
}

test(`after ${kills} kills of the server during writes, every acknowledged write is there and nothing is half there`, async () => {
  const home = newFolder()
  const acknowledged = new Map<string, number>()
  let count = 0
  for (let round = 0; round < kills; round++) {
    const server = await Server.start(home)
    const headers = { ...basic(await firewallToken(server)), 'content-type': 'application/json' }
    const write = async () => {
      for (;;) {
        const number = ++count
        const name = `app-${number}`
        const reply = await fetch(`${server.firewall}/restapi/v3.2/services`, {
          method: 'POST',
          headers,
          body: JSON.stringify({
            name,
            'ip-address': `127.2.${number >> 8}.${number & 255}`,
            port: 1000 + number,
          }),
        })
        if (reply.status !== 201) throw new Error(await reply.text())
        acknowledged.set(name, 1000 + number)
      }
    }
    const writers = Promise.allSettled([write(), write(), write()])
    await pause(randomInt(20, 250))
    await server.program.stop('SIGKILL')
    for (const { status } of await writers) assert.equal(status, 'rejected')
  }

  const server = await Server.start(home)
  const reply = await fetch(`${server.firewall}/restapi/v3.2/services`, {
    headers: basic(await firewallToken(server)),
  })
  const { data } = (await reply.json()) as { data: Record<string, Listed> }
  await server.program.stop()
  for (const [name, port] of acknowledged)
    assert.equal(data[name]?.port, String(port), `${name} was acknowledged`)
  for (const service of Object.values(data)) {
    assert.equal(
      service['Slow Client Attack Prevention']['data-transfer-rate'],
      '10',
      `${service.name} is whole`,
    )
  }
  assert.ok(acknowledged.size > kills, `only ${acknowledged.size} writes were acknowledged`)
})

describe('the agent killed during a restore', () => {
  test(`never leaves an unfinished disk under a finished name, in ${kills} kills, and the restore ends well`, async () => {
    const home = newFolder()
    const image = join(home, 'linux.img')
    makeExt4(image, 256)
    const original = keepCopy(image)
    const server = await Server.start(home)
    let agent = await Agent.start(server, home)
    const backups = await Backups.connect(server)
    const revision = await backups.backUp(image)

    let unfinished = 0
    for (let round = 0; round < kills; round++) {
      const target = join(home, `restored-${round}`)
      const id = await backups.startRestore([revision], target)
      await pause(randomInt(0, 400))
      await agent.program.stop('SIGKILL')
      if (finishedDisks(target).length === 0) unfinished++
      for (const file of finishedDisks(target)) assertHolds(file, original)
      agent = await Agent.start(server, home)
      const ended = await backups.ended('restores', id)
      assert.equal(ended.state, 'SUCCESS', JSON.stringify(ended))
      const files = finishedDisks(target)
      assert.deepEqual(ended.files, files)
      assert.equal(files.length, 1, 'one disk, written once')
      for (const file of files) assertHolds(file, original)
      await eventually('the removal of the partial file', async () =>
        readdirSync(target).length === 1 ? true : undefined,
      )
      rmSync(target, { recursive: true })
    }
    await agent.program.stop()
    await server.program.stop()
    assert.ok(unfinished > 0, 'at least one kill came before the end')
  })

  test('the server killed during backups and restores leaves every revision that it named readable', async () => {
    const home = newFolder()
    const image = join(home, 'linux.img')
    makeExt4(image, 96)
    let server = await Server.start(home)
    // What is written beside the file system's back would not be read otherwise.
    const agent = await Agent.start(server, home, ['--whole-volumes'])
    for (let round = 0; round < 5; round++) {
      tool(
        'dd',
        'if=/dev/urandom',
        `of=${image}`,
        'bs=1M',
        'count=8',
        `seek=${8 + round * 8}`,
        'conv=notrunc',
        'status=none',
      )
      const backups = await Backups.connect(server)
      const id = await backups.startBackup(image)
      await pause(randomInt(0, 300))
      await server.program.stop('SIGKILL')
      server = await server.again()
      const again = await Backups.connect(server)
      const ended = await again.ended('backups', id)
      assert.equal(ended.state, 'SUCCESS', JSON.stringify(ended))
      assert.ok(ended.revisionId)
      await again.untilOnline()
      assertHolds(await again.restore(ended.revisionId, join(home, 'restored')), image)
    }
    await agent.program.stop()
    await server.program.stop()
  })
})
