import { type TextTest, wildcard } from '../patterns/wildcard.ts'
import { decodedDeeply } from './decoded-deeply.ts'
import { mayNameSecret, namesSecret } from './secret-names.ts'

/** What a value is overwritten with; its length says nothing about the value. */
export const overwritten = 'XXXXXXXX'

/** Headers of requests that hold credentials. */
const headerWithSecrets = /cookie2?$|authorization$/i

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

/** Only so much at either end of a name is looked at: no parameter of an application has a longer one. */
const nameMax = 1024

/** Behind a name, as it is or percent-encoded once or more, as in an address that is a parameter of another one. */
const behindName = /=|%(?:25)*3D/gi
const beforeName = /[\s;?#]|%(?:25)*(?:26|3B|3F|23)/i

/** Names in texts without one of these stand before "=". */
const mayHoldDocument = /["'<{]/

/** What is behind a name in a decoded text: of a query, of JSON (`"name": …`), of XML (`<name>…`, `name="…"`), and of objects of scripts. */
const behindDecodedName = /=|>|["']\s*:|:/g

/** What may stand before a name in such a text; a name that an administrator gave may have some of it, too. */
const beforeDecodedName = /[\s;?#&"'<>{}(),|/]/

/** Where an element of XML begins: its name may have attributes behind it. */
const elementName = /<([\w:.-]+)\s/g

/** What some applications overlook in a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
const controls = /[\x00-\x1f\x7f]/g

/** Overwrites the values of parameters that no log may show. Names are compared without case. */
export class Masking {
  readonly #tests: readonly TextTest[]
  readonly #hide: (secret: string) => string
  /** What was masked last: rules that find something often find it in the same value. */
  #latest: { readonly address: string; readonly masked: string } | undefined

  /**
   * @param names in which `*` stands for any characters
   * @param hide what stands in the place of a secret; {@link overwritten} by default
   */
  constructor(names: readonly string[], hide: (secret: string) => string = () => overwritten) {
    this.#tests = names.map((name) => wildcard(name))
    this.#hide = hide
  }

  /**
   * @param name as it came or decoded; also one of which a member is masked, as in `user[password]`, `password[]` and, of JSON,
   *   `password.value`
   */
  masks(name: string): boolean {
    if (name.length > nameMax) return this.masks(name.slice(0, nameMax)) || this.masks(name.slice(-nameMax))
    if (/^[\w-]*$/.test(name)) return this.#masksPart(name)
    const decoded = decodedDeeply(name)
    return this.#masksWhole(name) || (decoded !== name && this.#masksWhole(decoded))
  }

  /** An address, or a part of one, with its values overwritten where they have to be, as it came otherwise. */
  address(address: string): string {
    if (this.#latest?.address === address) return this.#latest.masked
    const isHarmless = this.#tests.length === 0 && !mayNameSecret(address)
    const masked = isHarmless ? address : address.replace(/[^&]+/g, (part) => this.#masked(part))
    this.#latest = { address, masked }
    return masked
  }

  /** A target of a rule without values that are in its name, as when a document of JSON comes as a form. */
  target(targetName: string): string {
    const start = targetName.indexOf(':') + 1
    return targetName.slice(0, start) + this.address(targetName.slice(start))
  }

  /**
   * Overwrites everything behind the first name that is masked: whether `;` ends a value depends on the server. Where such a name is only
   * found once the part is decoded, or in a document within, everything behind the first name at all.
   *
   * @param part without "&"
   */
  #masked(part: string): string {
    let start = 0
    let firstValue: number | undefined
    for (const { index, 0: sign } of part.matchAll(behindName)) {
      const name = part.slice(start, index).trimEnd().split(beforeName).at(-1) ?? ''
      start = index + sign.length
      firstValue ??= start
      if (start < part.length && this.masks(name)) return part.slice(0, start) + this.#hide(part.slice(start))
    }
    const decoded = decodedDeeply(part)
    const isSimple = decoded === part && !mayHoldDocument.test(part)
    if (isSimple || !this.#isTold(decoded)) return part
    const from = firstValue ?? 0
    return part.slice(0, from) + this.#hide(part.slice(from))
  }

  /** Whether a decoded text has a masked name with something behind it. */
  #isTold(text: string): boolean {
    const isObject = text.includes('{')
    let start = 0
    for (const { index, 0: sign } of text.matchAll(behindDecodedName)) {
      if (sign === ':' && !isObject) continue
      const name =
        text
          .slice(start, index)
          .split(beforeDecodedName)
          .findLast((piece) => piece !== '') ?? ''
      start = index + sign.length
      if (start < text.length && this.masks(name)) return true
    }
    return text.includes('<') && text.matchAll(elementName).some(([, name = '']) => this.masks(name))
  }

  #masksWhole(name: string): boolean {
    const [visible, joined] = [name.replace(controls, ''), name.replace(/[\s.[]/g, '_')]
    const parts = new Set([name, visible, joined, ...name.split(/[.:[\]\0]/)])
    return parts.values().some((part) => this.#masksPart(part.trim()))
  }

  #masksPart(part: string): boolean {
    return namesSecret(part) || this.#tests.some((fits) => fits(part))
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
    if (variable === 'REQUEST_HEADERS') return !headerWithSecrets.test(part) && !namesSecret(part)
    return harmlessTargets.has(variable)
  }
}
