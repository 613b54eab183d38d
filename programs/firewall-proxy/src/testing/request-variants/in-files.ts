import { gzipSync } from 'node:zlib'
import { json } from './forms-of-a-value.ts'
import { field, multipart, parts } from './in-multipart.ts'
import { type RequestVariant, typed } from './request-variant.ts'

export const inFiles: readonly RequestVariant[] = [
  multipart('file in parts', (value) =>
    parts(
      field(value, 'Content-Disposition: form-data; name="f"; filename="a.txt"\r\nContent-Type: text/plain'),
    ),
  ),
  typed('PNG', 'image/png', (value) =>
    Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01', 'latin1'),
      Buffer.alloc(400, '\x03\x9c\0', 'latin1'),
      Buffer.from(value),
    ]),
  ),
  typed('gzip', 'application/octet-stream', (value) => gzipSync(json(value))),
].map((variant) => ({
  ...variant,
  carriedSince: 'a file is kept by applications as it is, and its content is no statement of theirs',
}))
