// The tour: everything that Palisade does today, once, on a server and an agent of its own.
//
//   make an image → start → back up → damage the original → restore → check → the other three services → stop
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkDisk } from './check-disk.ts'
import { account, computer, configuration, secrets } from './configuration.ts'
import { damage, digestOfFile, makeImage } from './image.ts'
import { callAwareness, callEmail, callFirewall } from './other-services.ts'
import { Programs } from './programs.ts'
import { Stage } from './stage.ts'
import { backUp, connect, restore } from './volume.ts'

const folder = mkdtempSync(join(tmpdir(), 'palisade-tour-'))
const image = join(folder, 'files01.img')
const stage = new Stage()
const programs = new Programs(folder)

try {
  const description = await stage.step('Make a disk image with a file system and files', () =>
    makeImage(image, folder),
  )
  const original = digestOfFile(image)
  const addresses = await stage.step('Start a server on free ports', () =>
    programs.startServer(configuration),
  )
  await stage.step('Start a backup agent, which enrols', () =>
    programs.startAgent(addresses.services, secrets.enrolment, image),
  )
  const client = connect(addresses.services)
  const revision = await stage.step('Back the image up', (bar) => backUp(client, image, bar))
  await stage.step('Damage the original', async () => damage(image))
  const disk = await stage.step('Restore it as a VHDX', (bar) =>
    restore(client, revision, join(folder, 'restored'), bar),
  )
  const findings = await stage.step('Check the disk and compare the contents', () =>
    checkDisk(disk, original),
  )
  const firewall = await stage.step('Call the firewall', () => callFirewall(addresses.firewall))
  const awareness = await stage.step('Call the awareness service', () => callAwareness(addresses.services))
  const email = await stage.step('Call the email service', () => callEmail(addresses.services))
  await stage.step('Stop both', () => programs.stop())

  stage.summary([
    `${image}: ${description}`,
    `revision ${revision} of computer ${account}/${computer} in the vault`,
    ...findings,
    ...firewall,
    ...awareness,
    ...email,
  ])
} catch (error) {
  stage.fail(error)
  process.exitCode = 1
} finally {
  await programs.stop()
  rmSync(folder, { recursive: true, force: true })
}
