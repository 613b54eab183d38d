import { createGzip } from 'node:zlib'
import { problemOfExpression, type SnapshotCompression, type SnapshotService } from '@palisade/proxy-protocol'
import type { ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue, withoutHeader } from '../../exchange/headers.ts'
import { addVary, forgetBytes, hasReadableBody, mediaTypeOf } from '../../exchange/response-head.ts'
import { BoundedExpression } from '../../patterns/bounded-expression.ts'
import { settingsOf } from '../../servers/rule-settings.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'
import { takesGzip } from './accepted-codings.ts'

/** The usual measure between time and size for what is compressed while it passes. */
const level = 6

/** Sent piece by piece as it happens, which must not wait for more to compress. */
const neverCompressed = new Set(['text/event-stream'])

/** Compresses answers for clients that take gzip. It has to be the last that changes them. */
export const compression: FilterDescriptor = {
  name: 'compression',
  isShared: true,
  make: compressionFilter,
}

function compressionFilter(service: SnapshotService): Filter | undefined {
  const decisionFor = compressionDecisions(service)
  if (decisionFor === undefined) return undefined
  return {
    onResponse: (exchange, head) => {
      if (decisionFor(exchange)?.isCompressed(exchange, head)) head.encoder = createGzip({ level })
      return undefined
    },
  }
}

/** What decides about a request's answer; undefined when nothing is compressed. */
export function compressionDecisions(
  service: SnapshotService,
): ((exchange: Exchange) => CompressionDecision | undefined) | undefined {
  return settingsOf(service, 'compression', (settings) => new CompressionDecision(settings))
}

/** Which answers are compressed for whom. */
export class CompressionDecision {
  readonly #settings: SnapshotCompression
  readonly #types: readonly BoundedExpression[]

  constructor(settings: SnapshotCompression) {
    this.#settings = settings
    this.#types = settings.contentTypes.flatMap((pattern) => expressionOf(pattern) ?? [])
  }

  /** Decides, and makes the head say so: also that it depends on what clients take, where it does. */
  isCompressed(exchange: Exchange, head: ResponseHead): boolean {
    if (!this.#mayBe(exchange, head)) return false
    addVary(head, 'Accept-Encoding')
    if (!takesGzip(exchange.headers)) return false
    forgetBytes(head)
    head.headers = [...withoutHeader(head.headers, 'content-encoding'), 'Content-Encoding', 'gzip']
    exchange.isCompressed = true
    return true
  }

  #mayBe(exchange: Exchange, head: ResponseHead): boolean {
    const length = headerValue(head.headers, 'content-length')
    return (
      this.#isOfType(mediaTypeOf(head).type) &&
      (length === undefined || Number(length) >= this.#settings.sizeMin) &&
      !/(?:^|[,\s])no-transform(?:$|[,\s])/i.test(headerValue(head.headers, 'cache-control') ?? '') &&
      hasReadableBody(exchange, head)
    )
  }

  #isOfType(type: string): boolean {
    if (neverCompressed.has(type)) return false
    return this.#types.some((expression) => expression.test(type)) || this.#settings.unknownTypes
  }
}

/** Types are written as patterns of which the whole type has to be one; what is no pattern names no type. */
function expressionOf(pattern: string): BoundedExpression | undefined {
  return problemOfExpression(pattern) === undefined ? new BoundedExpression(`^(?:${pattern})$`) : undefined
}
