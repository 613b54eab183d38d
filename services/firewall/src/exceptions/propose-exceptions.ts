import { createHash } from 'node:crypto'
import { ruleTarget } from '../kinds/patterns.ts'
import { type BrokenRules, brokenRules, evidenceAgainst } from './evidence-against.ts'
import type { Finding, JudgedRequest } from './judged-requests.ts'
import {
  type EvidenceNeeded,
  everyUrl,
  type LeftOut,
  type Proposal,
  type ProposalRequest,
} from './proposal.ts'
import { widenedPaths } from './widened-path.ts'

/** A header or cookie that rules fired at for so many URLs is left out for all. */
const urlsOfEverywhere = 5

/**
 * The exceptions that would have let requests through, those first that most requests need.
 *
 * @param service whose requests they are
 */
export function proposeExceptions(
  service: string,
  requests: readonly JudgedRequest[],
  needed: EvidenceNeeded,
): Proposal[] {
  const urls = proposedUrls(requests)
  const sightings = requests.flatMap((request) => partsOf(service, request, urls))
  const byId = Map.groupBy(sightings, ({ id }) => id)
  const broken = brokenRules(requests)
  return [...byId]
    .flatMap(([id, parts]) => parts.slice(0, 1).map((first) => proposal(id, first, parts, broken, needed)))
    .sort((one, other) => other.requests.length - one.requests.length || one.rule - other.rule)
}

interface Part extends LeftOut, ProposalRequest {
  readonly id: string
}

/** What of a request would have to be left out. */
function partsOf(service: string, request: JudgedRequest, urlOf: ProposedUrl): Part[] {
  const path = plainPath(request.url)
  if (path === undefined) return []
  const parts = request.findings.flatMap((finding) => {
    const target = targetOf(finding)
    if (target === 'unspeakable') return []
    const url = urlOf(path, finding)
    return [{ id: idOf(service, url, finding.rule, target), url, rule: finding.rule, target, finding }]
  })
  const byId = Map.groupBy(parts, ({ id }) => id)
  return [...byId].flatMap(([id, same]) => {
    const findings = same.map(({ finding }) => finding)
    const points = findings.reduce((sum, finding) => sum + finding.points, 0)
    const passesAlone = request.score - points < request.threshold
    const others = [...byId.keys()].filter((other) => other !== id)
    return same.slice(0, 1).map((part) => ({ ...part, request, findings, passesAlone, others }))
  })
}

function proposal(
  id: string,
  { url, rule, target }: LeftOut,
  parts: readonly Part[],
  broken: BrokenRules,
  needed: EvidenceNeeded,
): Proposal {
  const requests = parts.toSorted((one, other) => other.request.time - one.request.time)
  const clients = [...new Set(requests.map(({ request }) => request.client))].sort()
  const times = requests.map(({ request }) => request.time)
  const isOften = requests.length >= needed.requests && clients.length >= needed.clients
  const part = { id, url, rule, target, requests, clients }
  return {
    ...part,
    firstAt: Math.min(...times),
    lastAt: Math.max(...times),
    hasEnoughEvidence: isOften || clients.some(needed.isTrusted),
    speaksAgainst: evidenceAgainst(part, broken),
  }
}

/** For which URLs an exception is proposed, for what was found at a path. */
type ProposedUrl = (path: string, finding: Finding) => string

function proposedUrls(requests: readonly JudgedRequest[]): ProposedUrl {
  const everywhere = targetsEverywhere(requests)
  const paths = new Map<string, Set<string>>()
  for (const { url, findings } of requests) {
    const path = plainPath(url)
    if (path === undefined) continue
    for (const finding of findings) {
      const key = placeOf(finding)
      paths.set(key, (paths.get(key) ?? new Set()).add(path))
    }
  }
  const widened = new Map(Array.from(paths, ([key, pathSets]) => [key, widenedPaths(pathSets)]))
  return (path, finding) =>
    everywhere.has(finding.target) ? everyUrl : (widened.get(placeOf(finding))?.get(path) ?? path)
}

function placeOf({ rule, target }: Finding): string {
  return `${rule} ${target}`
}

/** Headers and cookies that rules fired at for so many URLs: browsers send them with every request. */
function targetsEverywhere(requests: readonly JudgedRequest[]): ReadonlySet<string | undefined> {
  const urls = new Map<string, Set<string>>()
  for (const { url, findings } of requests) {
    for (const { target } of findings) {
      if (!/^REQUEST_(?:HEADERS|COOKIES)/.test(target)) continue
      urls.set(target, (urls.get(target) ?? new Set()).add(url))
    }
  }
  return new Set([...urls].filter(([, places]) => places.size >= urlsOfEverywhere).map(([target]) => target))
}

/** What the rule looked at; undefined where it is no part of a request, such as a counter of the rules. */
function targetOf({ target }: Finding): string | 'unspeakable' | undefined {
  const variable = target.split(':', 1)[0] ?? ''
  const spoken = variable === 'XML' ? variable : target
  if (ruleTarget.expression.test(spoken)) return spoken.includes('*') ? 'unspeakable' : spoken
  return ruleTarget.expression.test(variable) ? 'unspeakable' : undefined
}

/** The path as proxies compare it; undefined where it is none that an ordinary client asks for, or has a wildcard in it. */
function plainPath(url: string): string | undefined {
  const text = Buffer.from(
    Buffer.from(url, 'utf8')
      .toString('latin1')
      .replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  ).toString('utf8')
  const isOdd =
    !text.startsWith('/') || text.length > urlLengthMax || /[*\\\p{Cc}\ufffd]|\/\/|\/\./u.test(text)
  return isOdd ? undefined : text
}

const urlLengthMax = 1_000

function idOf(service: string, url: string, rule: number, target: string | undefined): string {
  const text = JSON.stringify([service, url, rule, target ?? ''])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
