import { wildcard } from '../patterns/wildcard.ts'
import { bytesOfPath } from './normal-path.ts'

/**
 * Whether a path is one of those that are left out, and none of those that count all the same. Patterns may be percent-encoded.
 *
 * @returns a test for paths as `normalPaths` gives them
 */
export function exceptedUrls({
  exceptUrls,
  urlsAllTheSame,
}: {
  readonly exceptUrls: readonly string[]
  readonly urlsAllTheSame: readonly string[]
}): (path: string) => boolean {
  const anyFits = (patterns: readonly string[]) => {
    const tests = patterns.map((pattern) => wildcard(bytesOfPath(pattern)))
    return (path: string) => tests.some((fits) => fits(path))
  }
  const [isExcepted, countsAllTheSame] = [anyFits(exceptUrls), anyFits(urlsAllTheSame)]
  return (path) => isExcepted(path) && !countsAllTheSame(path)
}
