import { run } from './run.ts'

/** What is on a device, as far as blkid(8) knows. */
export interface Content {
  /** Such as ext4; undefined when there is nothing that it knows. */
  readonly type: string | undefined
  readonly label: string
}

/**
 * What others have put on a disk is never started, stands for no device, and gives nobody other rights. Nothing is written but the end of a
 * journal, into the overlay.
 */
const safe = 'ro,nosuid,nodev,noexec'

/**
 * How each file system is mounted: the first that the system accepts. A journal is brought to its end if it can be; else the file system is shown
 * as it stands on the disk.
 */
const ways: Readonly<Record<string, readonly Way[]>> = {
  ext2: [{ type: 'ext4', options: safe }],
  ext3: [{ type: 'ext4', options: safe }, asItStands('ext4', `${safe},noload`)],
  ext4: [{ type: 'ext4', options: safe }, asItStands('ext4', `${safe},noload`)],
  // The original may be mounted beside it, with the same id.
  xfs: [{ type: 'xfs', options: `${safe},nouuid` }, asItStands('xfs', `${safe},nouuid,norecovery`)],
  btrfs: [{ type: 'btrfs', options: safe }, asItStands('btrfs', `${safe},rescue=nologreplay`)],
  ntfs: [
    { type: 'ntfs-3g', options: safe },
    { type: 'ntfs3', options: safe },
  ],
  vfat: [{ type: 'vfat', options: safe }],
  exfat: [{ type: 'exfat', options: safe }],
}

interface Way {
  readonly type: string
  readonly options: string
  readonly warning?: string
}

function asItStands(type: string, options: string): Way {
  const warning =
    'its journal could not be brought to its end: what was changed last before the backup may be missing or half done'
  return { type, options, warning }
}

/** What is inside something else, and what to say of it. */
const containers: Readonly<Record<string, string>> = {
  LVM2_member: 'it is a part of LVM; back up the logical volumes, or look into it with --nbd and guestfish',
  crypto_LUKS: 'it is encrypted (LUKS); look into it with --nbd and guestfish',
  BitLocker: 'it is encrypted (BitLocker)',
  linux_raid_member: 'it is a part of a RAID of Linux; look into it with --nbd and guestfish',
  swap: 'it is swap space and has no files',
}

/** What there is on a device. */
export async function contentOf(device: string): Promise<Content> {
  // It ends with 2 when it finds nothing.
  const said = await run('blkid', '--probe', '--output', 'export', device).catch(() => '')
  const facts = new Map(said.split('\n').map((line) => [line.split('=', 1)[0], line.replace(/^[^=]*=/, '')]))
  return { type: facts.get('TYPE'), label: facts.get('LABEL') ?? '' }
}

/**
 * Mounts what is on a device read-only.
 *
 * @returns a warning in a sentence, when it is not shown as it should be
 * @throws Error that says why it cannot be shown
 */
export async function mountVolume(
  device: string,
  { type }: Content,
  folder: string,
): Promise<string | undefined> {
  if (type === undefined) throw new Error('no file system was recognised')
  const own = Object.hasOwn(ways, type) ? ways[type] : undefined
  if (own === undefined) throw new Error(containers[type] ?? `${type} is not mounted by this command`)
  const reasons: string[] = []
  for (const { type: mounted, options, warning } of own) {
    try {
      await run('mount', '-t', mounted, '-o', options, device, folder)
      return warning
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(reasons.join('; '))
}
