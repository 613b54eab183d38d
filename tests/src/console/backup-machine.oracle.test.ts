/** A dead machine runs again, by the console alone, in a real QEMU that computes every instruction. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { Guest, guestDisks } from '../support/backup/guests.ts'
import { MachineHost } from '../support/backup/machine-host.ts'
import { ConsoleVisitor, expectReadable } from '../support/console/visitor.ts'
import { cleanUp } from '../support/programs/server.ts'

after(cleanUp)

const disks = guestDisks()
const timeout = 900_000
/** A guest that computes every instruction takes its time. */
const patience = { timeout: 420_000 }
const pages = '/backup/computers/acme/0001'

describe('machines in the console', { skip: 'why' in disks && disks.why, concurrency: true }, () => {
  const host = new MachineHost()
  const { folder, machines } = host
  // Both guests boot at the same time, since that takes longest. A restore would wait until the trial of another one has ended.
  const isMade = Promise.withResolvers<void>()
  let browser: Browser
  let visitor: ConsoleVisitor
  before(async () => {
    await host.start()
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, host.services)
    assert.ok(!('why' in disks))
    const image = join(folder, 'bios.raw')
    copyFileSync(disks.bios, image)
    for (const partition of [1, 5]) await host.backups.backUp(image, partition)
    rmSync(image)
  })
  after(async () => {
    await browser?.close()
    await host.stop()
  })

  test('a machine is made in three steps, boots, is listed, and is removed with its disks', {
    timeout,
  }, async () => {
    const visit = visitor.visitAsOwner(async (page) => {
      await page.goto(`${visitor.address}/console${pages}/restore`)
      await page.getByRole('radio', { name: /A virtual machine/ }).check()
      await page.getByLabel('Name of the machine').fill('files01-again')
      await page.getByText('Folder, memory, processors, firmware').click()
      await page.getByLabel('Memory (MiB)').fill('640')
      await expectReadable(page, 'backup-machine-form')
      await page.getByRole('button', { name: 'Make the machine' }).click()
      await page.getByRole('heading', { name: 'Restored', level: 1 }).waitFor(patience)
      isMade.resolve()
      await page.getByText('files01-again runs on hv01.').waitFor()
      await expectReadable(page, 'backup-machine-made')
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
      const guest = new Guest(join(machines, id))
      const words = await guest.startAndHear()
      assert.equal(words.id, id)
      assert.equal(words.cards, '', 'without a network it has no card')

      await page.getByRole('link', { name: 'Machines', exact: true }).click()
      await page.getByRole('region', { name: 'files01-again' }).getByText('started').waitFor()
      await page.getByRole('button', { name: 'Remove the machine' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('goes with its disks').waitFor()
      await dialog.getByRole('button', { name: 'Remove the machine' }).click()
      await page.getByText('No machine of a restore is there.').waitFor(patience)
      assert.ok(!existsSync(join(machines, id)))
    })
    await visit.finally(isMade.resolve)
  })

  test('it is tried whether a machine starts, cancelled, tried again, and the picture of its screen is shown', {
    timeout,
  }, async () => {
    await visitor.visitAsOwner(
      async (page) => {
        const dialog = page.getByRole('dialog')
        const begin = async () => {
          await page.getByRole('radio', { name: /Only see whether it starts/ }).check()
          await page.getByText('Folder, memory, processors, firmware').click()
          await page.getByLabel('Text that it shows when it runs').fill('PALISADE up=yes')
          await page.getByRole('button', { name: 'Try whether it starts' }).click()
          await page.getByRole('heading', { name: 'Restore runs', level: 1 }).waitFor(patience)
          await page.getByText(/^watches whether the machine starts/).waitFor(patience)
        }
        await isMade.promise
        await page.goto(`${visitor.address}/console${pages}/restore`)
        await begin()
        await expectReadable(page, 'backup-proof-runs')
        await page.getByRole('button', { name: 'Cancel the restore' }).click()
        await dialog.getByText('The backups stay as they are.').waitFor()
        await dialog.getByRole('button', { name: 'Cancel the restore' }).click()
        await page.getByRole('heading', { name: 'Restore cancelled', level: 1 }).waitFor(patience)
        await page.getByRole('link', { name: 'Restore again' }).click()
        await begin()
        await page.getByText('The machine starts.').waitFor(patience)
        const picture = page.getByRole('img', { name: /The screen of the machine/ })
        await picture.waitFor()
        await page.waitForFunction('document.images[0]?.naturalWidth > 0')
        await expectReadable(page, 'backup-proof')
        await page.getByRole('link', { name: 'Machines', exact: true }).click()
        await page.getByRole('heading', { name: 'Machines', level: 1 }).waitFor()
        await page.getByText('The machine starts.').first().waitFor()
        await expectReadable(page, 'backup-machines-proved')
      },
      { size: 'desktop' },
    )
  })
})
