import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'

/** What a browser and its authenticator are told or do otherwise than they should. */
export interface Deviation {
  /** Where the browser thinks it is. */
  readonly origin?: string
  /** The site that the authenticator signs for. */
  readonly rpId?: string
  readonly challenge?: string
  /** How often the authenticator says it has signed. */
  readonly counter?: number
  /** `webauthn.get` or `webauthn.create`. */
  readonly type?: string
  readonly userHandle?: string | undefined
  /** Nobody has touched it. */
  readonly isAbsent?: boolean
  /** It has not asked for a finger or a PIN. */
  readonly isUnverified?: boolean
}

const [userPresent, userVerified, attested] = [0x01, 0x04, 0x40]

/** The smallest authenticator of WebAuthn with the browser before it: one credential, ES256, attestation `none`. */
export class TestAuthenticator {
  readonly #origin: string
  readonly #rpId: string
  readonly #id = randomBytes(16)
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  #userHandle = ''
  #counter = 0

  constructor(origin: string) {
    this.#origin = origin
    this.#rpId = new URL(origin).hostname
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#privateKey = privateKey
    this.#publicKey = publicKey
  }

  get id(): string {
    return this.#id.toString('base64url')
  }

  /** `navigator.credentials.create()` */
  create(options: { challenge: string; user: { id: string } }, deviation: Deviation = {}) {
    this.#userHandle = options.user.id
    const attestationObject = encodeCBOR(
      new Map<string, CBORType>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, CBORType>()],
        ['authData', this.#authenticatorData(deviation, attested, this.#attestedData())],
      ]),
    )
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options, deviation).toString('base64url'),
      attestationObject: Buffer.from(attestationObject).toString('base64url'),
      transports: ['usb'],
    })
  }

  /** `navigator.credentials.get()` */
  get(options: { challenge: string }, deviation: Deviation = {}) {
    this.#counter = deviation.counter ?? this.#counter + 1
    const clientData = this.#clientData('webauthn.get', options, deviation)
    const authenticatorData = this.#authenticatorData(deviation)
    const userHandle = 'userHandle' in deviation ? deviation.userHandle : this.#userHandle
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign(
        'sha256',
        Buffer.concat([authenticatorData, sha256(clientData)]),
        this.#privateKey,
      ).toString('base64url'),
      ...(userHandle !== undefined && { userHandle }),
    })
  }

  #credential<Response>(response: Response) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, options: { challenge: string }, deviation: Deviation): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: deviation.type ?? type,
        challenge: deviation.challenge ?? options.challenge,
        origin: deviation.origin ?? this.#origin,
        crossOrigin: false,
      }),
    )
  }

  /** Digest of the site, flags, counter, and what is made: WebAuthn, section 6.1. */
  #authenticatorData(
    deviation: Deviation,
    flags = 0,
    made: Uint8Array = new Uint8Array(),
  ): Buffer<ArrayBuffer> {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.#counter)
    const user = (deviation.isAbsent ? 0 : userPresent) | (deviation.isUnverified ? 0 : userVerified)
    return Buffer.concat([sha256(deviation.rpId ?? this.#rpId), Buffer.from([flags | user]), counter, made])
  }

  /** AAGUID, length and value of the id, and the public key in COSE (RFC 9053, section 7.1). */
  #attestedData(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    const key = new Map<number, CBORType>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ])
    const length = Buffer.from([0, this.#id.length])
    return Buffer.concat([Buffer.alloc(16), length, this.#id, encodeCBOR(key)])
  }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
