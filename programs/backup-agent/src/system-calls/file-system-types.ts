/** How Linux numbers file systems in statfs(2). */
export const fileSystems = {
  /** ext2 to ext4. */
  ext: 0xef53,
  xfs: 0x58465342,
  btrfs: 0x9123683e,
  tmpfs: 0x01021994,
} as const
