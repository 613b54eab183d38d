import { constants, unzipSync } from 'node:zlib'

/** How serialized objects begin: of Java, of .NET (BinaryFormatter, and LosFormatter with one in it), Python (from protocol 2 on, and before where it names a module of the system), and Ruby. */
const beginning =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
  /^(?:\xac\xed\0\x05[q-~]|\0\x01\0\0\0\xff\xff\xff\xff|\xff\x01\x32|\x80[\x02-\x05][c}\](X\x8c\x95]|\x04\x08[[{ocu]|c(?:os|nt|posix|subprocess|commands|__builtin__|builtins)\n)/

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
const beginningOfGzip = /^\x1f\x8b/

/** Of gzip, and of zlib with a window of 32 KiB, as all libraries write it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
const beginningOfCompressed = /^(?:\x1f\x8b|\x78[\x01\x9c\xda])/

/** So much of an object says what it does, in bytes. */
const bytesMax = 3 * 1024

/** Of compressed bytes so many are read at first, and so many at most: names, comments and empty blocks may stand before what counts. */
const compressedAtFirst = 2 * 1024
const compressedMax = 256 * 1024

/** So much comes out of compressed bytes at most. */
const inflatedMax = 64 * 1024

/**
 * The beginning of a serialized object in Base64, as rules know such objects; undefined for other bytes. What gzip (RFC 1952) or zlib (RFC 1950) has compressed is
 * looked into.
 *
 * @param bytes a byte string
 * @param charactersMax the Base64 is no longer than this
 */
export function serializedInBase64(bytes: string, charactersMax = Infinity): string | undefined {
  const plain = inflatedBeginning(bytes, beginningOfCompressed) ?? bytes
  if (!beginning.test(plain.slice(0, 16))) return undefined
  const length = Math.min(bytesMax, Math.floor(charactersMax / 4) * 3)
  return Buffer.from(plain.slice(0, length), 'latin1').toString('base64')
}

/**
 * The beginning of what gzip has compressed: {@link bytesMax} at least, unless there is less, or it is damaged before. Undefined for other bytes.
 *
 * @param bytes a byte string
 * @param form how they have to begin
 */
export function inflatedBeginning(bytes: string, form = beginningOfGzip): string | undefined {
  if (!form.test(bytes)) return undefined
  const compressed = Buffer.from(bytes.slice(0, compressedMax), 'latin1')
  let inflated: string | undefined
  let readable = 0
  let unreadable = compressed.length + 1
  let length = Math.min(compressedAtFirst, compressed.length)
  while (readable < length && length < unreadable) {
    const more = inflate(compressed.subarray(0, length))
    if (more === undefined) unreadable = length
    else {
      inflated = more
      readable = length
      if (more.length >= bytesMax) break
    }
    length =
      unreadable > compressed.length
        ? Math.min(2 * length, compressed.length)
        : Math.floor((readable + unreadable) / 2)
  }
  return inflated
}

/** Undefined for what is damaged, and for what becomes too long: one byte may stand for a thousand. */
function inflate(compressed: Buffer): string | undefined {
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: inflatedMax }
    return unzipSync(compressed, options).toString('latin1')
  } catch {
    return undefined
  }
}
