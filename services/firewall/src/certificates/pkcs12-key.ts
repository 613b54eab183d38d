import { hash as hashOnce } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/*
 * How PKCS #12 makes keys of a password (RFC 7292, appendix B). With a hash of u bytes that works on blocks of v:
 *
 *   D = v bytes, each the number of the purpose
 *   I = the salt, repeated to whole blocks, and the password, repeated to whole blocks
 *   for as many rounds as the key needs:
 *     A = the hash of D and I, hashed again and again, `iterations` times in all; the next u bytes of the key
 *     B = A, repeated to one block; each block of I becomes itself + B + 1, modulo 2^8v
 */

/** What a key is for; the number is the RFC's. */
export const keyPurpose = { encryption: 1, initialisationVector: 2, mac: 3 } as const

/** From what a key is made. */
export interface KeyOrigin {
  /** A hash by its name in node:crypto. */
  readonly hash: string
  /** As `pkcs12Password` gives it. */
  readonly password: Buffer
  readonly salt: Buffer
  readonly iterations: number
}

const longBlockHashes = ['sha384', 'sha512']
const iterationsAtOnce = 10_000

/** A password as PKCS #12 takes it: UTF-16, the higher byte first, with a zero at its end. */
export function pkcs12Password(password: string): Buffer {
  return Buffer.from(`${password}\0`, 'utf16le').swap16()
}

/** Makes a key, or an initialisation vector, of that many bytes. Lets others work in between. */
export async function pkcs12Key(
  purpose: (typeof keyPurpose)[keyof typeof keyPurpose],
  { hash, password, salt, iterations }: KeyOrigin,
  sizeBytes: number,
): Promise<Buffer> {
  const blockSizeBytes = longBlockHashes.includes(hash) ? 128 : 64
  const diversifier = Buffer.alloc(blockSizeBytes, purpose)
  const input = Buffer.concat([inWholeBlocks(salt, blockSizeBytes), inWholeBlocks(password, blockSizeBytes)])
  const parts: Buffer[] = []
  for (let offset = 0; offset < sizeBytes; ) {
    const part = await hashAgain(hash, Buffer.concat([diversifier, input]), iterations)
    parts.push(part)
    offset += part.length
    addToEachBlock(input, inOneBlock(part, blockSizeBytes))
  }
  return Buffer.concat(parts, sizeBytes)
}

async function hashAgain(hash: string, input: Buffer, iterations: number): Promise<Buffer> {
  let value = input
  for (let done = 0; done < iterations; done++) {
    if (done % iterationsAtOnce === iterationsAtOnce - 1) await setImmediate()
    value = hashOnce(hash, value, 'buffer')
  }
  return value
}

function inWholeBlocks(bytes: Buffer, blockSizeBytes: number): Buffer {
  return Buffer.alloc(Math.ceil(bytes.length / blockSizeBytes) * blockSizeBytes, bytes)
}

function inOneBlock(bytes: Buffer, blockSizeBytes: number): Buffer {
  return Buffer.alloc(blockSizeBytes, bytes)
}

function addToEachBlock(input: Buffer, addend: Buffer): void {
  for (let start = 0; start < input.length; start += addend.length) {
    let carry = 1
    for (let index = addend.length - 1; index >= 0; index--) {
      const sum = input.readUInt8(start + index) + addend.readUInt8(index) + carry
      input[start + index] = sum
      carry = sum >> 8
    }
  }
}
