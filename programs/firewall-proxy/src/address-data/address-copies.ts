import { rename, writeFile } from 'node:fs/promises'
import { AddressList, type ReadList } from './address-list.ts'

/** The most that a list of addresses may have. */
export const listBytesMax = 16 * 1024 * 1024

/** What was brought or downloaded cannot take the place of what was there before; the message says why, without a full stop. */
export class Unusable extends Error {}

/**
 * Reads the bytes of a list that may have some lines without an address, but not more than with one: it would be something else, such as
 * the page of an error.
 *
 * @throws Unusable
 */
export function usableList(bytes: Buffer): ReadList {
  const content = AddressList.read(bytes.toString('latin1'))
  const [line] = content.unreadLines
  if (line !== undefined && content.entries < content.unreadLines.length) {
    throw new Unusable(`line ${line} and others name no addresses`)
  }
  return content
}

/** Writes a file for the workers in one step: one that starts meanwhile reads what was there before or what is there then. */
export async function writeCopy(place: string, bytes: Buffer): Promise<void> {
  await writeFile(`${place}.new`, bytes, { mode: 0o600, flush: true })
  await rename(`${place}.new`, place)
}
