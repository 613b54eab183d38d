import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { Backups } from '../support/backup/backups.ts'
import { makeExt4, range, tool } from '../support/backup/images.ts'
import { application, Management } from '../support/firewall/proxy.ts'
import { Administration } from '../support/programs/administration.ts'
import { eventually } from '../support/programs/calls.ts'

/** An installed server, as those see it who use it. */
export interface Installation {
  /** {scheme}://{host}:{port} of the firewall's management. */
  readonly firewall: string
  /** Where awareness, backup and email lie. */
  readonly services: string
  readonly dataDirectory: string
  /** Where the agent's computer has its disks, as this process calls the folder, and as the agent does. */
  readonly disks: { readonly outside: string; readonly inside: string }
}

/** What was made in an installation, which has to be there after an upgrade. */
export interface Traces {
  readonly servicePort: number
  readonly revision: number
  readonly account: string
}

const imageMiB = 24

/** Protects an application, backs an image up and makes an account. The agent has to run. */
export async function makeTraces(installation: Installation): Promise<Traces> {
  const management = await Management.connect(installation)
  const port = await application((request, reply) => {
    request.resume().on('end', () => reply.end('Hello\n'))
  })
  const servicePort = await management.protect('shop', port)
  await management.call('PUT', 'services/shop/basic-security', { mode: 'Active' })

  const image = join(installation.disks.outside, 'disk.img')
  makeExt4(image, imageMiB)
  copyFileSync(image, `${image}.original`)
  const backups = await Backups.connect(installation)
  await backups.untilOnline()
  const revision = await backups.backUp(join(installation.disks.inside, 'disk.img'))

  const owner = await Administration.connect(installation)
  const account = 'branch'
  const created = await owner.call('POST', '/backup/accounts', { id: account })
  assert.equal(created.status, 201, await created.text())
  return { servicePort, revision, account }
}

/** Finds all of it at work: the application is reached, an attack is refused, the image comes back, the account is there. */
export async function useTraces(installation: Installation, traces: Traces): Promise<void> {
  const service = `http://127.0.0.1:${traces.servicePort}`
  const status = async (path: string) => {
    const reply = await fetch(`${service}${path}`).catch(() => undefined)
    await reply?.text()
    return reply?.status
  }
  await eventually('the application being reached', async () =>
    (await status('/')) === 200 ? true : undefined,
  )
  assert.equal(await status(`/?id=${encodeURIComponent("1' UNION SELECT user FROM users-- ")}`), 403)
  const ready = await (await fetch(`${installation.services}/readyz`)).json()
  assert.deepEqual(ready, { status: 'ready' })

  const backups = await Backups.connect(installation)
  await backups.untilOnline()
  const { outside, inside } = installation.disks
  const restored = await backups.restore(traces.revision, join(inside, `restored-${Date.now()}`))
  const file = join(outside, restored.slice(inside.length))
  const sizeBytes = imageMiB * 2 ** 20
  const compared = tool(
    'qemu-img',
    ...['compare', range('raw', join(outside, 'disk.img.original'), 0, sizeBytes)],
    range('vhdx', file, 2 ** 20, sizeBytes),
  )
  assert.match(compared, /Images are identical/)

  const owner = await Administration.connect(installation)
  assert.equal((await owner.call('GET', `/backup/accounts/${traces.account}`)).status, 200)
}
