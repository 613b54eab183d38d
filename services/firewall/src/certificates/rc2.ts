/*
 * RC2 (RFC 2268) in CBC mode, decryption alone: 40 bits of it encrypt the certificates in PKCS #12 files of older
 * programs, and Node's OpenSSL no longer has it.
 *
 * A block is four 16-bit words R[0..3], little endian. Encryption mixes 16 times with the 64 words K of the
 * expanded key, and mashes after the 5th and the 11th time; decryption goes the same way backwards.
 */

const blockSizeBytes = 8
const piTable = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32' +
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a' +
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e' +
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
)
const rotations = [1, 2, 3, 5]
/** Mixings left when the words are mashed, on the way back. */
const mashedBefore = [11, 5]

/**
 * @param key 1 to 128 bytes, all of whose bits count
 * @param iv 8 bytes
 * @returns the text without its padding (PKCS #7)
 * @throws Error when the padding is wrong, mostly because the key is
 */
export function decryptRc2Cbc(key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  if (encrypted.length === 0 || encrypted.length % blockSizeBytes > 0)
    throw new Error('This is not in whole blocks.')
  const words = expandKey(key)
  const text = Buffer.alloc(encrypted.length)
  for (let offset = 0; offset < encrypted.length; offset += blockSizeBytes) {
    const before = offset === 0 ? iv : encrypted.subarray(offset - blockSizeBytes, offset)
    const block = decryptBlock(words, encrypted.subarray(offset, offset + blockSizeBytes))
    for (const [index, byte] of block.entries()) text[offset + index] = byte ^ before.readUInt8(index)
  }
  return withoutPadding(text)
}

/** RFC 2268, section 2, with as many effective bits as the key has. */
function expandKey(key: Buffer): Uint16Array {
  const bytes = Buffer.alloc(128)
  key.copy(bytes)
  const pi = (index: number) => piTable.readUInt8(index & 0xff)
  const at = (index: number) => bytes.readUInt8(index)
  for (let i = key.length; i < 128; i++) bytes[i] = pi(at(i - 1) + at(i - key.length))
  const from = 128 - key.length
  bytes[from] = pi(at(from))
  for (let i = from - 1; i >= 0; i--) bytes[i] = pi(at(i + 1) ^ at(i + key.length))
  return Uint16Array.from({ length: 64 }, (_, index) => bytes.readUInt16LE(2 * index))
}

/** RFC 2268, section 4. */
function decryptBlock(words: Uint16Array, block: Buffer): Buffer {
  const r = Uint16Array.from({ length: 4 }, (_, index) => block.readUInt16LE(2 * index))
  for (let mixing = 15; mixing >= 0; mixing--) {
    for (let i = 3; i >= 0; i--) unmix(r, i, at(words, 4 * mixing + i))
    if (mashedBefore.includes(mixing)) unmash(r, words)
  }
  const text = Buffer.alloc(blockSizeBytes)
  for (const [index, word] of r.entries()) text.writeUInt16LE(word, 2 * index)
  return text
}

function unmix(r: Uint16Array, i: number, word: number): void {
  const rotation = rotations[i] ?? 0
  const turned = (at(r, i) >>> rotation) | (at(r, i) << (16 - rotation))
  const [one, two, three] = [at(r, i + 3), at(r, i + 2), at(r, i + 1)]
  r[i] = turned - word - (one & two) - (~one & three)
}

function unmash(r: Uint16Array, words: Uint16Array): void {
  for (let i = 3; i >= 0; i--) r[i] = at(r, i) - at(words, at(r, i + 3) & 63)
}

/** A word; the four of a block follow each other in a circle. */
function at(words: Uint16Array, index: number): number {
  return words[index % words.length] ?? 0
}

function withoutPadding(text: Buffer): Buffer {
  const length = text.readUInt8(text.length - 1)
  const padding = text.subarray(-length)
  if (length < 1 || length > blockSizeBytes || padding.some((byte) => byte !== length)) {
    throw new Error('The padding is wrong.')
  }
  return text.subarray(0, -length)
}
