/** A cookie as a request brings it. */
export interface Cookie {
  readonly name: string
  readonly value: string
  /** Name and value as they were written. */
  readonly written: string
}

/**
 * Commas and blanks behind which something begins that has a name. Servers that go by RFC 2965, or by some libraries of Python and Ruby,
 * see another cookie there, also in quotes.
 */
const furtherCookie = /[,\s]+(?=[^\s,;="]+\s*=)/

/** The cookies of all `Cookie` headers, as browsers separate them (RFC 6265, section 4.2.1). @param headers names and values in turn */
export function cookiesOf(headers: readonly string[]): Cookie[] {
  return headers.flatMap((value, index) =>
    index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'cookie'
      ? value
          .split(';')
          .map((pair) => pair.trim())
          .filter((pair) => pair !== '')
          .map(cookieOf)
      : [],
  )
}

/** What servers can read as several cookies that browsers take for one: itself first, with what is left of its value. */
export function partsOf({ written }: Cookie): Cookie[] {
  return written.split(furtherCookie).map(cookieOf)
}

/** The headers with these cookies, in the place of the first of them. */
export function withCookies(headers: readonly string[], cookies: readonly string[]): string[] {
  const after: string[] = []
  let isDone = cookies.length === 0
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const [name = '', value = ''] = [headers[index], headers[index + 1]]
    if (name.toLowerCase() !== 'cookie') after.push(name, value)
    else if (!isDone) {
      after.push(name, cookies.join('; '))
      isDone = true
    }
  }
  return after
}

function cookieOf(written: string): Cookie {
  const sign = written.indexOf('=')
  return { name: written.slice(0, Math.max(sign, 0)), value: written.slice(sign + 1), written }
}
