import type { SnapshotService } from '@palisade/proxy-protocol'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { configuredHeaders } from './configured-headers.ts'
import { isKnownHeader } from './known-headers.ts'

/** What programs that get headers as variables turn into the same character as a hyphen (RFC 3875, section 4.1.18). */
const special = /[^a-z0-9-]/g

const plainName = /^[a-z0-9-]+$/i

/**
 * Takes headers out of requests whose names differ from those that matter here by such characters alone: `Accept_Encoding` and
 * `X.Forwarded.For` are read by many applications as the names with hyphens, which are set, removed and judged here. Names that nothing here
 * asks for stay, whatever characters they have.
 *
 * Rules and conditions see all headers as they came.
 */
export const headerNames: FilterDescriptor = {
  name: 'header-names',
  stage: 'arrival',
  isShared: true,
  make: headerNamesFilter,
}

function headerNamesFilter(service: SnapshotService, { policies }: FilterDependencies): Filter {
  const own = configuredHeaders(
    service,
    policies.map(({ snapshot }) => snapshot),
  )
  const ownLookalikes = new Set([...own].map(withHyphens))
  /** Nearly all names are plain, and then only look like others that are not. */
  const areAllPlain = [...own].every((name) => plainName.test(name))
  /** Whether a name is read as one that matters, and is not that. */
  const isLookalike = (name: string): boolean => {
    if (areAllPlain && plainName.test(name)) return false
    const lower = name.toLowerCase()
    const hyphened = withHyphens(lower)
    if (isKnownHeader(hyphened)) return hyphened !== lower
    return ownLookalikes.has(hyphened) && !own.has(lower)
  }
  return {
    onJudged: (exchange) => {
      const { headers } = exchange
      if (!headers.some((name, index) => index % 2 === 0 && isLookalike(name))) return undefined
      exchange.headers = headers.filter((_, index) => !isLookalike(headers[index - (index % 2)] ?? ''))
      return undefined
    },
  }
}

function withHyphens(lowerName: string): string {
  return lowerName.replace(special, '-')
}
