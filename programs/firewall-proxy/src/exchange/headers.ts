/**
 * Headers that concern one connection and are not passed on (RFC 9110, section 7.6.1), and `expect`, which is answered
 * here.
 */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'http2-settings',
])

const hopByHopLengths = new Set(Array.from(hopByHop, ({ length }) => length))

/** Whether a header concerns one connection. @param lowerName in lower case */
export function isHopByHop(lowerName: string): boolean {
  return hopByHop.has(lowerName)
}

/** Options of connections that name no header. */
const plainOptions = new Set(['keep-alive', 'close'])

/** Headers of which no `Connection` can say that they are its own. */
const ofTheMessage = [
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'x-forwarded-for',
] as const

const connectionLength = 'connection'.length

/**
 * The headers of a message that are for its final receiver.
 *
 * @param rawHeaders names and values in turn, as they came
 */
export function endToEndHeaders(rawHeaders: readonly string[]): string[] {
  const connectionHeaders = namedByConnection(rawHeaders)
  const headers: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    // Most names are told apart by their length alone.
    if (connectionHeaders !== undefined || hopByHopLengths.has(name.length)) {
      const lower = name.toLowerCase()
      if (hopByHop.has(lower) || connectionHeaders?.has(lower)) continue
    }
    headers.push(name, rawHeaders[index + 1] ?? '')
  }
  return headers
}

/** The value of a header; the first when there are several. @param lowerName in lower case */
export function headerValue(rawHeaders: readonly string[], lowerName: string): string | undefined {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === lowerName.length && name.toLowerCase() === lowerName) return rawHeaders[index + 1]
  }
  return undefined
}

/** All values of a header, in their order. @param lowerName in lower case */
export function headerValues(headers: readonly string[], lowerName: string): string[] {
  const values: string[] = []
  for (let index = 0; index + 1 < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === lowerName) values.push(headers[index + 1] ?? '')
  }
  return values
}

/** The value of a cookie that a request brings; the first when there are several. */
export function cookieValue(rawHeaders: readonly string[], name: string): string | undefined {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'cookie') continue
    for (const pair of (rawHeaders[index + 1] ?? '').split(';')) {
      const at = pair.indexOf('=')
      if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
    }
  }
  return undefined
}

/** Headers without all of one name. @param lowerName in lower case */
export function withoutHeader(rawHeaders: readonly string[], lowerName: string): string[] {
  return rawHeaders.filter((_, index) => rawHeaders[index - (index % 2)]?.toLowerCase() !== lowerName)
}

/**
 * Headers that `Connection` declares to be of this connection; those stay that frame the message, say where it goes, or by which its
 * body was judged. Undefined when there are none.
 */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> | undefined {
  let connectionHeaders: Set<string> | undefined
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length !== connectionLength || name.toLowerCase() !== 'connection') continue
    const options = (rawHeaders[index + 1] ?? '').toLowerCase()
    if (plainOptions.has(options)) continue
    connectionHeaders ??= new Set()
    for (const option of options.split(',')) connectionHeaders.add(option.trim())
  }
  if (connectionHeaders === undefined) return undefined
  for (const name of ofTheMessage) connectionHeaders.delete(name)
  return connectionHeaders
}
