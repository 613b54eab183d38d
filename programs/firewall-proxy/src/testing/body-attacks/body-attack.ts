import { boundary } from '../request-variants/in-multipart.ts'
import { type RequestVariant, typed } from '../request-variants/request-variant.ts'

/** Attacks of one sort, and what clients send of the same form in earnest. */
export interface AttackSort {
  readonly sort: string
  readonly attacks: readonly RequestVariant[]
  readonly ordinary: readonly RequestVariant[]
}

/** A request in whose JSON a value is. */
export const inJson = (value: unknown): RequestVariant =>
  typed(`JSON ${JSON.stringify(value)}`, 'application/json', () => JSON.stringify({ a: value }))

/** A request in whose query a value is. */
export const inQuery = (value: string): RequestVariant => ({
  name: `query ${value}`,
  target: () => `/?a=${encodeURIComponent(value)}`,
  isOrdinary: true,
})

/** A form with a file. */
export const uploaded = (
  fileName: string,
  type: string | undefined,
  content: string | Buffer,
): RequestVariant =>
  typed(`${fileName}, ${type}, ${content.length} bytes`, `multipart/form-data; boundary=${boundary}`, () =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="${fileName}"\r\n`),
      Buffer.from(type === undefined ? '\r\n' : `Content-Type: ${type}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  )

/** A body that is a file itself. */
export const put = (fileName: string, type: string, content: string | Buffer): RequestVariant =>
  typed(`PUT ${fileName}, ${type}, ${content.length} bytes`, type, () => Buffer.from(content), true, {
    method: 'PUT',
    target: () => `/files/${fileName}`,
  })
