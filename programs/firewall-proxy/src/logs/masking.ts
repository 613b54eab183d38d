/** What a value is overwritten with; its length says nothing about the value. */
export const overwritten = 'XXXXXXXX'

/** Targets of rules that name one parameter behind a colon: `ARGS:password`. */
const parameterTargets = new Set(['ARGS', 'ARGS_GET', 'ARGS_POST', 'FILES', 'MULTIPART_PART_HEADERS'])

/** Targets that show no parameter's value, whatever is behind the colon. */
const harmlessTargets = new Set([
  'ARGS_NAMES',
  'ARGS_GET_NAMES',
  'ARGS_POST_NAMES',
  'REQUEST_COOKIES_NAMES',
  'REQUEST_FILENAME',
  'REQUEST_BASENAME',
  'REQUEST_METHOD',
  'REQUEST_PROTOCOL',
  'REMOTE_ADDR',
])

/** Overwrites the values of parameters that no log may show. Names are compared without case. */
export class Masking {
  readonly #expressions: readonly RegExp[]

  /** @param names in which `*` stands for any characters */
  constructor(names: readonly string[]) {
    this.#expressions = names.map(
      (name) => new RegExp(`^${name.split('*').map(RegExp.escape).join('.*')}$`, 'is'),
    )
  }

  get isActive(): boolean {
    return this.#expressions.length > 0
  }

  /** @param name decoded; one in JSON also by the name of its innermost member */
  masks(name: string): boolean {
    const innermost = name.slice(name.lastIndexOf('.') + 1)
    return this.#expressions.some((expression) => expression.test(name) || expression.test(innermost))
  }

  /** A query with its values overwritten where they have to be, as it came otherwise. */
  query(query: string): string {
    if (!this.isActive) return query
    return query.replace(/([^&;=]+)=([^&;]*)/g, (whole, name: string, value: string) =>
      value !== '' && this.masks(decoded(name)) ? `${name}=${overwritten}` : whole,
    )
  }

  /** An address of which the query is masked. */
  address(address: string): string {
    const start = address.indexOf('?')
    return start < 0 ? address : address.slice(0, start + 1) + this.query(address.slice(start + 1))
  }

  /**
   * Whether a target of a rule may be shown with its value. A target that may hold several parameters may not be, since what
   * was found in it may lie in any of them.
   *
   * @param targetName as rules know it: `ARGS:password`, `REQUEST_HEADERS:User-Agent`, `REQUEST_URI`
   */
  maySee(targetName: string): boolean {
    if (!this.isActive) return true
    const [variable = '', ...rest] = targetName.split(':')
    const part = rest.join(':')
    if (parameterTargets.has(variable)) return part !== '' && !this.masks(part)
    if (variable === 'REQUEST_HEADERS') return !['referer', 'cookie'].includes(part.toLowerCase())
    return harmlessTargets.has(variable)
  }
}

/** A name as servers will read it; one that cannot be decoded as it is. */
function decoded(name: string): string {
  const text = name.replaceAll('+', ' ')
  try {
    return decodeURIComponent(text)
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  }
}
