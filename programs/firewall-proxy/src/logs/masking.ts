import { type TextTest, wildcard } from '../conditions/wildcard.ts'

/** What a value is overwritten with; its length says nothing about the value. */
export const overwritten = 'XXXXXXXX'

/**
 * Names of parameters that hold secrets in most applications, written without case, `-` and `_`. Their values are masked in every
 * service, beside the names in `sensitive-parameter-names`.
 */
const secretName =
  /pass(?:word|wd|phrase|code)|secret|credential|(?:^|j)pass$|(?:pwd|token|apikey|accesskey|privatekey|authorization|creditcard|cardno|cardnum|cardnumber|ccnumber|ccnum)$|^(?:pw|pin|otp|totp|mfacode|jwt|auth|bearer|cvv2?|cvc2?|csc|cardcode|pan|ccv|iban|ssn|sid|sessionid|phpsessid|jsessionid|samlresponse|clientassertion)$/

/** Whether a text may name a secret, as written or percent-encoded; addresses of most requests do not. */
const mayNameSecret =
  /%|pass|secret|cred|pwd|token|key|auth|card|cc|pw|pin|otp|mfa|jwt|bearer|cv|csc|pan|iban|ssn|sid|session|saml|assertion/i

/** Headers of requests that hold credentials. */
const headersWithSecrets = new Set(['cookie', 'authorization', 'proxy-authorization'])

/** Targets of rules that hold an address, whose parameters {@link Masking.address} finds. */
const addressTargets = new Set(['REQUEST_URI', 'REQUEST_URI_RAW', 'QUERY_STRING', 'REQUEST_LINE'])

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

/** Behind a name, and before one, each as it is or percent-encoded, as in an address that is a parameter of another one. */
const behindName = /=|%3D/gi
const beforeName = /[\s;?#]|%(?:26|3B|3F|23)/i

/** Overwrites the values of parameters that no log may show. Names are compared without case. */
export class Masking {
  readonly #tests: readonly TextTest[]

  /** @param names in which `*` stands for any characters */
  constructor(names: readonly string[]) {
    this.#tests = names.map((name) => wildcard(name))
  }

  /** @param name decoded; also one of which a member is masked, as in `user[password]`, `password[]` and, of JSON, `password.value` */
  masks(name: string): boolean {
    const parts = [name, ...name.split(/[.[\]\0]/)].map((part) => part.trim())
    return parts.some((part) => namesSecret(part) || this.#tests.some((fits) => fits(part)))
  }

  /** An address, or a part of one, with its values overwritten where they have to be, as it came otherwise. */
  address(address: string): string {
    const isHarmless = this.#tests.length === 0 && !mayNameSecret.test(address)
    return isHarmless ? address : address.replace(/[^&]+/g, (part) => this.#masked(part))
  }

  /**
   * Overwrites everything behind the first name that is masked: whether `;` ends a value depends on the server.
   *
   * @param part without "&"
   */
  #masked(part: string): string {
    let start = 0
    for (const { index, 0: sign } of part.matchAll(behindName)) {
      const name = part.slice(start, index).split(beforeName).at(-1) ?? ''
      start = index + sign.length
      if (start < part.length && this.masks(decoded(name))) return part.slice(0, start) + overwritten
    }
    return part
  }

  /**
   * Whether a target of a rule may be shown with its value. A target that may hold several parameters may not be, since what
   * was found in it may lie in any of them. An address may be where nobody named parameters and {@link address} leaves it as it is.
   *
   * @param targetName as rules know it: `ARGS:password`, `REQUEST_HEADERS:User-Agent`, `REQUEST_URI`
   */
  maySee(targetName: string): boolean {
    const [variable = '', ...rest] = targetName.split(':')
    const part = rest.join(':')
    if (parameterTargets.has(variable)) return part !== '' && !this.masks(part)
    const isAddress = addressTargets.has(variable) || targetName.toLowerCase() === 'request_headers:referer'
    if (isAddress) return this.#tests.length === 0
    if (variable === 'REQUEST_HEADERS')
      return !headersWithSecrets.has(part.toLowerCase()) && !namesSecret(part)
    return harmlessTargets.has(variable)
  }
}

function namesSecret(name: string): boolean {
  return secretName.test(name.toLowerCase().replace(/[-_\s]/g, ''))
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
