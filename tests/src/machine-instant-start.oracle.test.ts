import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Guest, guestDisks } from './support/backup/guests.ts'
import { tool } from './support/backup/images.ts'
import { MachineHost } from './support/backup/machine-host.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp } from './support/programs/server.ts'

after(cleanUp)

const disks = guestDisks()
const timeout = 900_000

/** The machine is a real one, in a real QEMU that computes every instruction. */
describe('a machine runs before its disks are copied', { skip: 'why' in disks && disks.why }, () => {
  const host = new MachineHost()
  const { folder, machines } = host
  before(() => host.start())
  after(() => host.stop())

  interface Shown {
    readonly id: string
    readonly state: string
    readonly step: string
    readonly machine: { readonly state: string }
  }
  const newest = async () => ((await (await host.backups.call('GET', '/restores')).json()) as Shown[])[0]

  test('it is started, copied behind its back, and goes on without the agent', { timeout }, async () => {
    assert.ok(!('why' in disks))
    const image = join(folder, 'bios.raw')
    copyFileSync(disks.bios, image)
    const revisions = [await host.backups.backUp(image, 1), await host.backups.backUp(image, 5)]
    rmSync(image)
    const program = host.command(
      'restore-machine',
      '--name',
      'at-once',
      '--memory',
      '640',
      '--instant',
      ...revisions.flatMap((revision) => ['--revision', String(revision)]),
    )
    const copying = await eventually(
      'the machine running while it is copied',
      async () => {
        const restore = await newest()
        return restore?.machine.state === 'STARTED' ? restore : undefined
      },
      300_000,
    )
    assert.ok(copying.state === 'RUNNING' ? copying.step === 'copying' : copying.state === 'SUCCESS')
    const { status } = await program.ended()
    assert.equal(status, 0, program.output)
    const file = join(machines, 'disks', readdirSync(join(machines, 'disks'))[0] ?? '')
    assert.match(program.output, new RegExp(`at-once \\(${copying.id}\\) started`))
    assert.ok(program.output.includes(file), program.output)
    assert.match(tool('qemu-img', 'info', '-U', file), /format: vhdx/)
    await host.agent.program.stop()
    const guest = new Guest(join(machines, copying.id))
    // Reset, it starts from its own disk; nobody else is there to read from.
    assert.equal((await guest.startAndHear()).root, '9a15ade0-0000-4000-8000-00000000ef53')
  })
})
