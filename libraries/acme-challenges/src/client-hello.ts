/**
 * The first message of a TLS client (RFC 8446, section 4.1.2), as far as it says what is asked for:
 *
 *     record:    type 22 | version 2 | length 2 | handshake …
 *     handshake: type 1 | length 3 | version 2 | random 32 | session id <1> | ciphers <2> | compression <1> | extensions <2>
 *     extension: type 2 | content <2>
 *
 * where <n> is a vector behind its length in n bytes.
 */

/** What a client asks for. */
export interface ClientHello {
  /** Empty where it names no host (RFC 6066). */
  readonly serverName: string
  /** In the order in which it would have them (ALPN, RFC 7301). */
  readonly protocols: readonly string[]
}

const recordHeaderSize = 5
const randomEnd = 38
const serverNameType = 0
const protocolsType = 16

/**
 * Reads what a connection begins with.
 *
 * @returns `incomplete` until the first record is there as a whole; undefined for what is no client's first message, or none in one record
 */
export function readClientHello(bytes: Buffer): ClientHello | 'incomplete' | undefined {
  if (bytes.length > 0 && bytes[0] !== 22) return undefined
  if (bytes.length < recordHeaderSize) return 'incomplete'
  const end = recordHeaderSize + bytes.readUInt16BE(3)
  if (bytes.length < end) return 'incomplete'
  const handshake = bytes.subarray(recordHeaderSize, end)
  try {
    return handshake[0] === 1 ? asked(handshake) : undefined
  } catch (error) {
    // A length in it leads out of it; TLS itself refuses it in its own way.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** @throws RangeError */
function asked(handshake: Buffer): ClientHello {
  const head = new VectorReader(handshake.subarray(randomEnd))
  for (const lengthSize of [1, 2, 1]) head.next(lengthSize)
  const extensions = new VectorReader(head.next(2))
  const hello = { serverName: '', protocols: [] as string[] }
  while (!extensions.isAtEnd) {
    const type = extensions.number(2)
    const content = new VectorReader(extensions.next(2))
    if (type === serverNameType) hello.serverName = firstHost(new VectorReader(content.next(2)))
    if (type === protocolsType) {
      const names = new VectorReader(content.next(2))
      while (!names.isAtEnd) hello.protocols.push(names.next(1).toString('latin1'))
    }
  }
  return hello
}

/** Names of other sorts than hosts were never defined. */
function firstHost(names: VectorReader): string {
  names.number(1)
  return names.next(2).toString('latin1')
}

/** Goes through vectors that follow one another. */
class VectorReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** @throws RangeError */
  number(size: number): number {
    const number = this.#bytes.readUIntBE(this.#at, size)
    this.#at += size
    return number
  }

  /** @throws RangeError */
  next(lengthSize: number): Buffer {
    const length = this.number(lengthSize)
    const begin = this.#at
    this.#at += length
    if (this.#at > this.#bytes.length) throw new RangeError('a vector is cut off')
    return this.#bytes.subarray(begin, this.#at)
  }
}
