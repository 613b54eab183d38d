import { hostOf, withoutPort } from '../exchange/address.ts'

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
      const start = whole.indexOf(part, at)
      if (start < 0) return false
      at = start + part.length
    }
    return at <= whole.length - last.length
  }
}

/**
 * Whether a request is for a host as rules name them. Ports are looked at only where the rule names one.
 *
 * @param host in which "*" stands for any characters; empty for every host
 */
export function hostTest(host: string): (request: { readonly headers: readonly string[] }) => boolean {
  const fits = wildcard(host === '' ? '*' : host)
  const withPort = /:\d+$/.test(host)
  return (request) => fits(withPort ? hostOf(request) : withoutPort(hostOf(request)))
}
