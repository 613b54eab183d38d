/** A dead machine runs again, by the console alone, in a real QEMU that computes every instruction. */
import assert from 'node:assert/strict'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startConsoleBrowser } from '../support/applications/browser.ts'
import { Guest, guestDisks } from '../support/backup/guests.ts'
import { Libvirt } from '../support/backup/libvirt.ts'
import { MachineHost } from '../support/backup/machine-host.ts'
import { ConsoleVisitor, expectReadable } from '../support/console/visitor.ts'
import { cleanUp } from '../support/programs/server.ts'

after(cleanUp)

const disks = guestDisks()
const timeout = 900_000
/** A guest that computes every instruction takes its time. */
const patience = { timeout: 420_000 }
const dayMs = 86_400_000
const pages = '/backup/computers/acme/0001'

describe('machines in the console', { skip: 'why' in disks && disks.why, concurrency: true }, () => {
  const host = new MachineHost()
  const { folder, machines } = host
  const image = join(folder, 'bios.raw')
  // Both guests boot at the same time, since that takes longest. A restore would wait until the trial of another one has ended.
  const isMade = Promise.withResolvers<void>()
  let browser: Browser
  let visitor: ConsoleVisitor
  let libvirt: Awaited<ReturnType<typeof Libvirt.start>>
  before(async () => {
    libvirt = await Libvirt.start()
    if ('why' in libvirt) await host.start()
    else await host.start(libvirt.agentFlags('lv01'), libvirt.enter)
    browser = await startConsoleBrowser()
    visitor = new ConsoleVisitor(browser, host.services)
    assert.ok(!('why' in disks))
    copyFileSync(disks.bios, image)
    for (const partition of [1, 5]) await host.backups.backUp(image, partition)
  })
  after(async () => {
    await browser?.close()
    await host.stop()
    if (!('why' in libvirt)) await libvirt.stop()
  })

  /** Names a hypervisor in the dialog of the guide. */
  const chooseHost = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'Another hypervisor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(name)
    await expectReadable(page, 'backup-choose-host', undefined, 'dialog')
    await dialog.getByRole('button', { name: 'Use it' }).click()
  }

  /** Is told of a host of Hyper-V that this agent cannot reach, then has the machine made by libvirt, and removed there. */
  const makeAndRemoveElsewhere = async (page: Page) => {
    await chooseHost(page, 'hyper-v.example.org')
    await page.getByRole('alert').first().waitFor(patience)
    await expectReadable(page, 'backup-no-host')
    if ('why' in libvirt) return
    await chooseHost(page, 'lv01')
    await page.getByText('lv01', { exact: true }).waitFor(patience)
    await page.getByLabel('Name of the machine').fill('files01-elsewhere')
    await page.getByRole('button', { name: 'Make the machine' }).click()
    await page.getByText('files01-elsewhere runs on lv01.').waitFor(patience)
    await expectReadable(page, 'backup-machine-libvirt')
    assert.deepEqual(libvirt.machines(), { 'files01-elsewhere': 'running' })
    await page.getByRole('button', { name: 'Remove the machine' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the machine' }).click()
    await page.getByText(/files01-elsewhere .*was removed/).waitFor(patience)
    assert.deepEqual(libvirt.machines(), {})
  }

  test('a machine is made in three steps, boots, is listed, and is removed with its disks', {
    timeout,
  }, async (t) => {
    if ('why' in libvirt) t.diagnostic(`without libvirt: ${libvirt.why}`)
    const visit = visitor.visitAsOwner(
      async (page) => {
        await page.goto(`${visitor.address}/console${pages}/restore`)
        await page.getByRole('radio', { name: /A virtual machine/ }).check()
        await makeAndRemoveElsewhere(page)
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
      },
      { allowed: /status of 40[01]/ },
    )
    await visit.finally(isMade.resolve)
  })

  test('it is tried whether a machine starts, and cancelled; a set tries it when that is due, and shows the picture of its screen', {
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
        await page.getByRole('link', { name: 'Restore again' }).waitFor()

        await page.getByRole('link', { name: 'Backup sets' }).click()
        await page.getByRole('link', { name: 'Make a backup set' }).click()
        await page.getByRole('radio', { name: /Some volumes/ }).check()
        await page.getByLabel('Others, such as images').fill(`${image}#1\n${image}#5`)
        await page.getByLabel('How often').selectOption('manual')
        await page.getByLabel('Prove that it starts').fill('7')
        await page.getByLabel('On the hypervisor').selectOption('hv01')
        await page.getByLabel('Text that it shows').fill('PALISADE up=yes')
        await expectReadable(page, 'backup-set-proof')
        await page.getByRole('button', { name: 'Make the set' }).click()
        await page.getByRole('button', { name: 'Run now' }).click()
        await page.getByText('Everything of the set is backed up.').waitFor(patience)
        const nextProof = async () => {
          const [set] = (await (await host.backups.call('GET', '/backupsets')).json()) as {
            nextProof: string
          }[]
          return Date.parse(set?.nextProof ?? '') - Date.now()
        }
        assert.ok((await nextProof()) > 6 * dayMs)
        await page.getByRole('link', { name: 'Change' }).click()
        assert.equal(await page.getByLabel('Text that it shows').inputValue(), 'PALISADE up=yes')
        await page.getByLabel('Prove that it starts').fill('1')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByText('Next proof').waitFor()
        assert.ok((await nextProof()) < 2 * dayMs)

        bringProofForward(host.server.folder)
        await page.getByText(/: the machine starts\./).waitFor(patience)
        await expectReadable(page, 'backup-sets-proved')
        await page.getByRole('link', { name: 'Its screen' }).click()
        await page.getByText('The machine starts.').first().waitFor()
        const picture = page.getByRole('img', { name: /The screen of the machine/ }).first()
        await picture.waitFor()
        await page.waitForFunction('document.images[0]?.naturalWidth > 0')
        await expectReadable(page, 'backup-machines-proved')
        const restores = (await (await host.backups.call('GET', '/restores')).json()) as {
          id: string
          proof: { state: string } | null
        }[]
        const proof = restores.find((restore) => restore.proof?.state === 'RUNS')
        await page.goto(`${visitor.address}/console${pages}/restores/${proof?.id}`)
        await page.getByText('The machine starts.').waitFor()
        await picture.waitFor()
        await expectReadable(page, 'backup-proof')
      },
      { size: 'desktop' },
    )
  })
})

/** Makes a proof that a set waits for due now. @param folder of a server */
function bringProofForward(folder: string): void {
  const database = new DatabaseSync(join(folder, 'data', 'palisade.sqlite'), { timeout: 10_000 })
  try {
    const { changes } = database.prepare("UPDATE backup_timer SET due_at = 0 WHERE kind = 'prove-set'").run()
    assert.equal(changes, 1)
  } finally {
    database.close()
  }
}
