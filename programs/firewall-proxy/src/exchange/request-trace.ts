import { type Attributes, beginChild, beginTrace, readTraceparent, type Span } from '@palisade/tracing'

/** What is told of a request when it begins. */
interface TracedRequest {
  readonly id: string
  readonly method: string | undefined
  /** As the client has sent it. */
  readonly traceparent: string | string[] | undefined
  readonly service: string
  readonly isSecure: boolean
}

/** Others are what a client has made up. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])

/** The spans of one request that is recorded: the whole, and its parts one behind another. Neither address, headers nor bodies are told. */
export class RequestTrace {
  readonly #whole: Span
  #part: Span | undefined

  private constructor(whole: Span) {
    this.#whole = whole
  }

  /**
   * Begins the spans of a request; undefined where it is not recorded. It goes on with the client's trace, but chance alone says
   * whether it is recorded: clients are anybody.
   */
  static begin({ id, method = '', traceparent, service, isSecure }: TracedRequest): RequestTrace | undefined {
    const shownMethod = usualMethods.has(method) ? method : '_OTHER'
    const whole = beginTrace(
      shownMethod,
      {
        kind: 'server',
        attributes: {
          'http.request.method': shownMethod,
          'url.scheme': isSecure ? 'https' : 'http',
          'palisade.service': service,
          'palisade.request_id': id,
        },
      },
      {
        caller: readTraceparent(typeof traceparent === 'string' ? traceparent : undefined),
        trustsCaller: false,
        traceId: id.replaceAll('-', ''),
      },
    )
    return whole && new RequestTrace(whole)
  }

  /** The next part begins, and the one before has ended. */
  enter(part: 'inspection' | 'upstream', attributes: Attributes = {}): void {
    this.#part?.end()
    const kind = part === 'upstream' ? 'client' : 'internal'
    this.#part = beginChild(part, { kind, attributes }, this.#whole)
  }

  /** What a server is told, so that its own spans become children of these. */
  get traceparent(): string {
    return (this.#part ?? this.#whole).traceparent
  }

  /** The request has ended. @param status undefined where the client got none */
  end({ status, violations }: { readonly status: number | undefined; readonly violations: number }): void {
    this.#part?.end()
    this.#whole.set({
      'palisade.violations': violations,
      ...(status === undefined ? { 'error.type': 'client_gone' } : { 'http.response.status_code': status }),
    })
    if (status !== undefined && status >= 500) this.#whole.fail()
    this.#whole.end()
  }
}
