import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RevisionToRestore, VolumeDescription } from '@palisade/agent-protocol'
import { someRevision } from '../testing/revisions/some-revision.ts'
import { groupByDisk } from './group-by-disk.ts'

let lastId = 0

function revision(volume: Partial<VolumeDescription>): RevisionToRestore {
  const revisionId = ++lastId
  const usual = someRevision(4096, 4096)
  const own = { deviceId: `volume ${revisionId}`, partitionScheme: 'gpt' } as const
  return { ...usual, revisionId, volume: { ...usual.volume, ...own, ...volume } }
}

function on(id: string, number: number): Pick<VolumeDescription, 'placement'> {
  const disk = { id, sizeBytes: 2 ** 30, sectorSizeBytes: 512 } as const
  const rest = { offsetBytes: 0, uniqueId: '', name: '', attributes: '0', isActive: false }
  return { placement: { disk, number, ...rest } }
}

function idsOf(groups: ReturnType<typeof groupByDisk>): number[][] {
  return groups.map((group) => group.map(({ revisionId }) => revisionId))
}

test('the disk that starts comes first, and on it the volume with the system', () => {
  const data = revision(on('DATA', 1))
  const starter = revision({ ...on('SYSTEM', 1), isBoot: true, isSystem: true })
  const system = revision({ ...on('SYSTEM', 2), isBoot: true })
  assert.deepEqual(idsOf(groupByDisk([data, starter, system])), [
    [system.revisionId, starter.revisionId],
    [data.revisionId],
  ])
})

test('before a /boot without a partition, as on a RAID, comes the disk with the EFI system partition', () => {
  const array = { partitionScheme: 'none', diskId: '/dev/sda', isBoot: true } as const
  const root = revision(array)
  const boot = revision({ ...array, isSystem: true })
  const efi = revision({ ...on('SYSTEM', 1), diskId: '/dev/sda', isBoot: true, isSystem: true })
  assert.deepEqual(idsOf(groupByDisk([root, boot, efi])), [
    [efi.revisionId],
    [boot.revisionId],
    [root.revisionId],
  ])
})

test('a disk is known by its id, whatever it was called at the time', () => {
  const one = revision({ ...on('SAME', 1), diskId: '/dev/sda' })
  const other = revision({ ...on('SAME', 2), diskId: '/dev/sdb' })
  assert.equal(groupByDisk([one, other]).length, 1)
})

test('older revisions go by the path, to a disk that is known by its id too', () => {
  const old = revision({ diskId: '/dev/sda' })
  const identified = revision({ ...on('ID', 2), diskId: '/dev/sda' })
  const elsewhere = revision({ sourcePath: '/images/other.raw' })
  assert.deepEqual(idsOf(groupByDisk([old, identified, elsewhere])), [
    [old.revisionId, identified.revisionId],
    [elsewhere.revisionId],
  ])
})

test('disks that nobody signed are told apart by their paths', () => {
  const unsigned = (diskId: string) => revision({ ...on('00000000', 1), partitionScheme: 'mbr', diskId })
  assert.equal(groupByDisk([unsigned('/dev/sda'), unsigned('/dev/sdb')]).length, 2)
})

test('a volume without a partition has a disk of its own', () => {
  const bare = revision({ partitionScheme: 'none', diskId: '/dev/sda' })
  const partition = revision({ ...on('ID', 1), diskId: '/dev/sda' })
  assert.equal(groupByDisk([bare, partition]).length, 2)
})
