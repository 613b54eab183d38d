import { createSecureContext, type SecureContext } from 'node:tls'

/** Where authorities ask for what proves that a name is held (RFC 8555, section 8.3). */
const prefix = '/.well-known/acme-challenge/'

/** What authorities are to be answered that are about to sign certificates. */
export interface ChallengeAnswers {
  readonly http: readonly { readonly token: string; readonly keyAuthorization: string }[]
  /** Certificates for handshakes, by the host that is to be proved; PEM. */
  readonly tls: readonly {
    readonly name: string
    readonly certificate: { readonly chain: string; readonly privateKey: string }
  }[]
}

/** What a request of an authority is answered. */
export interface HttpChallengeReply {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What authorities are answered for the moment; the same at all listeners of a program. */
export class Challenges {
  readonly #http = new Map<string, string>()
  readonly #tls = new Map<string, SecureContext>()

  /**
   * Answers these from now on, and no others.
   *
   * @param answers undefined for none
   * @throws Error when a certificate among them cannot be used
   */
  take(answers: ChallengeAnswers | undefined): void {
    const contexts = (answers?.tls ?? []).map(({ name, certificate: { chain, privateKey } }) => {
      return [name, createSecureContext({ cert: chain, key: privateKey })] as const
    })
    this.#http.clear()
    this.#tls.clear()
    for (const { token, keyAuthorization } of answers?.http ?? []) this.#http.set(token, keyAuthorization)
    for (const [name, context] of contexts) this.#tls.set(name, context)
  }

  /** Whether a handshake may be an authority's. */
  get areInHandshakes(): boolean {
    return this.#tls.size > 0
  }

  /** What a handshake for that host shows; undefined where nothing is to be proved about it. */
  ofHandshake(serverName: string): SecureContext | undefined {
    return this.#tls.get(serverName.toLowerCase())
  }

  /** @param path of a request. @returns undefined for what no authority asks for: an application may have challenges of its own */
  ofRequest(path: string): HttpChallengeReply | undefined {
    if (this.#http.size === 0 || !path.startsWith(prefix)) return undefined
    const body = this.#http.get(path.slice(prefix.length))
    if (body === undefined) return undefined
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body }
  }
}
