import { decodePercent, lenientlyDecoded } from './lenient-decoding.ts'

/** The paths that servers may take an address for, as byte strings: nearly always one. */
export type Paths = readonly [string, ...string[]]

/** How often a server may decode a path; no known one does so more often. */
const decodingsMax = 4

/** What servers of Java leave out of segments: to them `/a;b=c/..;d/` is `/a/../`. */
const parameters = /;[^/\\]*/g

/**
 * All that servers may make of a path, each as a path without dot segments and doubled slashes. The first one is what nearly all make of
 * it: decoded once. Others leave out the parameters of segments, decode leniently or several times, leave out control characters and
 * what Windows leaves out at the ends of names, or let a path end at a NUL, a question mark or a number sign that was encoded.
 *
 * @param written as it was sent, without the query
 */
export function pathReadings(written: string): Paths {
  const readings = new Set<string>()
  const collect = (text: string) => {
    const end = text.search(/[\0?#]/)
    const whole = [text, tolerated(text)]
    for (const one of end < 0 ? whole : [...whole, tolerated(text.slice(0, end))]) {
      readings.add(resolveDotSegments(one).path)
    }
  }
  const texts = decodings(written, (text) => text)
  texts.forEach(collect)
  if (texts.some((text) => text.includes(';'))) decodings(written, withoutParameters).forEach(collect)
  const [first = '/', ...others] = readings
  return [first, ...others]
}

/** A path decoded once, and as lenient servers decode it, once and more often. @param change is made before and after each time */
function decodings(written: string, change: (text: string) => string): string[] {
  const texts = [change(decodePercent(change(written)))]
  let text = change(written)
  for (let count = 0; count < decodingsMax; count++) {
    const next = change(lenientlyDecoded(text))
    if (next === text) break
    texts.push(next)
    text = next
  }
  return texts
}

/** A path without the parameters of its segments: `/item` of `/item;id=1`. */
export function withoutParameters(text: string): string {
  return text.replace(parameters, '')
}

/** A path as servers read it that overlook control characters, blanks around names, and dots at their ends. */
function tolerated(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out
  const visible = path.replace(/[\x00-\x1f\x7f]/g, '')
  return visible
    .split(/[/\\]/)
    .map((segment) => toleratedSegment(segment))
    .join('/')
}

/** Of dots and blanks alone, two dots or more lead up. A "+" is a blank to some. */
function toleratedSegment(segment: string): string {
  if (/^[ .+]*$/.test(segment) && segment.includes('.')) {
    return segment.indexOf('.') === segment.lastIndexOf('.') ? '.' : '..'
  }
  let end = segment.length
  while (end > 0 && ' .'.includes(segment[end - 1] ?? '')) end--
  return segment.slice(0, end).trimStart()
}

/** A decoded path without dot segments, and whether they led beyond the root. */
export function resolveDotSegments(path: string): { readonly path: string; readonly leavesRoot: boolean } {
  const parts: string[] = []
  let leavesRoot = false
  const segments = path.replaceAll('\\', '/').split('/')
  const last = segments.length - 1
  for (const [index, segment] of segments.entries()) {
    if (segment === '..') {
      if (parts.pop() === undefined) leavesRoot = true
    } else if (segment !== '' && segment !== '.') parts.push(segment)
    if (index === last && ['', '.', '..'].includes(segment) && parts.length > 0) parts.push('')
  }
  return { path: `/${parts.join('/')}`, leavesRoot }
}
