import { isIP } from 'node:net'
import { problemOfExpression, problemOfRepetitions } from './expression.ts'

/**
 * Extended matches: which requests or responses a rule is about, as administrators write it.
 *
 *     match    =  "*"  |  term *( join term )           "&&" binds tighter than "||"
 *     term     =  "(" match ")"  |  element [ name ] operator [ value ]
 *     element  =  Method | HTTP-Version | Client-IP | URI | URI-path | Pathinfo | Header name | Parameter name
 *              |  Status-code | Response-header name
 *     operator =  eq | neq | req | nreq  (the whole value)  |  co | nco | rco | nrco  (a part of it)  |  ex | nex
 *
 * `r` stands for a regular expression, `n` for not. Words end at blanks and parentheses; those are part of a word in double
 * quotes or behind a backslash, which makes every character stand for itself. Nothing depends on case. An empty text is "*".
 */
export type ExtendedMatch =
  | { readonly kind: 'always' }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly ExtendedMatch[] }
  | ElementMatch

/** One comparison. */
export interface ElementMatch {
  readonly kind: 'element'
  readonly element: MatchedElement
  /** Of the header or parameter; empty for elements that have no names. */
  readonly name: string
  readonly operator: MatchOperator
  /** Whether it holds when the comparison does not. */
  readonly isNegated: boolean
  /** What is compared with; empty for `ex`. */
  readonly value: string
}

/** The part of a request or answer that is compared. */
export type MatchedElement = keyof typeof elements

/** Equal, matching an expression, containing a text, containing a match, existing. */
export type MatchOperator = 'eq' | 'req' | 'co' | 'rco' | 'ex'

const elements = {
  method: { isNamed: false },
  'http-version': { isNamed: false },
  'client-ip': { isNamed: false },
  uri: { isNamed: false },
  'uri-path': { isNamed: false },
  pathinfo: { isNamed: false },
  header: { isNamed: true },
  parameter: { isNamed: true },
  'status-code': { isNamed: false },
  'response-header': { isNamed: true },
} as const

const operators: Readonly<Record<string, Pick<ElementMatch, 'operator' | 'isNegated'>>> = {
  eq: { operator: 'eq', isNegated: false },
  neq: { operator: 'eq', isNegated: true },
  req: { operator: 'req', isNegated: false },
  nreq: { operator: 'req', isNegated: true },
  co: { operator: 'co', isNegated: false },
  nco: { operator: 'co', isNegated: true },
  rco: { operator: 'rco', isNegated: false },
  nrco: { operator: 'rco', isNegated: true },
  ex: { operator: 'ex', isNegated: false },
  nex: { operator: 'ex', isNegated: true },
}

/** Parentheses deeper than this are not followed. */
const depthMax = 32

interface Word {
  readonly text: string
  /** Whether it was written in quotes or with backslashes, so that it is no parenthesis and no join. */
  readonly isLiteral: boolean
}

/**
 * @returns what the text says, or a sentence that says why it says nothing, and whether that is an expression that cannot be run in
 *   bounded time
 */
export function parseExtendedMatch(
  text: string,
): { readonly match: ExtendedMatch } | { readonly problem: string; readonly isUnbounded: boolean } {
  const words = wordsOf(text)
  if (words === undefined) return { problem: 'A double quote is not closed.', isUnbounded: false }
  if (words.length === 0) return { match: { kind: 'always' } }
  try {
    return { match: new Parser(words).whole() }
  } catch (error) {
    if (error instanceof NotUnderstood) return { problem: error.message, isUnbounded: error.isUnbounded }
    throw error
  }
}

class NotUnderstood extends Error {
  readonly isUnbounded: boolean

  constructor(problem: string, isUnbounded = false) {
    super(problem)
    this.isUnbounded = isUnbounded
  }
}

class Parser {
  readonly #words: readonly Word[]
  #at = 0

  constructor(words: readonly Word[]) {
    this.#words = words
  }

  whole(): ExtendedMatch {
    const match = this.#any(0)
    const rest = this.#words[this.#at]
    if (rest !== undefined) {
      throw new NotUnderstood(
        `"${rest.text}" is not expected where it stands; a value with blanks or parentheses stands in double quotes.`,
      )
    }
    return match
  }

