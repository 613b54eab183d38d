/** What a `Set-Cookie` header says (RFC 6265, section 5.2). */
export interface SetCookie {
  readonly name: string
  readonly value: string
  /** Each as it is written, such as `Path=/`. */
  readonly attributes: readonly string[]
}

/** @returns undefined for a header without a name, which browsers take in different ways */
export function parseSetCookie(header: string): SetCookie | undefined {
  const [pair = '', ...attributes] = header.split(';')
  const sign = pair.indexOf('=')
  const name = pair.slice(0, Math.max(sign, 0)).trim()
  if (name === '') return undefined
  return { name, value: pair.slice(sign + 1).trim(), attributes: attributes.map((one) => one.trim()) }
}

/** The value of a `Set-Cookie` header, attributes in their order. */
export function writtenSetCookie({ name, value, attributes }: SetCookie): string {
  return [`${name}=${value}`, ...attributes].join('; ')
}

/** The value of an attribute: the last counts; undefined without it. @param lowerName in lower case */
export function attributeOf({ attributes }: SetCookie, lowerName: string): string | undefined {
  const attribute = attributes.findLast((one) => nameOf(one) === lowerName)
  if (attribute === undefined) return undefined
  const sign = attribute.indexOf('=')
  return sign < 0 ? '' : attribute.slice(sign + 1).trim()
}

/** The cookie with an attribute in the place of all of its name. @param value undefined for one without a value */
export function withAttribute(cookie: SetCookie, name: string, value: string | undefined): SetCookie {
  const others = cookie.attributes.filter((one) => nameOf(one) !== name.toLowerCase())
  return { ...cookie, attributes: [...others, value === undefined ? name : `${name}=${value}`] }
}

function nameOf(attribute: string): string {
  return (attribute.split('=', 1)[0] ?? '').trim().toLowerCase()
}
