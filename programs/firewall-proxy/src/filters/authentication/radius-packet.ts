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

/** NAS-Port-Type Virtual: the login comes by no physical port (RFC 2865, section 5.41). */
const virtualPort = Buffer.from([0, 0, 0, 5])

/** In bytes of UTF-8 (RFC 2865, section 5.1). */
export const userNameBytesMax = 253
/** In bytes of UTF-8 (RFC 2865, section 5.2). */
export const passwordBytesMax = 128

/** A name and a password for a server to check, each within its limit above. */
export interface AccessRequest {
  readonly userName: string
  readonly password: string
  /** The address that the user comes from. */
  readonly client: string
  /** The name of the proxy, for which the server may have rules of its own. */
  readonly nasIdentifier: string
}

/** The random part of a request, which its answer has to match. */
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
export class UnauthenticatedAnswer extends Error {}

/** An Access-Request, as it is sent. */
export function encodeRequest(request: AccessRequest, identity: RequestIdentity, secret: string): Buffer {
  const attributes = [
    // First, as RFC 9765 (section 5.2) and servers since CVE-2024-3596 want it.
    encodeAttribute(attribute.messageAuthenticator, Buffer.alloc(digestBytes)),
    encodeAttribute(attribute.userName, Buffer.from(request.userName)),
    encodeAttribute(
      attribute.userPassword,
      hidePassword(Buffer.from(request.password), identity.authenticator, secret),
    ),
    encodeAttribute(attribute.nasIdentifier, Buffer.from(request.nasIdentifier)),
    encodeAttribute(attribute.nasPortType, virtualPort),
    encodeAttribute(attribute.callingStationId, Buffer.from(request.client)),
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
 * @returns undefined where it does not answer this request, or its sender does not know the secret: RFC 2865 has such packets ignored
 * @throws UnauthenticatedAnswer
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
  if (proofs.some((proof) => !isAuthentic(proof, packet, secret))) return undefined
  switch (packet[0]) {
    case code.accessReject:
      return { result: 'reject' }
    case code.accessChallenge:
      return { result: 'challenge' }
    case code.accessAccept:
      if (proofs.length !== 1) throw new UnauthenticatedAnswer()
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

function encodeAttribute(type: number, value: Uint8Array): Buffer {
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
function hidePassword(password: Buffer, authenticator: Uint8Array, secret: string): Buffer {
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
function isAuthentic({ value, at }: Attribute, packet: Buffer, secret: string): boolean {
  if (value.length !== digestBytes) return false
  const withZeros = Buffer.from(packet)
  withZeros.fill(0, at, at + digestBytes)
  return timingSafeEqual(createHmac('md5', secret).update(withZeros).digest(), value)
}

function textsOf(attributes: readonly Attribute[], type: number): string[] {
  return attributes.filter((one) => one.type === type).map(({ value }) => value.toString())
}
