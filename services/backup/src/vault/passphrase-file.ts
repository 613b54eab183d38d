import { type FileHandle, open } from 'node:fs/promises'
import { refuseOpenMode } from '@palisade/private-files'
import { FileFailure, fileFailureOf } from '@palisade/start-up'

const sizeMaxBytes = 4096

/**
 * The passphrase in a file: its first line, without the line break. On POSIX systems a file that its group or others may
 * read, write or execute is refused.
 *
 * @param named what names it, such as "backup.vault.passphraseFile"
 * @throws Error that says what is wrong with the file, and nothing of what is in it
 */
export async function readPassphraseFile(path: string, named: string): Promise<string> {
  const file = await open(path, 'r').catch((cause: unknown) => {
    throw fileFailureOf(cause, path, named)
  })
  try {
    return await readFrom(file, path, named)
  } finally {
    await file.close()
  }
}

async function readFrom(file: FileHandle, path: string, named: string): Promise<string> {
  const it = `${named} names ${path}, which`
  const status = await file.stat()
  if (!status.isFile() || status.size > sizeMaxBytes) {
    throw new FileFailure(`${it} is not a passphrase file: it has one line of text`)
  }
  try {
    refuseOpenMode(path, status.mode, 'owner')
  } catch (error) {
    throw fileFailureOf(error, path, named)
  }
  const [passphrase = ''] = (await file.readFile('utf8')).split(/\r?\n/, 1)
  if (passphrase === '') throw new FileFailure(`${it} has an empty first line, and a passphrase is not empty`)
  return passphrase
}
