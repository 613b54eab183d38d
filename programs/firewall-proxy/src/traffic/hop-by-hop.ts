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
])

/**
 * The headers of a message that are for its final receiver.
 *
 * @param rawHeaders names and values in turn, as they came
 */
export function endToEndHeaders(rawHeaders: readonly string[]): string[] {
  const named = namedByConnection(rawHeaders)
  const kept: string[] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]]
    const lower = name.toLowerCase()
    if (!hopByHop.has(lower) && !named.has(lower)) kept.push(name, value)
  }
  return kept
}

/** The value of a header; the first when there are several. @param lowerName in lower case */
export function headerValue(rawHeaders: readonly string[], lowerName: string): string | undefined {
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === lowerName) return rawHeaders[index + 1]
  }
  return undefined
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

/** Headers that `Connection` declares to be of this connection; those that frame the message or say where it goes stay. */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  const named = new Set<string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'connection') continue
    for (const name of (rawHeaders[index + 1] ?? '').split(',')) named.add(name.trim().toLowerCase())
  }
  for (const name of ['content-length', 'host', 'x-forwarded-for', 'authorization', 'cookie'])
    named.delete(name)
  return named
}