  #any(depth: number): ExtendedMatch {
    return this.#joined('any', '||', () => this.#joined('all', '&&', () => this.#term(depth)))
  }

  #joined(kind: 'all' | 'any', join: string, part: () => ExtendedMatch): ExtendedMatch {
    const first = part()
    const parts = [first]
    while (this.#takes(join)) parts.push(part())
    return parts.length === 1 ? first : { kind, parts }
  }

  #term(depth: number): ExtendedMatch {
    if (depth > depthMax) throw new NotUnderstood(`Parentheses are nested deeper than ${depthMax}.`)
    if (this.#takes('*')) return { kind: 'always' }
    if (!this.#takes('(')) return this.#element()
    const inner = this.#any(depth + 1)
    if (!this.#takes(')')) throw new NotUnderstood('A parenthesis is not closed.')
    return inner
  }

  #element(): ElementMatch {
    const element = this.#next('an element, such as URI or Header').toLowerCase()
    if (!isElement(element)) throw new NotUnderstood(`"${element}" is none of ${listOf(elements)}.`)
    const name = elements[element].isNamed ? this.#next(`the name of the ${element}`) : ''
    const written = this.#next('an operator, such as eq').toLowerCase()
    const operator = operators[written]
    if (operator === undefined) throw new NotUnderstood(`"${written}" is none of ${listOf(operators)}.`)
    const value = operator.operator === 'ex' ? '' : this.#next('a value')
    const match: ElementMatch = { kind: 'element', element, name, ...operator, value }
    const problem = problemOf(match)
    if (problem !== undefined) throw new NotUnderstood(problem, isUnbounded(match))
    return match
  }

  #takes(sign: string): boolean {
    const word = this.#words[this.#at]
    if (word === undefined || word.isLiteral || word.text !== sign) return false
    this.#at++
    return true
  }

  #next(expected: string): string {
    const word = this.#words[this.#at++]
    const isSign = word !== undefined && !word.isLiteral && ['(', ')', '&&', '||'].includes(word.text)
    if (word !== undefined && !isSign) return word.text
    throw new NotUnderstood(`Expected ${expected}, not ${word ? `"${word.text}"` : 'the end'}.`)
  }
}

function isElement(text: string): text is MatchedElement {
  return Object.hasOwn(elements, text)
}

function listOf(table: object): string {
  return Object.keys(table).join(', ')
}

function problemOf({ element, operator, value }: ElementMatch): string | undefined {
  if (element === 'client-ip') {
    if (operator !== 'eq') return 'Client-IP is compared with eq and neq only.'
    return isNetwork(value) ? undefined : `"${value}" is no IP address, and no network such as 10.0.0.0/24.`
  }
  return operator === 'req' || operator === 'rco' ? problemOfExpression(value) : undefined
}

function isUnbounded({ operator, value }: ElementMatch): boolean {
  return (operator === 'req' || operator === 'rco') && problemOfRepetitions(value) !== undefined
}

/** "192.0.2.1", "192.0.2.0/24", "192.0.2.0/255.255.255.0" or an IPv6 address or network. */
function isNetwork(text: string): boolean {
  const [address = '', mask, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  if (mask === undefined || (version === 4 && isIP(mask) === 4)) return true
  return /^\d{1,3}$/.test(mask) && Number(mask) <= (version === 4 ? 32 : 128)
}

/** @returns undefined when a quote is not closed */
function wordsOf(text: string): Word[] | undefined {
  const words: Word[] = []
  const pattern = /\s+|[()]|(?:"(?:[^"\\]|\\.)*"|\\.|[^\s()"\\])+|[\s\S]/gsu
  for (const [piece] of text.matchAll(pattern)) {
    if (/^\s/.test(piece)) continue
    if (piece === '"') return undefined
    words.push({ text: unescaped(piece), isLiteral: /["\\]/.test(piece) })
  }
  return words
}

function unescaped(word: string): string {
  return word.replace(/"|\\(.)/gsu, (_, escaped?: string) => escaped ?? '')
}
