import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import type { BodyBeginning } from './request-body.ts'

/** A body as it reads without the content coding of its request. */
export interface PlainBody {
  readonly bytes: Buffer
  readonly isWhole: boolean
  /** Why that is not certain; a sentence each. */
  readonly faults: readonly string[]
}

type Decode = (
  bytes: Buffer,
  limits: { readonly maxOutputLength: number; readonly isWhole: boolean },
) => Buffer

const decoders: Readonly<Record<string, Decode>> = {
  gzip: (bytes, { isWhole, ...limits }) => gunzipSync(bytes, { ...limits, finishFlush: flushAt(isWhole) }),
  deflate: (bytes, { isWhole, ...limits }) => {
    // Some clients send it with the header of zlib, as they should, and some without (RFC 9110, section 8.4.1.2).
    const hasHeader = ((bytes[0] ?? 0) & 15) === 8 && bytes.readUInt16BE(0) % 31 === 0
    const inflate = hasHeader ? inflateSync : inflateRawSync
    return inflate(bytes, { ...limits, finishFlush: flushAt(isWhole) })
  },
  br: (bytes, { maxOutputLength, isWhole }) =>
    brotliDecompressSync(bytes, {
      maxOutputLength,
      finishFlush: isWhole ? constants.BROTLI_OPERATION_FINISH : constants.BROTLI_OPERATION_FLUSH,
    }),
  zstd: (bytes, { maxOutputLength, isWhole }) =>
    zstdDecompressSync(bytes, {
      maxOutputLength,
      finishFlush: isWhole ? constants.ZSTD_e_end : constants.ZSTD_e_flush,
    }),
}

/**
 * Takes the content coding of a request away, for rules and filters; the server gets the body as it came. What is coded in a way that is
 * not known, or twice, or is longer than the limit when it is plain, stays as it is with a fault.
 *
 * @param limitBytes of the plain body
 */
export function withoutContentCoding(
  headers: readonly string[],
  { bytes, isWhole }: BodyBeginning,
  limitBytes: number,
): PlainBody {
  const codings = headers.filter(
    (_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'content-encoding',
  )
  const named = codings
    .join(',')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  const [coding] = named
  if (coding === undefined || bytes.length === 0) return { bytes, isWhole, faults: [] }
  const decode = decoders[coding.replace(/^x-gzip$/, 'gzip')]
  if (decode === undefined || named.length > 1) {
    return { bytes, isWhole, faults: ['Its content coding is not one that is read.'] }
  }
  try {
    return { bytes: decode(bytes, { maxOutputLength: limitBytes, isWhole }), isWhole, faults: [] }
  } catch (error) {
    const isLong = error instanceof RangeError
    const why = isLong ? 'It is too large without its content coding.' : 'It is not in its content coding.'
    return { bytes, isWhole, faults: [why] }
  }
}

function flushAt(isWhole: boolean): number {
  return isWhole ? constants.Z_FINISH : constants.Z_SYNC_FLUSH
}
