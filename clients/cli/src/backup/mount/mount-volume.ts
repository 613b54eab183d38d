import { run } from './run.ts'

/** The file system of a device, as blkid(8) names it. */
export interface DeviceContent {
  /** Such as ext4; undefined when it recognises none. */
  readonly type: string | undefined
  readonly label: string
}

/**
 * Programs, devices and set-user-id bits of the disk have no effect. Nothing is written but the end of a journal, into the overlay.
 */
const safeOptions = 'ro,nosuid,nodev,noexec'

/**
 * How each file system is mounted, in the order of the attempts. The last attempt leaves the journal alone and shows the file system as the
 * disk has it.
 */
const attemptsByType: Readonly<Record<string, readonly MountAttempt[]>> = {
  ext2: [{ type: 'ext4', options: safeOptions }],
  ext3: [{ type: 'ext4', options: safeOptions }, withoutJournal('ext4', `${safeOptions},noload`)],
  ext4: [{ type: 'ext4', options: safeOptions }, withoutJournal('ext4', `${safeOptions},noload`)],
  // The original may be mounted beside it, with the same id.
  xfs: [
    { type: 'xfs', options: `${safeOptions},nouuid` },
    withoutJournal('xfs', `${safeOptions},nouuid,norecovery`),
  ],
  btrfs: [
    { type: 'btrfs', options: safeOptions },
    withoutJournal('btrfs', `${safeOptions},rescue=nologreplay`),
  ],
  ntfs: [
    { type: 'ntfs-3g', options: safeOptions },
    { type: 'ntfs3', options: safeOptions },
  ],
  vfat: [{ type: 'vfat', options: safeOptions }],
  exfat: [{ type: 'exfat', options: safeOptions }],
}

interface MountAttempt {
  readonly type: string
  readonly options: string
  readonly warning?: string
}

function withoutJournal(type: string, options: string): MountAttempt {
  const warning =
    'its journal could not be brought to its end: what was changed last before the backup may be missing or half done'
  return { type, options, warning }
}

/** What blkid names that is no file system, and what to tell the user. */
const containers: Readonly<Record<string, string>> = {
  LVM2_member: 'it is a part of LVM; back up the logical volumes, or look into it with --nbd and guestfish',
  crypto_LUKS: 'it is encrypted (LUKS); look into it with --nbd and guestfish',
  BitLocker: 'it is encrypted (BitLocker)',
  linux_raid_member: 'it is a part of a RAID of Linux; look into it with --nbd and guestfish',
  swap: 'it is swap space and has no files',
}

/** Asks blkid(8) for the file system of a device. */
export async function probeDevice(device: string): Promise<DeviceContent> {
  // It ends with 2 when it finds nothing.
  const output = await run('blkid', '--probe', '--output', 'export', device).catch(() => '')
  const facts = new Map(
    output.split('\n').map((line) => [line.split('=', 1)[0], line.replace(/^[^=]*=/, '')]),
  )
  return { type: facts.get('TYPE'), label: facts.get('LABEL') ?? '' }
}

/**
 * Mounts the file system of a device read-only.
 *
 * @returns a warning, half a sentence, when the journal was not replayed
 * @throws Error that says why it cannot be shown
 */
export async function mountVolume(
  device: string,
  { type }: DeviceContent,
  folder: string,
): Promise<string | undefined> {
  if (type === undefined) throw new Error('no file system was recognised')
  const attempts = Object.hasOwn(attemptsByType, type) ? attemptsByType[type] : undefined
  if (attempts === undefined) throw new Error(containers[type] ?? `${type} is not mounted by this command`)
  const reasons: string[] = []
  for (const { type: mounted, options, warning } of attempts) {
    try {
      await run('mount', '-t', mounted, '-o', options, device, folder)
      return warning
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(reasons.join('; '))
}
