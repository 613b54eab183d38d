import type { Exchange } from '../traffic/exchange.ts'
import { headerValue } from '../traffic/hop-by-hop.ts'

/** Whether a text fits a pattern. */
export type TextTest = (text: string) => boolean

/**
 * Patterns in which "*" stands for any characters, made into a comparison of beginnings, ends and what lies between them, in
 * linear time.
 *
 * @param ignoresCase whether "A" is "a"
 */
export function wildcard(pattern: string, ignoresCase = true): TextTest {
  const [first = '', ...others] = (ignoresCase ? pattern.toLowerCase() : pattern).split('*')
  const last = others.pop()
  const prepared = (text: string) => (ignoresCase ? text.toLowerCase() : text)
  if (last === undefined) return (text) => prepared(text) === first
  if (first === '' && last === '' && others.every((part) => part === '')) return () => true
  return (text) => {
    const whole = prepared(text)
    if (!whole.startsWith(first) || !whole.endsWith(last)) return false
    let at = first.length
    for (const part of others) {
      const found = whole.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= whole.length - last.length
  }
}

/**
 * Whether a request is for a host as rules name them. Ports are looked at only where the rule names one.
 *
 * @param host in which "*" stands for any characters; empty for every host
 */
export function hostTest(host: string): (request: Pick<Exchange, 'headers'>) => boolean {
  const fits = wildcard(host === '' ? '*' : host)
  const withPort = /:\d+$/.test(host)
  return (request) => fits(withPort ? hostOf(request) : withoutPort(hostOf(request)))
}

/**
 * The host that a request names, with its port if it names one; empty without any. A dot at its end means the same host, and is left
 * out.
 */
export function hostOf({ headers }: Pick<Exchange, 'headers'>): string {
  return headerValue(headers, 'host')?.replace(/\.(?=(?::\d*)?$)/, '') ?? ''
}

export function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}

export function withoutQuery(target: string): string {
  const end = target.indexOf('?')
  return end < 0 ? target : target.slice(0, end)
}
