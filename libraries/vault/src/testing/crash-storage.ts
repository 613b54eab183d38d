import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { StorageBackend } from '../storage/backend.ts'
import { DirectoryBackend } from '../storage/directory-backend.ts'
import { S3Backend } from '../storage/s3/s3-backend.ts'
import type { S3Options } from '../storage/s3/s3-options.ts'
import { startS3Server } from './s3-server.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** A storage that several processes can open, as it is handed to them on their command line. */
export type CrashStorage = { readonly folder: string } | { readonly s3: S3Options }

/** A storage for a test, and what is left behind in it of objects that were being written. */
export interface CrashStorageUnderTest {
  readonly storage: CrashStorage
  unfinished(): Promise<string[]>
}

export function openStorage(storage: CrashStorage): StorageBackend {
  return 'folder' in storage ? new DirectoryBackend(storage.folder) : new S3Backend(storage.s3)
}

export async function newDirectory(t: TestContext): Promise<CrashStorageUnderTest> {
  const folder = await temporaryFolder(t)
  return { storage: { folder }, unfinished: () => readdir(join(folder, '.unfinished')).catch(() => []) }
}

export async function newBucket(t: TestContext): Promise<CrashStorageUnderTest> {
  const server = await startS3Server()
  t.after(() => server.close())
  return { storage: { s3: server.options }, unfinished: () => server.uploads() }
}
