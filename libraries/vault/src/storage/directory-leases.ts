import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { VaultFailure } from '../failure.ts'
import { adviceOnFileSystem } from './advice-on-file-system.ts'
import type { LeaseStorage } from './lease/lease.ts'
import { makeFolders } from './make-folders.ts'

/** Keeps the records of leases as files in `folder`, which is made with the first. Their times are those of the file system. */
export function leasesInDirectory(folder: string): LeaseStorage {
  const path = (id: string) => join(folder, id)
  return {
    list: () =>
      attempt(folder, async () => {
        const names = (await readdir(folder).catch(nothingWhenAbsent)) ?? []
        const records = names
          .filter((name) => /^[0-9a-f]{32}$/.test(name))
          .map(async (id) => {
            const status = await stat(path(id)).catch(nothingWhenAbsent)
            return status && { id, modifiedMs: status.mtimeMs }
          })
        return (await Promise.all(records)).filter((record) => record !== undefined)
      }),
    read: (id) => attempt(folder, () => readFile(path(id)).catch(nothingWhenAbsent)),
    write: (id, content) =>
      attempt(folder, async () => {
        await makeFolders(folder)
        await replace(path(id), join(folder, `new-${randomUUID()}`), content)
      }),
    remove: (id) => attempt(folder, () => rm(path(id), { force: true })),
  }
}

/** A reader of the record sees the former content or the new one. */
async function replace(target: string, temporary: string, content: Uint8Array): Promise<void> {
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function attempt<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const advice = adviceOnFileSystem(cause)
    throw new VaultFailure('storage', `locking by ${folder}: ${reason}`, { cause, advice })
  }
}

function nothingWhenAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}
