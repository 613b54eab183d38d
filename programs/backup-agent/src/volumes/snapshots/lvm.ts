/**
 * Snapshots of logical volumes, by LVM's own commands. The kernel closes the file system on the volume for the moment in
 * which it is taken (dm-snapshot freezes it), so that not even its journal is left to be replayed.
 *
 * One of a thin volume takes its room from the pool. Any other needs room of its own in the group for what is written
 * to the volume meanwhile: a tenth of the volume, if there is so much. When that runs out, the snapshot cannot be read
 * any more and the backup fails.
 */
import { isRecord } from '../../json.ts'
import type { Volume } from '../open-volume.ts'
import type { Shell } from './shell.ts'
import type { SnapshotKind, SnapshotRecord } from './snapshot.ts'

const mebibyte = 1024 * 1024
const roomMinBytes = 64 * mebibyte
const roomShare = 0.1

interface LogicalVolume {
  readonly group: string
  readonly name: string
  readonly pool: string
  readonly sizeBytes: number
  readonly groupFreeBytes: number
}

/** Snapshots by `lvcreate` and `lvremove`; needs root. `plan` refuses what is no logical volume, and groups without room. */
export function lvmSnapshots(shell: Shell): SnapshotKind {
  return {
    async plan(volume, name) {
      if (volume.place.device?.mapping?.uuid.startsWith('LVM-') !== true)
        return { why: 'it is no logical volume' }
      const { group, pool, groupFreeBytes } = await lookUp(shell, volume)
      if (pool === '' && groupFreeBytes < roomMinBytes) {
        return {
          why: `the volume group ${group} has less than ${roomMinBytes / mebibyte} MiB left for a snapshot`,
        }
      }
      return { kind: 'lvm', volume: `${group}/${name}` }
    },
    async make(volume, record) {
      const snapshot = requireLvm(record)
      const origin = await lookUp(shell, volume)
      const room = origin.pool === '' ? ['--size', `${roomFor(origin)}b`] : ['--setactivationskip', 'n']
      const name = snapshot.slice(snapshot.indexOf('/') + 1)
      await shell(
        'lvcreate',
        '--yes',
        '--snapshot',
        ...room,
        '--name',
        name,
        `${origin.group}/${origin.name}`,
      )
      return `/dev/${snapshot}`
    },
    async remove(record) {
      const snapshot = requireLvm(record)
      const [group = '', name = ''] = snapshot.split('/')
      const volumes = rowsOf(await shell('lvs', '--reportformat', 'json', '--options', 'lv_name', group))
      if (!volumes.some((row) => row.lv_name === name)) return
      await shell('lvremove', '--yes', '--force', snapshot)
    },
  }
}

function requireLvm(record: SnapshotRecord): string {
  if (record.kind === 'lvm') return record.volume
  throw new Error('this is no snapshot of a logical volume')
}

function roomFor({ sizeBytes, groupFreeBytes }: LogicalVolume): number {
  return (
    Math.floor(Math.min(groupFreeBytes, Math.max(sizeBytes * roomShare, roomMinBytes)) / mebibyte) * mebibyte
  )
}

async function lookUp(shell: Shell, { sourcePath }: Volume): Promise<LogicalVolume> {
  const [row] = rowsOf(
    await shell(
      'lvs',
      ...['--reportformat', 'json', '--units', 'b', '--nosuffix'],
      ...['--options', 'vg_name,lv_name,pool_lv,lv_size,vg_free', sourcePath],
    ),
  )
  if (row === undefined) throw new Error(`lvs does not know ${sourcePath}`)
  const { vg_name: group = '', lv_name: name = '', pool_lv: pool = '' } = row
  return { group, name, pool, sizeBytes: Number(row.lv_size), groupFreeBytes: Number(row.vg_free) }
}

/** What `lvs` reports: all values are texts. */
function rowsOf(report: string): Record<string, string>[] {
  const value: unknown = JSON.parse(report)
  const reports = isRecord(value) && Array.isArray(value.report) ? value.report : []
  return reports.flatMap((part: unknown) => (isRecord(part) && Array.isArray(part.lv) ? part.lv : []))
}
