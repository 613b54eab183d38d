import type { SnapshotFrames, SnapshotService } from '@palisade/proxy-protocol'
import { withoutHeader } from '../exchange/headers.ts'
import type { Filter, FilterDescriptor } from './filter.ts'

/**
 * Says which other pages may show those of the service inside them: to older browsers by `X-Frame-Options` (RFC 7034), to others by
 * `frame-ancestors` in a Content Security Policy of its own, beside that of the application.
 */
export const frames: FilterDescriptor = {
  name: 'frames',
  isShared: true,
  make: framesFilter,
}

function framesFilter({ rewriting }: SnapshotService): Filter | undefined {
  if (rewriting?.frames === undefined) return undefined
  const [options, ancestors] = valuesOf(rewriting.frames)
  return {
    onResponse: (_, head) => {
      head.headers = [
        ...withoutHeader(head.headers, 'x-frame-options'),
        'X-Frame-Options',
        options,
        'Content-Security-Policy',
        `frame-ancestors ${ancestors}`,
      ]
      return undefined
    },
  }
}

function valuesOf({ by, origin = '' }: SnapshotFrames): readonly [options: string, ancestors: string] {
  if (by === 'never') return ['DENY', "'none'"]
  if (by === 'same-origin') return ['SAMEORIGIN', "'self'"]
  return [`ALLOW-FROM ${origin}`, URL.parse(origin)?.origin ?? "'none'"]
}
