import { systemCode } from '@palisade/private-files'

const advices: Readonly<Record<string, string>> = {
  EROFS: 'its file system is read-only',
  EACCES: 'the user of this process may not do that there',
  EPERM: 'the user of this process may not do that there',
  ENOSPC: 'its file system is full',
  EDQUOT: 'the quota of the user of this process is used up',
  ESTALE: 'the file server has another folder there than before, and it has to be mounted again',
  EIO: 'the disk, or the way to it, fails',
  ENOTCONN: 'the file server is away',
  EHOSTDOWN: 'the file server is away',
}

/** What an error of the system says is wrong with a folder, as `VaultFailure.advice`. */
export function adviceOnFileSystem(error: unknown): string | undefined {
  return advices[systemCode(error) ?? '']
}
