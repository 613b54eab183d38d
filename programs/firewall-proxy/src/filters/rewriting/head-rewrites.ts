import type { SnapshotHeaderChange, SnapshotRequestRewrite } from '@palisade/proxy-protocol'
import { type Condition, conditionOf } from '../../conditions/extended-match.ts'
import { encodedAddress, pathOf } from '../../exchange/address.ts'
import type { Answer, ResponseHead } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { withoutHeader } from '../../exchange/headers.ts'
import { type Macros, type ValueChange, valueChange } from './value-pattern.ts'

/** A rule made ready: what it is about, what it does, and whether those behind it follow. */
interface Prepared<Subject, Outcome> {
  readonly condition: Condition
  /** @returns whether it was applied, or what came of it */
  readonly apply: (subject: Subject, macros: Macros) => Outcome | boolean
  readonly continues: boolean
}

/** Headers that frame a message or concern one connection; rules that would change them are left out. */
const framing = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What a header's name is made of (RFC 9110, section 5.6.2). */
const token = /^[!#$%&'*+.^_`|~\w-]+$/

/** What headers are changed of. */
interface Headed {
  headers: readonly string[]
}

/** Changes the heads of requests before servers see them. */
export class RequestRewrites {
  readonly #rules: readonly Prepared<Exchange, Answer>[]

  /** @param rules those whose condition, pattern or header is none, or that would change the framing, are left out */
  constructor(rules: readonly SnapshotRequestRewrite[]) {
    this.#rules = rules.flatMap((settings) => {
      const rule = isUrlChange(settings) ? settings : inBytes(settings)
      const condition = conditionOf(rule.condition)
      const change = valueChange(rule.oldValue, rule.newValue)
      if (condition === undefined || change === undefined || !mayBeChanged(rule)) return []
      const apply = isUrlChange(rule) ? urlChange(rule, change) : headerChange(rule, change)
      return [{ condition, apply, continues: rule.continues }]
    })
  }

  /** @returns where the client is sent instead */
  apply(exchange: Exchange): Answer | undefined {
    for (const { condition, apply, continues } of this.#rules) {
      if (!condition(exchange)) continue
      const outcome = apply(exchange, macrosOf(exchange))
      if (typeof outcome === 'object') return outcome
      if (outcome && !continues) return undefined
    }
    return undefined
  }
}

/** Changes the heads of answers before clients see them. */
export class ResponseRewrites {
  readonly #rules: readonly Prepared<Headed, never>[]

  /** @param rules those whose condition, pattern or header is none, or that would change the framing, are left out */
  constructor(rules: readonly SnapshotHeaderChange[]) {
    this.#rules = rules.flatMap((settings) => {
      const rule = inBytes(settings)
      const condition = conditionOf(rule.condition)
      const change = valueChange(rule.oldValue, rule.newValue)
      if (condition === undefined || change === undefined || !mayBeChanged(rule)) return []
      return [{ condition, apply: headerChange(rule, change), continues: rule.continues }]
    })
  }

  apply(exchange: Exchange, head: ResponseHead): void {
    for (const { condition, apply, continues } of this.#rules) {
      if (!condition(exchange, head)) continue
      const changed: Headed = { headers: head.headers }
      const isApplied = apply(changed, macrosOf(exchange))
      head.headers = [...changed.headers]
      if (isApplied && !continues) return
    }
  }
}

function mayBeChanged(rule: SnapshotRequestRewrite): boolean {
  return isUrlChange(rule) || (token.test(rule.header) && !framing.has(rule.header.toLowerCase()))
}

/** A rule whose values are byte strings, as those of headers are. */
function inBytes(rule: SnapshotHeaderChange): SnapshotHeaderChange {
  return { ...rule, oldValue: bytesOf(rule.oldValue), newValue: bytesOf(rule.newValue) }
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** Whether a value says who has logged in: what clients say of that themselves is taken out. */
function namesUser(newValue: string): boolean {
  return /\$AUTH_(?:USER|GROUPS)\b/.test(newValue)
}

function isUrlChange(
  rule: SnapshotRequestRewrite,
): rule is Extract<SnapshotRequestRewrite, { does: 'rewrite-url' | 'redirect-url' }> {
  return rule.does === 'rewrite-url' || rule.does === 'redirect-url'
}

function macrosOf(exchange: Exchange): Macros {
  const { name = '', groups = [] } = exchange.user ?? {}
  return {
    SRC_ADDR: exchange.clientAddress,
    URI: pathOf(exchange.target),
    AUTH_USER: bytesOf(name),
    AUTH_GROUPS: bytesOf(groups.join(',')),
  }
}

function headerChange(
  { does, header, newValue }: SnapshotHeaderChange,
  change: ValueChange,
): (subject: Headed, macros: Macros) => boolean {
  const lowerName = header.toLowerCase()
  if (does === 'insert-header') {
    const inserted = valueChange('', newValue) ?? change
    return (subject, macros) => {
      const before = namesUser(newValue) ? withoutHeader(subject.headers, lowerName) : subject.headers
      subject.headers = [...before, header, cleanValue(inserted('', macros) ?? newValue)]
      return true
    }
  }
  return (subject, macros) => {
    const headers: string[] = []
    let isApplied = false
    for (let index = 0; index + 1 < subject.headers.length; index += 2) {
      const [name = '', value = ''] = [subject.headers[index], subject.headers[index + 1]]
      const changed = name.toLowerCase() === lowerName ? change(value, macros) : undefined
      isApplied ||= changed !== undefined
      if (changed === undefined) headers.push(name, value)
      else if (does === 'rewrite-header') headers.push(name, cleanValue(changed))
    }
    subject.headers = headers
    return isApplied
  }
}

/** The old value is compared with path and query, and then with the path alone, behind which the query stays. */
function urlChange(
  { does }: { readonly does: 'rewrite-url' | 'redirect-url' },
  change: ValueChange,
): (exchange: Exchange, macros: Macros) => Answer | boolean {
  return (exchange, macros) => {
    const url = changedUrl(pathOf(exchange.target), change, macros)
    if (url === undefined) return false
    if (does === 'redirect-url') return { status: 302, headers: { location: url } }
    const [, host] = /^https?:\/\/([^/?#]+)/i.exec(url) ?? []
    if (host !== undefined) exchange.headers = ['Host', host, ...withoutHeader(exchange.headers, 'host')]
    exchange.target = pathOf(url)
    return true
  }
}

function changedUrl(target: string, change: ValueChange, macros: Macros): string | undefined {
  const whole = change(target, macros)
  if (whole !== undefined) return encodedAddress(whole)
  const queryStart = target.indexOf('?')
  if (queryStart < 0) return undefined
  const path = change(target.slice(0, queryStart), macros)
  if (path === undefined) return undefined
  return encodedAddress(path.includes('?') ? path : path + target.slice(queryStart))
}

/** Without what would end a header, and what else no header may have. */
function cleanValue(value: string): string {
  return value.replace(/[^\t\x20-\x7e\x80-\xff]+/g, ' ')
}
