import { randomUUID } from 'node:crypto'
import { requireArgument } from './failure.ts'

/**
 * GUIDs are written as upper-case text everywhere in this library. On disk, GPT and VHDX store the first
 * three groups little-endian ('mixed', RFC 9562 section 4.1's remark on Microsoft); VHD stores all of
 * them as printed ('printed').
 */
export type GuidOrder = 'mixed' | 'printed'

const shape = /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/

/** The GUID whose bits are all zero; on disk it means "none". */
export const NO_GUID = '00000000-0000-0000-0000-000000000000'

/** A new random GUID (version 4). */
export function randomGuid(): string {
  return randomUUID().toUpperCase()
}

/** The upper-case form of a GUID, or an `invalid-argument` failure that names what it was meant for. */
export function parseGuid(text: string, name: string): string {
  const guid = text.toUpperCase()
  requireArgument(shape.test(guid), `${name} must be a GUID, not ${JSON.stringify(text)}`)
  return guid
}

/** The 16 bytes of a GUID as they are stored. */
export function guidBytes(guid: string, order: GuidOrder): Buffer {
  const bytes = Buffer.from(guid.replaceAll('-', ''), 'hex')
  return order === 'mixed' ? swapFirstGroups(bytes) : bytes
}

/** The GUID stored at `offset`. */
export function readGuid(bytes: Buffer, offset: number, order: GuidOrder): string {
  const stored = Buffer.from(bytes.subarray(offset, offset + 16))
  const hex = (order === 'mixed' ? swapFirstGroups(stored) : stored).toString('hex').toUpperCase()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function swapFirstGroups(bytes: Buffer): Buffer {
  bytes.subarray(0, 4).reverse()
  bytes.subarray(4, 6).reverse()
  bytes.subarray(6, 8).reverse()
  return bytes
}
