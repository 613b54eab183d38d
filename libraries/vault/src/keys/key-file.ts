import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { OpenToOthers, refuseOpenMode } from '@palisade/private-files'
import { VaultFailure } from '../failure.ts'
import { syncDirectory } from '../storage/sync-directory.ts'
import { masterKeyBytes } from './derive.ts'

/**
 * Writes a new random key to `path`, readable by its owner only, and gives it back. An existing file is
 * never overwritten. **Without this file nothing in the vault can ever be read again**, unless the vault has another key:
 * whoever calls this tells the user to keep a copy elsewhere.
 *
 * @throws VaultFailure `bad-key-file` when it exists already or cannot be created
 */
export async function createKeyFile(path: string): Promise<Buffer> {
  const key = randomBytes(masterKeyBytes)
  const file = await open(path, 'wx', 0o600).catch(failWith(`creating the key file ${path}`))
  try {
    await file.writeFile(key)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncDirectory(dirname(path))
  return key
}

/**
 * Reads a key: exactly 32 bytes in a regular file. On POSIX systems a file that its group or others may
 * read, write or execute is refused.
 *
 * @throws VaultFailure `bad-key-file`
 */
export async function readKeyFile(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch(failWith(`opening the key file ${path}`))
  try {
    return await readFrom(file, path)
  } finally {
    await file.close()
  }
}

async function readFrom(file: FileHandle, path: string): Promise<Buffer> {
  const status = await file.stat()
  if (!status.isFile() || status.size !== masterKeyBytes) {
    throw new VaultFailure(
      'bad-key-file',
      `${path} is not a key file: a key file has ${masterKeyBytes} bytes`,
    )
  }
  try {
    refuseOpenMode(path, status.mode, 'owner')
  } catch (error) {
    if (!(error instanceof OpenToOthers)) throw error
    throw new VaultFailure('bad-key-file', error.message, { cause: error })
  }
  const key = await file.readFile()
  if (key.length !== masterKeyBytes)
    throw new VaultFailure('bad-key-file', `${path} changed while it was read`)
  return key
}

function failWith(doing: string): (cause: Error) => never {
  return (cause) => {
    throw new VaultFailure('bad-key-file', `${doing}: ${cause.message}`, { cause })
  }
}
