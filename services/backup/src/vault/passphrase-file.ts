import { type FileHandle, open } from 'node:fs/promises'
import { refuseOpenMode } from '@palisade/private-files'

const sizeMaxBytes = 4096

/**
 * The passphrase in a file: its first line, without the line break. On POSIX systems a file that its group or others may
 * read, write or execute is refused.
 *
 * @throws Error that says what is wrong with the file, and nothing of what is in it
 */
export async function readPassphraseFile(path: string): Promise<string> {
  const file = await open(path, 'r').catch((cause: Error) => {
    throw new Error(`opening the passphrase file ${path}: ${cause.message}`)
  })
  try {
    return await readFrom(file, path)
  } finally {
    await file.close()
  }
}

async function readFrom(file: FileHandle, path: string): Promise<string> {
  const status = await file.stat()
  if (!status.isFile() || status.size > sizeMaxBytes) {
    throw new Error(`${path} is not a passphrase file: it has one line of text`)
  }
  refuseOpenMode(path, status.mode, 'owner')
  const [passphrase = ''] = (await file.readFile('utf8')).split(/\r?\n/, 1)
  if (passphrase === '') throw new Error(`the first line of ${path} is empty, and a passphrase is not`)
  return passphrase
}
