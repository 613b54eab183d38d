import { randomBytes } from 'node:crypto'
import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { readPrivateFile, systemCode } from '@palisade/private-files'

/**
 * Reads a key of 32 random bytes, making it on first use with mode 0600. The file appears complete or not at
 * all, and two processes that make it at the same moment end up with the same key.
 *
 * @throws OpenToOthers when others than its owner may read, write or replace it
 */
export function keyFile(path: string): Buffer {
  return readKey(path) ?? makeKey(path)
}

function readKey(path: string): Buffer | undefined {
  try {
    const key = readPrivateFile(path, 'owner')
    if (key.length !== 32) throw new Error(`${path} is not a key file: it holds ${key.length} bytes, not 32`)
    return key
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function makeKey(path: string): Buffer {
  const temporary = `${path}.${randomBytes(8).toString('hex')}`
  writeFileSync(temporary, randomBytes(32), { mode: 0o600, flag: 'wx', flush: true })
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
  const key = readKey(path)
  if (key === undefined) throw new Error(`${path} vanished while it was being made`)
  return key
}
