import type { ByteSource } from '@palisade/virtual-disk'
import type { SystemFacts } from '../facts.ts'
import { readFolder } from './folder.ts'
import { attributeTypes } from './record.ts'
import { NtfsVolume } from './volume.ts'

const rootRecord = 5
/** Where the version of a program stands: VS_FIXEDFILEINFO (Microsoft, "Version Information"). */
const versionMark = Buffer.from('bd04effe00000100', 'hex')
/** The kernel of Windows has its versions at its end and is smaller than this. */
const kernelSizeMaxBytes = 32 * 1024 * 1024

/**
 * Whether an NTFS is where a Windows starts from: it has \Windows\System32. One without, but with the boot manager in
 * its root, is a system-reserved volume. Undefined when this is no NTFS.
 *
 * @throws DiskFailure when structures lie beyond the volume's end
 */
export async function findSystemOnNtfs(volume: ByteSource): Promise<SystemFacts | undefined> {
  const ntfs = await NtfsVolume.open(volume)
  if (ntfs === undefined) return undefined
  const root = await readFolder(ntfs, rootRecord)
  const windows = root.get('windows')
  const system32 = windows === undefined ? undefined : (await readFolder(ntfs, windows)).get('system32')
  if (system32 !== undefined) return { holds: 'system', osVersion: await readVersion(ntfs, system32) }
  return { holds: root.has('bootmgr') || root.has('ntldr') ? 'boot-files' : 'data', osVersion: undefined }
}

/** The version of the kernel, such as "10.0.17763"; undefined where it is stored compressed. */
async function readVersion(ntfs: NtfsVolume, system32: number): Promise<string | undefined> {
  const record = (await readFolder(ntfs, system32)).get('ntoskrnl.exe')
  const stream = record === undefined ? undefined : await ntfs.stream(record, attributeTypes.data)
  if (stream === undefined) return undefined
  const kernel = await ntfs.read(stream, kernelSizeMaxBytes)
  const at = kernel.indexOf(versionMark)
  if (at === -1 || at + 16 > kernel.length) return undefined
  return [kernel.readUInt16LE(at + 10), kernel.readUInt16LE(at + 8), kernel.readUInt16LE(at + 14)].join('.')
}
