import type { RequestBody } from '../../exchange/answer.ts'
import { headerValue } from '../../exchange/headers.ts'

/** A body without the fields that its form got from us, and their values. */
export interface TakenFields {
  readonly body: RequestBody
  /** By the name of the field. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/**
 * Takes fields out of the body of a form.
 *
 * @param headers names and values in turn; the body has one of the types of forms
 * @param names in letters that need no encoding
 */
export function takeFields(
  body: RequestBody,
  headers: readonly string[],
  names: readonly string[],
): TakenFields {
  const { bytes } = body
  if (!names.some((name) => bytes.includes(name))) return { body, values: new Map() }
  const [, quoted, plain] =
    /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(
      headerValue(headers, 'content-type') ?? '',
    ) ?? []
  const boundary = quoted ?? plain
  const extracted = boundary === undefined ? fromEncoded(body, names) : fromParts(bytes, boundary, names)
  return { body: { ...body, bytes: extracted.bytes }, values: extracted.values }
}

interface Taken {
  readonly bytes: Buffer
  readonly values: Map<string, string[]>
}

/** What is cut off stays as it is. */
function fromEncoded({ bytes, isWhole }: RequestBody, names: readonly string[]): Taken {
  const values = new Map<string, string[]>()
  const otherFields = bytes
    .toString('latin1')
    .split('&')
    .filter((part, index, { length }) => {
      const name = names.find((one) => part.startsWith(`${one}=`))
      if (name === undefined || (!isWhole && index === length - 1)) return true
      add(values, name, part.slice(name.length + 1))
      return false
    })
  return { bytes: Buffer.from(otherFields.join('&'), 'latin1'), values }
}

/** A part goes with the delimiter before it (RFC 2046, section 5.1.1); what is cut off stays as it is. */
function fromParts(bytes: Buffer, boundary: string, names: readonly string[]): Taken {
  const values = new Map<string, string[]>()
  const delimiter = Buffer.from(`--${boundary}`, 'latin1')
  const otherParts: Buffer[] = []
  let start = bytes.indexOf(delimiter)
  otherParts.push(bytes.subarray(0, Math.max(start, 0)))
  while (start >= 0) {
    const next = bytes.indexOf(Buffer.concat([lineEnd, delimiter]), start)
    const end = next < 0 ? bytes.length : next + lineEnd.length
    const part = bytes.subarray(start, end)
    const field = next < 0 ? undefined : fieldOf(part.subarray(delimiter.length), names)
    if (field === undefined) otherParts.push(part)
    else add(values, field.name, field.value)
    start = next < 0 ? -1 : end
  }
  return { bytes: Buffer.concat(otherParts), values }
}

const lineEnd = Buffer.from('\r\n')

const headEnd = Buffer.from('\r\n\r\n')

/** No head of a field of ours is longer. */
const headMax = 256

function fieldOf(
  part: Buffer,
  names: readonly string[],
): { readonly name: string; readonly value: string } | undefined {
  const at = part.subarray(0, headMax).indexOf(headEnd)
  if (at < 0) return undefined
  const [, name = ''] =
    /^\r\ncontent-disposition: form-data; name="([^"]*)"$/i.exec(part.toString('latin1', 0, at)) ?? []
  if (!names.includes(name)) return undefined
  return { name, value: part.toString('latin1', at + headEnd.length).replace(/\r\n$/, '') }
}

function add(values: Map<string, string[]>, name: string, value: string): void {
  const earlier = values.get(name)
  if (earlier === undefined) values.set(name, [value])
  else earlier.push(value)
}
