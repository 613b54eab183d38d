import type { ByteSource } from '@palisade/virtual-disk'
import type { SystemFacts } from '../facts.ts'
import { hasPossibleGroups } from './block-groups.ts'
import { readSuperBlock } from './super-block.ts'
import { ExtTree } from './tree.ts'

const releaseFiles = [
  ['etc', 'os-release'],
  ['usr', 'lib', 'os-release'],
]
const releaseSizeMaxBytes = 64 * 1024
const kernelName = /^(vmlinuz|vmlinux|Image|bzImage)/

/**
 * Whether an ext2, ext3 or ext4 is where a Linux starts from: it has /etc with the programs of a system beside it. One
 * without these, but with kernels or a boot loader in its root, is a volume for /boot. Undefined when this is no such
 * file system.
 *
 * @throws DiskFailure when structures lie beyond the volume's end
 */
export async function findSystemOnExt(volume: ByteSource): Promise<SystemFacts | undefined> {
  const file = await readSuperBlock(volume)
  if (file === undefined || !hasPossibleGroups(file, volume.sizeBytes)) return undefined
  const tree = new ExtTree(volume, file)
  const root = await tree.list([])
  if (root === undefined) return undefined
  const has = (...names: readonly string[]) => names.some((name) => root.has(name))
  if (has('etc') && has('usr', 'bin', 'sbin')) return { holds: 'system', osVersion: await readRelease(tree) }
  const isForStarting = has('grub', 'grub2', 'efi') || [...root].some((name) => kernelName.test(name))
  return { holds: isForStarting ? 'boot-files' : 'data', osVersion: undefined }
}

/** The name that a distribution gives itself, such as "Debian GNU/Linux 12 (bookworm)". */
async function readRelease(tree: ExtTree): Promise<string | undefined> {
  for (const path of releaseFiles) {
    const text = (await tree.read(path, releaseSizeMaxBytes))?.toString('utf8')
    const name = /^PRETTY_NAME=(["']?)(.{1,200}?)\1$/m.exec(text ?? '')?.[2]
    if (name !== undefined) return name
  }
  return undefined
}
