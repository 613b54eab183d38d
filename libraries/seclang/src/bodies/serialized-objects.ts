import { constants, gunzipSync } from 'node:zlib'

/** How serialized objects begin: of Java, of .NET (BinaryFormatter, and LosFormatter with one in it), Python from protocol 2 on, and Ruby. */
const beginning =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are bytes.
  /^(?:\xac\xed\0\x05[q-~]|\0\x01\0\0\0\xff\xff\xff\xff|\xff\x01\x32|\x80[\x02-\x05][c}\](X\x8c\x95]|\x04\x08[[{ocu])/

/** So much of an object says what it does, in bytes. */
const bytesMax = 3 * 1024

/** So much of compressed bytes is read, and so much comes out of it at most. */
const compressedMax = 2 * 1024
const inflatedMax = 64 * 1024

/**
 * The beginning of a serialized object in Base64, as rules know such objects; undefined for other bytes. What gzip (RFC 1952) has compressed is
 * looked into.
 *
 * @param bytes a byte string
 * @param charactersMax the Base64 is no longer than this
 */
export function serializedInBase64(bytes: string, charactersMax = Infinity): string | undefined {
  const plain = inflatedBeginning(bytes) ?? bytes
  if (!beginning.test(plain.slice(0, 16))) return undefined
  const length = Math.min(bytesMax, Math.floor(charactersMax / 4) * 3)
  return Buffer.from(plain.slice(0, length), 'latin1').toString('base64')
}

/** What gzip has compressed, as far as its beginning tells; undefined for other bytes. @param bytes a byte string */
export function inflatedBeginning(bytes: string): string | undefined {
  if (!bytes.startsWith('\x1f\x8b')) return undefined
  try {
    return gunzipSync(Buffer.from(bytes.slice(0, compressedMax), 'latin1'), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: inflatedMax,
    }).toString('latin1')
  } catch {
    return undefined
  }
}
