/**
 * The header `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context/#traceparent-header):
 *
 *     00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 *     version, trace id, id of the span that has sent it, flags; the lowest bit of the flags says that the trace is recorded
 */

/** A span of another process, or of this one, as others are told of it. */
export interface Traceparent {
  /** 32 hexadecimal digits, not all of them 0. */
  readonly traceId: string
  /** 16 hexadecimal digits, not all of them 0. */
  readonly spanId: string
  /** Whether whoever has sent it records the trace. */
  readonly isSampled: boolean
}

/** How long a header may be that is looked at: later versions may add members behind the four. */
const lengthMax = 256

/** Reads the header; undefined when there is none or it cannot be read, which is as if there were none. */
export function readTraceparent(header: string | undefined): Traceparent | undefined {
  if (header === undefined || header.length > lengthMax) return undefined
  const match =
    /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header)
  if (match === null) return undefined
  const [, version, traceId = '', spanId = '', flags = '', more] = match
  if (version === '00' && more !== undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** Writes the header. */
export function writeTraceparent({ traceId, spanId, isSampled }: Traceparent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** Whether a text can be a trace id. */
export function isTraceId(text: string): boolean {
  return /^(?!0{32})[0-9a-f]{32}$/.test(text)
}
