import { statfs } from 'node:fs/promises'

/** File systems that several machines can have open, by their numbers in statfs(2). */
const networkTypes = new Set([
  0x6969, // NFS
  0x517b, // SMB
  0xff534d42, // CIFS
  0xfe534d42, // SMB 2 and later
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x73757245, // Coda
  0x65735546, // FUSE: sshfs, GlusterFS and others
  0x01021997, // 9P
  0x0bd00bd0, // Lustre
  0x01161970, // GFS2
  0x7461636f, // OCFS2
])

/** Whether other machines may have this folder open too, as far as the type of its file system tells; only Linux tells it. */
export async function isOnNetwork(path: string): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const { type } = await statfs(path)
  return networkTypes.has(type >>> 0)
}
