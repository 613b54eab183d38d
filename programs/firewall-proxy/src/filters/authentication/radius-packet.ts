import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Packets of RADIUS (RFC 2865, section 3), big endian:
 *
 *   0  code        1 Access-Request, 2 Access-Accept, 3 Access-Reject, 11 Access-Challenge
 *   1  identifier  the same in a request and its answer
 *   2  length      of all, 20 to 4,096
 *   4  authenticator: random in a request; in an answer the MD5 of it, the request's authenticator and the secret
 *  20  attributes: type, length with these two bytes, value of 1 to 253 bytes
 *
 * Message-Authenticator (RFC 3579, section 3.2) is an HMAC of the whole. Without it whoever sits between the two can turn a refusal into an
 * acceptance, since MD5 has collisions (CVE-2024-3596).
 */

const code = { accessRequest: 1, accessAccept: 2, accessReject: 3, accessChallenge: 11 } as const

const attribute = {
  userName: 1,
  userPassword: 2,
  filterId: 11,
  callingStationId: 31,
  nasIdentifier: 32,
  nasPortType: 61,
  messageAuthenticator: 80,
} as const

const headerBytes = 20
const packetBytesMax = 4_096
const authenticatorAt = 4
const digestBytes = 16

/** The port that a login comes by is none of wires (RFC 2865, section 5.41). */
const virtualPort = Buffer.from([0, 0, 0, 5])

/** In bytes of UTF-8 (RFC 2865, sections 5.1 and 5.2). */
export const userNameBytesMax = 253
export const passwordBytesMax = 128

/** What a server is asked, as long as a name and a password fit. */
export interface AccessRequest {
  readonly userName: string
  readonly password: string
  /** The address that the user comes from. */
  readonly client: string
  /** What the asking proxy calls itself, to whom the server may have rules of its own. */
  readonly nasIdentifier: string
}

/** What is random in a request; an answer has to fit it. */
export interface RequestIdentity {
  /** 0 to 255. */
  readonly identifier: number
  /** 16 bytes. */
  readonly authenticator: Uint8Array
}

/** What a server has answered. */
export type AccessAnswer =
  | {
      readonly result: 'accept'
      readonly userName: string | undefined
      readonly filterIds: readonly string[]
    }
  | { readonly result: 'reject' | 'challenge' }

/** An acceptance without a Message-Authenticator: anybody on the way could have made it. */
export class UnprotectedAnswer extends Error {}

/** An Access-Request, as it is sent. */
export function encodeRequest(request: AccessRequest, identity: RequestIdentity, secret: string): Buffer {
  const attributes = [
    // First, as RFC 9765 (section 5.2) and servers since CVE-2024-3596 want it.
    encoded(attribute.messageAuthenticator, Buffer.alloc(digestBytes)),
    encoded(attribute.userName, Buffer.from(request.userName)),
    encoded(attribute.userPassword, hidden(Buffer.from(request.password), identity.authenticator, secret)),
    encoded(attribute.nasIdentifier, Buffer.from(request.nasIdentifier)),
    encoded(attribute.nasPortType, virtualPort),
    encoded(attribute.callingStationId, Buffer.from(request.client)),
  ]
  const packet = Buffer.concat([Buffer.alloc(headerBytes), ...attributes])
  packet[0] = code.accessRequest
  packet[1] = identity.identifier
  packet.writeUInt16BE(packet.length, 2)
  packet.set(identity.authenticator, authenticatorAt)
  packet.set(createHmac('md5', secret).update(packet).digest(), headerBytes + 2)
  return packet
}

/**
 * The answer in a packet.
 *
 * @returns undefined where it is none to this request, or not of who knows the secret; RFC 2865 has such packets ignored
 * @throws UnprotectedAnswer
 */
export function decodeAnswer(
  bytes: Buffer,
  identity: RequestIdentity,
  secret: string,
): AccessAnswer | undefined {
  if (bytes.length < headerBytes || bytes[1] !== identity.identifier) return undefined
  const length = bytes.readUInt16BE(2)
  if (length < headerBytes || length > packetBytesMax || length > bytes.length) return undefined
  // What is behind the length is padding.
  const packet = Buffer.from(bytes.subarray(0, length))
  const authenticator = Buffer.from(packet.subarray(authenticatorAt, headerBytes))
  packet.set(identity.authenticator, authenticatorAt)
  if (!timingSafeEqual(createHash('md5').update(packet).update(secret).digest(), authenticator))
    return undefined
  const attributes = decodeAttributes(packet)
  if (attributes === undefined) return undefined
  const proofs = attributes.filter(({ type }) => type === attribute.messageAuthenticator)
  if (proofs.some((proof) => !isProof(proof, packet, secret))) return undefined
  switch (packet[0]) {
    case code.accessReject:
      return { result: 'reject' }
    case code.accessChallenge:
      return { result: 'challenge' }
    case code.accessAccept:
      if (proofs.length !== 1) throw new UnprotectedAnswer()
      return {
        result: 'accept',
        userName: textsOf(attributes, attribute.userName)[0],
        filterIds: textsOf(attributes, attribute.filterId),
      }
    default:
      return undefined
  }
}

interface Attribute {
  readonly type: number
  readonly value: Buffer
  /** Of the value, in the packet. */
  readonly at: number
}

function encoded(type: number, value: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([type, value.length + 2]), value])
}

/** @returns undefined where their lengths do not fill the packet */
function decodeAttributes(packet: Buffer): Attribute[] | undefined {
  const attributes: Attribute[] = []
  let at = headerBytes
  while (at < packet.length) {
    const type = packet[at] ?? 0
    const length = packet[at + 1] ?? 0
    if (length < 2 || at + length > packet.length) return undefined
    attributes.push({ type, value: packet.subarray(at + 2, at + length), at: at + 2 })
    at += length
  }
  return attributes
}

/** The password, padded to whole digests, each part under the digest of the secret and the part before (RFC 2865, section 5.2). */
function hidden(password: Buffer, authenticator: Uint8Array, secret: string): Buffer {
  const result = Buffer.alloc(Math.max(1, Math.ceil(password.length / digestBytes)) * digestBytes)
  password.copy(result)
  let before = authenticator
  for (let at = 0; at < result.length; at += digestBytes) {
    const mask = createHash('md5').update(secret).update(before).digest()
    for (let byte = 0; byte < digestBytes; byte++)
      result[at + byte] = (result[at + byte] ?? 0) ^ (mask[byte] ?? 0)
    before = result.subarray(at, at + digestBytes)
  }
  return result
}

/** @param packet with the authenticator of the request in it */
function isProof({ value, at }: Attribute, packet: Buffer, secret: string): boolean {
  if (value.length !== digestBytes) return false
  const without = Buffer.from(packet)
  without.fill(0, at, at + digestBytes)
  return timingSafeEqual(createHmac('md5', secret).update(without).digest(), value)
}

function textsOf(attributes: readonly Attribute[], type: number): string[] {
  return attributes.filter((one) => one.type === type).map(({ value }) => value.toString())
}
