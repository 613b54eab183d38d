import type { SnapshotLearning } from '@palisade/proxy-protocol'

/** Segments that name one thing of many: numbers, dates, identifiers, long words with digits in them. */
const variable =
  /^(?:\d+(?:[.,_-]\d+)*|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{16,}|(?=[^.]*\d)(?=[^.]*[A-Za-z])[\w-]{12,})(?:\.\w{1,8})?$/i

/** Longer ones are not learnt. */
const lengthMax = 1_000

/**
 * The path that stands for all like it: what differs from request to request is one `*`, from the first part that differs to the last.
 *
 * @param path as it may be compared, a byte string
 * @returns undefined for one that profiles could not name
 */
export function generalisedPath(path: string, tokens: SnapshotLearning['urlTokens']): string | undefined {
  if (path.length > lengthMax || /[*\p{Cc}]/u.test(path)) return undefined
  const token = tokens.find(({ start }) => start !== '' && path.startsWith(start))
  if (token !== undefined) {
    const end = token.end === '' ? -1 : path.indexOf(token.end, token.start.length)
    return `${token.start}*${end < 0 ? '' : path.slice(end)}`
  }
  const segments = path.split('/')
  const first = segments.findIndex((segment) => variable.test(segment))
  if (first < 0) return path
  const last = segments.findLastIndex((segment) => variable.test(segment))
  const ending = /\.\w{1,8}$/.exec(segments[last] ?? '')?.[0] ?? ''
  const isNumberWithDots = /^[\d.,_-]+$/.test(segments[last] ?? '')
  const rest = segments.slice(last + 1).map((segment) => `/${segment}`)
  return `${segments.slice(0, first).join('/')}/*${isNumberWithDots ? '' : ending}${rest.join('')}`
}
