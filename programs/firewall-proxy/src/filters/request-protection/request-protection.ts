import type { SnapshotProfiles, SnapshotService } from '@palisade/proxy-protocol'
import type { Argument } from '@palisade/seclang'
import { hostOf, wildcard, withoutPort } from '../../conditions/wildcard.ts'
import { allExclusions } from '../../policy/all-exclusions.ts'
import { exceptedUrls } from '../../policy/excepted-urls.ts'
import { isPlain, normalPaths, type Paths } from '../../policy/normal-path.ts'
import { hasBody } from '../../traffic/client-message.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { found } from '../../traffic/found.ts'
import { headerValue } from '../../traffic/hop-by-hop.ts'
import type { Answer, Filter, RequestBody } from '../filter.ts'
import type { FilterMeans } from '../filters.ts'
import { Protection } from './protection.ts'
import { contentTypeOf, formParts, isForm, queryParameters } from './request-parts.ts'
import type { Finding } from './value-checks.ts'

/** What is known of a request while its body is waited for. */
interface Pending {
  readonly protection: Protection
  /** Says what the rules leave out: the policy itself where a server could take the address for another one than the profile's. */
  readonly leaving: Protection
  readonly query: readonly Argument[]
}

/** URLs and parameters: what the policy protects, and what profiles say in its place. Decides what the rules look for, too. */
export function requestProtection(service: SnapshotService, means: FilterMeans): Filter | undefined {
  if (means.policy.snapshot === undefined) return undefined
  const byPolicy = new Protection(service, means)
  const profiles = service.checks?.profiles
  const byProfile = (profiles?.urls ?? []).map((profile) => new Protection(service, means, profile))
  const checksProfileOf = profiles && profileCheck(profiles)
  const separators = means.policy.snapshot.normalization.parameterSeparators
  const pending = new WeakMap<Exchange, Pending>()

  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const paths = normalPaths(exchange.target)
      const profile = checksProfileOf?.wants(paths)
        ? byProfile.find(({ fits }) => fits(exchange, paths))
        : undefined
      const missing = checksProfileOf?.missing(exchange, paths, profile !== undefined)
      const protection = profile ?? byPolicy
      const query = queryParameters(exchange.target, separators)
      const leaving = isPlain(exchange.target) ? protection : byPolicy
      exchange.exclusions = leaving.exclusions(query)
      if (hasBody(exchange.request)) pending.set(exchange, { protection, leaving, query })
      const refused = missing && found(exchange, missing, { isPassive: profiles?.isPassive ?? false })
      return (
        refused ?? firstRefusal(exchange, protection, headFindings(exchange, protection, paths[0], query))
      )
    },
    wantsBody: (exchange) => exchange.mode !== 'off' && pending.has(exchange),
    onBody: (exchange, body) => {
      const known = pending.get(exchange)
      if (known === undefined) return undefined
      const { protection } = known
      return firstRefusal(exchange, protection, bodyFindings(exchange, known, body, separators))
    },
  }
}

function firstRefusal(
  exchange: Exchange,
  { name, isPassive }: Protection,
  findings: Iterable<Finding>,
): Answer | undefined {
  for (const { attack, detail, isPassive: isOnlyLogged } of findings) {
    const violation = { attack, detail, ...(name === '' ? {} : { rule: name }) }
    const answer = found(exchange, violation, { isPassive: isPassive || isOnlyLogged })
    if (answer) return answer
  }
  return undefined
}

function* headFindings(
  exchange: Exchange,
  { url, parameters, referrers }: Protection,
  path: string,
  query: readonly Argument[],
): Generator<Finding> {
  if (url) yield* url.findings(exchange, path)
  if (!isReferred(exchange, referrers)) {
    const detail = 'The page that leads here is none of those that may.'
    yield { attack: 'session-context-not-found', detail, isPassive: false }
  }
  if (url) yield* url.parameterFindings(query.map(({ name }) => name))
  yield* parameters.findings(query)
  const isComplete = !(hasBody(exchange.request) && isForm(contentTypeOf(exchange.headers)))
  if (isComplete) yield* parameters.missing(query.map(({ name }) => name))
}

function* bodyFindings(
  exchange: Exchange,
  { protection, leaving, query }: Pending,
  { bytes }: RequestBody,
  separators: string,
): Generator<Finding> {
  const { url, parameters } = protection
  const type = contentTypeOf(exchange.headers)
  if (!isForm(type)) {
    const isCounted = headerValue(exchange.headers, 'content-length') !== undefined
    if (url && !isCounted) yield* url.contentFindings(bytes.length)
    return
  }
  const limit = exchange.transaction?.requestBodyWithoutFilesLimitBytes
  const form = formParts(bytes, exchange.headers, separators, limit)
  const all = [...query, ...form.parameters]
  const names = [...all.map(({ name }) => name), ...form.files.map(({ field }) => field)]
  const isIgnored = leaving.parameters.ignoredOf(form.parameters).length > 0
  const exclusions = isIgnored ? leaving.exclusions(all) : undefined
  if (exclusions) exchange.exclusions = exclusions
  const leftOut = exclusions && allExclusions(exclusions, exchange.exceptions)
  if (leftOut) exchange.transaction?.leaveOut(leftOut)
  if (url) {
    const filesBytes = form.files.reduce((sum, { content }) => sum + content.length, 0)
    if (type === 'multipart/form-data') yield* url.contentFindings(bytes.length - filesBytes)
    yield* url.parameterFindings(all.map(({ name }) => name))
    yield* url.fileFindings(form.files.length)
  }
  yield* parameters.findings(form.parameters, query)
  yield* parameters.fileFindings(form.files)
  yield* parameters.missing(names)
}

function isReferred({ headers }: Exchange, referrers: readonly string[]): boolean {
  if (referrers.length === 0) return true
  const referrer = headerValue(headers, 'referer') ?? ''
  const path = referrer.replace(/^https?:\/\/[^/]*/i, '')
  return referrers.some((one) => {
    const fits = wildcard(one)
    return fits(referrer) || fits(path)
  })
}

/** Whether URLs are ones that profiles are for, and what it means when there is none. */
function profileCheck(profiles: SnapshotProfiles) {
  const { hosts, isStrict } = profiles
  const hostTests = hosts.map((host) => wildcard(host))
  const isExcepted = exceptedUrls(profiles)
  const wants = (paths: Paths) => paths.some((path) => !isExcepted(path))
  return {
    wants,
    missing: (exchange: Exchange, paths: Paths, hasProfile: boolean) => {
      if (!isStrict || !wants(paths)) return undefined
      const host = withoutPort(hostOf(exchange))
      if (hostTests.length > 0 && !hostTests.some((fits) => fits(host))) {
        return { attack: 'domain-not-found-in-profile', detail: 'The host is none that profiles are for.' }
      }
      return hasProfile ? undefined : { attack: 'no-url-profile-match', detail: 'The URL has no profile.' }
    },
  }
}
