import type { SnapshotProfiles, SnapshotService } from '@palisade/proxy-protocol'
import type { Argument } from '@palisade/seclang'
import { fittingRule } from '../../conditions/place-test.ts'
import { hostOf, withoutPort } from '../../exchange/address.ts'
import { type Answer, firstAnswer, type RequestBody } from '../../exchange/answer.ts'
import { hasBody } from '../../exchange/client-message.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'
import { isJson } from '../../exchange/json-body.ts'
import { exceptedUrls } from '../../paths/excepted-urls.ts'
import { isPlain, normalPaths } from '../../paths/normal-path.ts'
import type { Paths } from '../../paths/path-readings.ts'
import { wildcard } from '../../patterns/wildcard.ts'
import { allExclusions } from '../../policy/all-exclusions.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { maySurprise } from './file-contents.ts'
import { Protection } from './protection.ts'
import {
  contentTypeOf,
  type FormParts,
  filesInJson,
  formParts,
  isForm,
  queryParameters,
} from './request-parts.ts'
import type { Finding } from './value-checks.ts'

/** What is known of a request while its body is waited for. */
interface Pending {
  readonly protections: readonly Protection[]
  /** Says what the rules leave out: the policy itself where a server could take the address for another one than the profile's. */
  readonly leaving: Protection
  readonly query: readonly Argument[]
}

/** URLs and parameters: what the policy protects, and what profiles say in its place. Decides what the rules look for, too. */
export const requestProtection: FilterDescriptor = {
  name: 'request-protection',
  stage: 'plain-request',
  isShared: false,
  make: requestProtectionFilter,
}

function requestProtectionFilter(service: SnapshotService, deps: FilterDependencies): Filter | undefined {
  if (deps.policy.snapshot === undefined) return undefined
  const byPolicy = new Protection(service, deps)
  const profiles = service.checks?.profiles
  const byProfile = (profiles?.urls ?? []).map((profile) => new Protection(service, deps, profile))
  const profileCheck = profiles && profileCheckOf(profiles)
  const separators = deps.policy.snapshot.normalization.parameterSeparators
  const pending = new WeakMap<Exchange, Pending>()

  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const paths = normalPaths(exchange.target)
      const isUnambiguous = isPlain(exchange.target)
      const isProfiled = paths.map((path) => profileCheck?.wants(path) === true)
      const [own, ...others] = paths.map((path, at) =>
        isProfiled[at] ? fittingRule(byProfile, exchange, path) : undefined,
      )
      const chosen = isUnambiguous
        ? [own ?? byPolicy, ...others.filter((one) => one !== undefined)]
        : [own, ...others].map((one) => one ?? byPolicy)
      const protections = [...new Set(chosen)]
      const lacking = (isUnambiguous ? [own] : [own, ...others]).some((one, at) => isProfiled[at] && !one)
      const missing = isProfiled.includes(true) ? profileCheck?.missing(exchange, lacking) : undefined
      const query = queryParameters(exchange.target, separators)
      const leaving = (isUnambiguous && own) || byPolicy
      exchange.exclusions = leaving.exclusions(query)
      if (hasBody(exchange.request)) pending.set(exchange, { protections, leaving, query })
      const refused =
        missing && handleViolation(exchange, missing, { isPassive: profiles?.isPassive ?? false })
      return (
        refused ??
        firstAnswer(protections, (protection) =>
          firstRefusal(exchange, protection, headFindings(exchange, protection, paths, query)),
        )
      )
    },
    wantsBody: (exchange) => exchange.mode !== 'off' && pending.has(exchange),
    onBody: (exchange, body) => {
      const pendingRequest = pending.get(exchange)
      if (pendingRequest === undefined) return undefined
      const form = formOf(exchange, body, separators)
      if (form) leaveOutIgnored(exchange, pendingRequest, form)
      return firstAnswer(pendingRequest.protections, (protection) =>
        firstRefusal(
          exchange,
          protection,
          bodyFindings(exchange, protection, pendingRequest.query, { body, form }),
        ),
      )
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
    const answer = handleViolation(exchange, violation, { isPassive: isPassive || isOnlyLogged })
    if (answer) return answer
  }
  return undefined
}

