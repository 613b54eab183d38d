import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { guestDisks } from './support/backup/guests.ts'
import { MachineHost } from './support/backup/machine-host.ts'
import { cleanUp } from './support/programs/server.ts'

after(cleanUp)

const disks = guestDisks()
const timeout = 600_000
const signOfLife = 'PALISADE up=yes'
const pngSignature = '89504e470d0a1a0a'

/** Every machine of these tests is a real one, in a real QEMU that computes every instruction. */
describe('it is proved whether a machine starts', { skip: 'why' in disks && disks.why }, () => {
  const host = new MachineHost()
  const { folder, machines } = host
  before(() => host.start())
  after(() => host.stop())

  const prove = async (revisions: readonly number[], ...more: string[]) => {
    const program = host.command(
      'prove',
      '--sign',
      signOfLife,
      ...revisions.flatMap((revision) => ['--revision', String(revision)]),
      ...more,
    )
    const { status } = await program.ended()
    return { status, output: program.output }
  }
  interface Proved {
    readonly LastProvedBootable: string | null
    readonly Proof: { readonly State: string; readonly Reason: string; readonly HasScreenshot: boolean }
  }
  const show = async (revision: number) =>
    (await (await host.backups.call('GET', `/revisions/${revision}`)).json()) as Proved
  const requireNothing = () => {
    assert.deepEqual(readdirSync(machines), ['disks'])
    assert.deepEqual(readdirSync(join(machines, 'disks')), [])
  }

  test('one that runs, with a picture of its screen, and one whose system is gone', { timeout }, async () => {
    assert.ok(!('why' in disks))
    const image = join(folder, 'bios.raw')
    copyFileSync(disks.bios, image)
    const [start, root] = [await host.backups.backUp(image, 1), await host.backups.backUp(image, 5)]
    rmSync(image)

    const picture = join(folder, 'screen.png')
    const good = await prove([start, root], '--screenshot', picture)
    assert.equal(good.status, 0, good.output)
    assert.match(good.output, /runs: The machine says what it was expected to say\./)
    assert.equal(readFileSync(picture).toString('hex', 0, 8), pngSignature)
    const { LastProvedBootable, Proof } = await show(root)
    assert.deepEqual([Proof.State, Proof.HasScreenshot], ['RUNS', true])
    assert.notEqual(LastProvedBootable, null)
    requireNothing()

    // Without its second volume the loader and the kernel are there, and the system is not.
    const bad = await prove([start])
    assert.equal(bad.status, 1, bad.output)
    assert.match(bad.output, /fails: The machine ended by itself\./)
    assert.equal((await show(start)).Proof.State, 'FAILS')
    assert.equal((await show(root)).Proof.State, 'RUNS', 'it was not restored with the other')
    requireNothing()
  })

  test('one whose EFI system partition was never backed up, and whose firmware shows its shell', {
    timeout,
  }, async () => {
    assert.ok(!('why' in disks))
    const image = join(folder, 'uefi.raw')
    copyFileSync(disks.uefi, image)
    const bad = await prove([await host.backups.backUp(image, 2)])
    assert.equal(bad.status, 1, bad.output)
    assert.match(bad.output, /fails: The machine finds no loader to start from/)
    requireNothing()
  })
})
