import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, Backups, guestDisks, newFolder, Server } from '@palisade/tests'
import type { Extent } from './extent.ts'
import { compare, print, timed } from './harness.ts'
import { makeImage } from './volume-image.ts'

const mebibyte = 2 ** 20

/** The guest's own partitions: the EFI system partition, and its root. */
const systemPartitions = [1, 2]
const dataPartition = 3

/**
 * Restore of a machine with a data volume, as a virtual machine that is not started, beside the restore of the same revisions as virtual
 * disks.
 */
export async function machineRestore(extent: Extent): Promise<void> {
  const disks = guestDisks()
  if ('why' in disks) throw new Error(disks.why)
  const folder = newFolder()
  // QEMU's control socket lies in it, whose path must be short.
  const machines = mkdtempSync(join(tmpdir(), 'pb-'))
  try {
    const image = join(folder, 'machine.raw')
    makeMachine(disks.uefi, image, extent.imageBytes)
    const server = await Server.start(folder)
    const agent = await Agent.start(server, folder, ['--host', `here=qemu:${machines}`])
    try {
      await compareRestores(await Backups.connect(server), { image, machines, folder, extent })
    } finally {
      await agent.program.stop()
      await server.program.stop()
    }
  } finally {
    rmSync(machines, { recursive: true, force: true })
  }
}

/** A guest's disk with a partition of data behind its own. */
function makeMachine(guest: string, image: string, dataBytes: number): void {
  const data = `${image}.data`
  makeImage(data, dataBytes)
  copyFileSync(guest, image)
  const mebibytes = Number(execFileSync('stat', ['-c', '%s', image], { encoding: 'utf8' })) / mebibyte
  truncateSync(image, (Math.ceil(mebibytes) + 2) * mebibyte + dataBytes)
  const start = Math.ceil(mebibytes) * 2048
  const end = start + dataBytes / 512 - 1
  execFileSync('sgdisk', ['-e', '-n', `${dataPartition}:${start}:${end}`, image], { stdio: 'ignore' })
  const into = [`of=${image}`, 'bs=1M', `seek=${start / 2048}`, 'conv=notrunc']
  execFileSync('dd', [`if=${data}`, ...into], { stdio: 'ignore' })
  rmSync(data)
}

interface Given {
  readonly image: string
  readonly machines: string
  readonly folder: string
  readonly extent: Extent
}

async function compareRestores(backups: Backups, { image, machines, folder, extent }: Given): Promise<void> {
  const revisions: number[] = []
  for (const partition of [...systemPartitions, dataPartition]) {
    revisions.push(await backups.backUp(image, partition))
  }
  const ended = async (id: string) => {
    const { state, error } = (await backups.ended('restores', id, 600_000)) as {
      state: string
      error?: unknown
    }
    if (state !== 'SUCCESS') throw new Error(`a restore ended with ${state}: ${JSON.stringify(error)}`)
  }
  const asDisks = async () => {
    const target = join(folder, 'disks')
    rmSync(target, { recursive: true, force: true })
    await ended(await backups.startRestore(revisions, target))
  }
  const { hostId, sessionId } = await chooseHost(backups)
  const restoreMachine = async (): Promise<string> => {
    for (const name of readdirSync(machines)) rmSync(join(machines, name), { recursive: true })
    const reply = await backups.call('POST', '/restore/diskimage/standard/vm', {
      sessionId,
      hostId,
      recoveryType: 'TestRecovery',
      firmwareType: 'Uefi',
      diskFormat: 'Vhdx',
      diskLocation: { path: join(machines, 'disks') },
      hostProperties: { name: 'bench', cores: 1, memory: 512 },
      revisions,
      start: false,
    })
    const id = reply.headers.get('x-restore-id')
    if (id === null) throw new Error(`${reply.status} ${await reply.text()}`)
    await ended(id)
    return id
  }
  const asMachine = async () => {
    let id = ''
    const seconds = await timed(async () => {
      id = await restoreMachine()
    })
    await backups.call('DELETE', `/restores/${id}/machine`)
    return seconds
  }
  const comparison = {
    title: 'Restore of a machine with a volume of data (VHDX, verified)',
    unit: 's',
    peer: 'as virtual disks',
    moreIsBetter: false,
    contenders: [
      { name: 'as a virtual machine', run: asMachine },
      { name: 'as virtual disks', run: () => timed(asDisks) },
    ],
  }
  print(comparison, await compare(comparison, extent))
}

async function chooseHost(backups: Backups): Promise<{ hostId: number; sessionId: string }> {
  const call = async (path: string, body?: object) => (await backups.call('POST', path, body)).json()
  const { sessionId } = (await call('/restore/hyperv/session')) as { sessionId: string }
  const host = await call('/restore/hyperv/host/register/local', { sessionId })
  return { hostId: (host as { identifier: { id: number } }).identifier.id, sessionId }
}