function* headFindings(
  exchange: Exchange,
  { url, parameters, referrers, forms }: Protection,
  paths: Paths,
  query: readonly Argument[],
): Generator<Finding> {
  if (url) yield* url.findings(exchange, paths)
  if (!isReferred(exchange, referrers)) {
    const detail = 'The page that leads here is none of those that may.'
    yield { attack: 'session-context-not-found', detail, isPassive: false }
  }
  if (url) yield* url.parameterFindings(query.map(({ name }) => name))
  yield* parameters.findings(query)
  const isComplete = !(hasBody(exchange.request) && isForm(contentTypeOf(exchange.headers)))
  if (isComplete) {
    if (forms) yield* forms.findings(exchange, query)
    yield* parameters.missing(query.map(({ name }) => name))
  }
}

/** What the body says, where it is a form. */
function formOf(exchange: Exchange, { bytes }: RequestBody, separators: string): FormParts | undefined {
  if (!isForm(contentTypeOf(exchange.headers))) return undefined
  return formParts(
    bytes,
    exchange.headers,
    separators,
    exchange.transaction?.requestBodyWithoutFilesLimitBytes,
  )
}

/** Has the rules leave out what nobody looks at of a form. */
function leaveOutIgnored(exchange: Exchange, { leaving, query }: Pending, form: FormParts): void {
  const isIgnored = leaving.parameters.ignoredOf(form.parameters).length > 0
  const exclusions = isIgnored ? leaving.exclusions([...query, ...form.parameters]) : undefined
  if (exclusions) exchange.exclusions = exclusions
  const leftOut = exclusions && allExclusions(exclusions, exchange.exceptions)
  if (leftOut) exchange.transaction?.leaveOut(leftOut)
}

function* bodyFindings(
  exchange: Exchange,
  { url, parameters, forms }: Protection,
  query: readonly Argument[],
  { body: { bytes }, form }: { readonly body: RequestBody; readonly form: FormParts | undefined },
): Generator<Finding> {
  if (form === undefined) {
    const isCounted = headerValue(exchange.headers, 'content-length') !== undefined
    if (url && !isCounted) yield* url.contentFindings(bytes.length)
    const file = nameAndType(exchange)
    if (maySurprise(file)) yield* parameters.bodyFindings({ ...file, content: bytes.toString('latin1') })
    const withoutFilesMax = exchange.transaction?.requestBodyWithoutFilesLimitBytes
    for (const inJson of filesInJson(bytes, exchange.headers, withoutFilesMax))
      yield* parameters.bodyFindings(inJson)
    return
  }
  const all = [...query, ...form.parameters]
  const names = [...all.map(({ name }) => name), ...form.files.map(({ field }) => field)]
  if (url) {
    const filesBytes = form.files.reduce((sum, { content }) => sum + content.length, 0)
    if (contentTypeOf(exchange.headers) === 'multipart/form-data')
      yield* url.contentFindings(bytes.length - filesBytes)
    // JSON under the type of a form, as `curl -d` sends it, begins with no name: rules take it apart.
    const named = isJson(bytes) ? [...query, ...form.parameters.slice(1)] : all
    yield* url.parameterFindings(named.map(({ name }) => name))
    yield* url.fileFindings(form.files.length)
  }
  yield* parameters.findings(form.parameters, query)
  yield* parameters.fileFindings(form.files)
  if (forms) yield* forms.findings(exchange, all)
  yield* parameters.missing(names)
}

/** What a body is that is a file itself, as an upload by `PUT` says it. */
function nameAndType({ target, headers }: Exchange) {
  const [path = ''] = normalPaths(target)
  return { fileName: path.slice(path.lastIndexOf('/') + 1), type: contentTypeOf(headers) }
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
function profileCheckOf(profiles: SnapshotProfiles) {
  const { hosts, isStrict } = profiles
  const hostTests = hosts.map((host) => wildcard(host))
  const isExcepted = exceptedUrls(profiles)
  return {
    wants: (path: string) => !isExcepted(path),
    /** What is wrong with a request for one of them. */
    missing: (exchange: Exchange, lacksProfile: boolean) => {
      if (!isStrict) return undefined
      const host = withoutPort(hostOf(exchange))
      if (hostTests.length > 0 && !hostTests.some((fits) => fits(host))) {
        return { attack: 'domain-not-found-in-profile', detail: 'The host is none that profiles are for.' }
      }
      return lacksProfile ? { attack: 'no-url-profile-match', detail: 'The URL has no profile.' } : undefined
    },
  }
}
