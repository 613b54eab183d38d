import type { Transform } from 'node:stream'
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'
import { headerValues } from '../exchange/headers.ts'
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
    const hasHeader = hasZlibMethod(bytes) && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0
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

/** The largest window that clients have to keep for zstd, 8 MiB (RFC 9659). */
const zstdWindowLogMax = 23

/** A stream of what is plain for one of what is coded, by the first bytes of that. What ends too early is plain as far as it goes. */
const streams: Readonly<Record<string, (first: Buffer) => Transform>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: (first) => {
    const make = hasZlibMethod(first) ? createInflate : createInflateRaw
    return make({ finishFlush: constants.Z_SYNC_FLUSH })
  },
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () =>
    createZstdDecompress({
      finishFlush: constants.ZSTD_e_flush,
      params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax },
    }),
}

/**
 * What takes the content coding of a body away while it comes.
 *
 * @param headers names and values in turn
 * @returns undefined for a coding that is not known, and for several
 */
export function decoderOf(headers: readonly string[]): ((first: Buffer) => Transform) | undefined {
  const [coding = '', ...more] = codingsOf(headers)
  return more.length === 0 && Object.hasOwn(streams, coding) ? streams[coding] : undefined
}

/** The codings of a body in lower case, in the order in which they were applied; without those that change nothing. */
function codingsOf(headers: readonly string[]): string[] {
  return headerValues(headers, 'content-encoding')
    .join(',')
    .split(',')
    .map((coding) =>
      coding
        .trim()
        .toLowerCase()
        .replace(/^x-gzip$/, 'gzip'),
    )
    .filter((coding) => coding !== '' && coding !== 'identity')
}

/** Whether bytes begin as those of zlib do: with the number of the only method that there is (RFC 1950, section 2.2). */
function hasZlibMethod(bytes: Buffer): boolean {
  return ((bytes[0] ?? 0) & 15) === 8
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
  const [coding, ...more] = codingsOf(headers)
  if (coding === undefined || bytes.length === 0) return { bytes, isWhole, faults: [] }
  const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  if (decode === undefined || more.length > 0) {
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
