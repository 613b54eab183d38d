/** A value of ASN.1 in its distinguished encoding (X.690, DER): a tag, a length, and the content. */
export interface DerValue {
  readonly tag: number
  readonly content: Buffer
  /** With tag and length. */
  readonly encoded: Buffer
}

/** Tags of universal types, constructed where they are. */
export const derTag = {
  integer: 0x02,
  bitString: 0x03,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
} as const

/** The bytes are no DER, or hold other values than were expected. The message has no full stop. */
export class DerUnreadable extends Error {}

/** The values that follow one another in some bytes. @throws DerUnreadable */
export function* derValues(bytes: Buffer): Generator<DerValue, void> {
  let at = 0
  while (at < bytes.length) {
    const value = valueAt(bytes, at)
    yield value
    at += value.encoded.length
  }
}

/** The values inside a SEQUENCE. @throws DerUnreadable */
export function derSequence(value: DerValue | undefined): DerValue[] {
  if (value?.tag !== derTag.sequence) throw new DerUnreadable('a sequence is missing')
  return [...derValues(value.content)]
}

/** The dotted numbers of an OBJECT IDENTIFIER. @throws DerUnreadable */
export function derObjectIdentifier(value: DerValue | undefined): string {
  if (value?.tag !== derTag.objectIdentifier) throw new DerUnreadable('an object identifier is missing')
  const numbers: number[] = []
  let number = 0
  for (const byte of value.content) {
    number = number * 128 + (byte & 0x7f)
    if (byte & 0x80) continue
    numbers.push(number)
    number = 0
  }
  const [first = 0, ...rest] = numbers
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - root * 40, ...rest].join('.')
}

/** UTCTime or GeneralizedTime as certificates have them (RFC 5280, section 4.1.2.5), in milliseconds since 1970. @throws DerUnreadable */
export function derTime({ tag, content }: DerValue): number {
  const text = content.toString('latin1')
  const isShort = tag === derTag.utcTime
  const [, years = '', ...parts] =
    (isShort ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/ : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/).exec(
      text,
    ) ?? []
  const [month = '', day = '', hour = '', minute = '', second = ''] = parts
  const year = !isShort ? years : `${Number(years) < 50 ? '20' : '19'}${years}`
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(time)) throw new DerUnreadable('a time is not as expected')
  return time
}

/** The value that begins at a place. Lengths are definite, and of four bytes at most. */
function valueAt(bytes: Buffer, at: number): DerValue {
  const [tag = 0, short = 0x80] = bytes.subarray(at, at + 2)
  const lengthBytes = short < 0x80 ? 0 : short - 0x80
  const from = at + 2 + lengthBytes
  if ((tag & 0x1f) === 0x1f || short === 0x80 || lengthBytes > 4 || from > bytes.length) {
    throw new DerUnreadable('it is no DER')
  }
  const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes)
  if (from + length > bytes.length) throw new DerUnreadable('it breaks off')
  return { tag, content: bytes.subarray(from, from + length), encoded: bytes.subarray(at, from + length) }
}
