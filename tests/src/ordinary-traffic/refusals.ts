import assert from 'node:assert/strict'
import type { Management } from '../support/firewall/proxy.ts'
import { eventually } from '../support/programs/calls.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { replay } from './replay.ts'

/** What the applications behind the proxies of these measurements answer. */
export const answeredStatus = 200

/** How many requests were refused, by the name of what refused them. Several rules can refuse one request. */
export interface Refusals {
  readonly count: number
  readonly requests: ReadonlySet<RecordedRequest>
  readonly byPolicy: Tally
  readonly byRules: Tally
  /** For each request its address, and what was found in it where. */
  readonly denials: readonly (readonly string[])[]
}

export interface Tally {
  readonly requests: number
  readonly names: ReadonlyMap<string, NameCount>
}

interface NameCount {
  readonly requests: number
  /** Those that nothing else refused. */
  readonly alone: number
}

type Entry = Readonly<Record<string, string>>

/** Makes an Active service. @param behind the port of the application @returns the port of the service */
export async function activeService(
  management: Management,
  { name, policy, behind }: { readonly name: string; readonly policy: string; readonly behind: number },
): Promise<number> {
  const port = await management.protect(name, behind)
  await management.call('PUT', `services/${name}/basic-security`, {
    mode: 'Active',
    'web-firewall-policy': policy,
  })
  await management.untilHealth(`services/${name}`, 'Up')
  return port
}

/** Sends requests through a service, and looks up in the log what refused them. */
export async function refusalsOf(
  management: Management,
  service: { readonly name: string; readonly port: number },
  requests: readonly RecordedRequest[],
): Promise<Refusals> {
  const refusals = await replay(requests, service.port, { status: answeredStatus })
  const count = refusals.length
  const ofRequests = await eventually(`log entries of ${count} refused requests`, async () => {
    const denials = await denialsOf(management, service.name)
    return denials.length >= count ? denials : undefined
  })
  assert.equal(ofRequests.length, count, 'each refused request is in the log, and no other')
  return {
    count,
    requests: new Set(refusals.map(({ request }) => request)),
    byPolicy: tally(
      ofRequests.filter((entries) => !entries.some(isOfRules)),
      'attack',
    ),
    byRules: tally(
      ofRequests.filter((entries) => entries.some(isOfRules)),
      'rule',
    ),
    denials: ofRequests.map(denialOf),
  }
}

function denialOf(entries: readonly Entry[]): string[] {
  const { host = '', url = '', 'query-string': query = '' } = entries[0] ?? {}
  const findings = entries
    .filter(({ rule = '' }) => !scoring.test(rule))
    .map((entry) => `${isOfRules(entry) ? entry.rule : entry.attack}@${entry['rule-target'] ?? ''}`)
  return [`${host}${url}${query === '' ? '' : `?${query}`}`, ...new Set(findings)]
}

/** What the log has of requests that were refused: a list for each request. */
async function denialsOf(management: Management, service: string): Promise<Entry[][]> {
  const { data = {} } = await management.call('GET', 'web-firewall-logs?limit=10000')
  const denials = Object.values(data as Record<string, Entry>).filter(
    (entry) => entry['service-name'] === service && entry.action === 'DENY',
  )
  return [...Map.groupBy(denials, (entry) => entry['request-id']).values()]
}

const isOfRules = (entry: Entry): boolean => entry['rule-type'] === 'Core Rule Set'

/** Rules that add up what others found. */
const scoring = /^9(?:49|59|80)\d{3}$/

function tally(ofRequests: readonly Entry[][], member: 'attack' | 'rule'): Tally {
  const names = new Map<string, NameCount>()
  for (const entries of ofRequests) {
    const ofRequest = new Set(
      entries.map((entry) => entry[member] ?? '').filter((name) => !scoring.test(name)),
    )
    for (const name of ofRequest) {
      const { requests, alone } = names.get(name) ?? { requests: 0, alone: 0 }
      names.set(name, { requests: requests + 1, alone: alone + (ofRequest.size === 1 ? 1 : 0) })
    }
  }
  return { requests: ofRequests.length, names }
}

/** A count and its share, as text. */
export function share(count: number, of: number): string {
  return `${count} of ${of} (${((100 * count) / of).toFixed(2)} %)`
}

/** What was refused, as text. @param named whether names of checks and rules are among it */
export function summary(
  { count, byPolicy, byRules }: Refusals,
  { requests: of, named }: { readonly requests: number; readonly named: boolean },
): string {
  const list = ({ requests, names }: Tally) => {
    const counts = named ? [...names].sort(([, one], [, other]) => other.requests - one.requests) : []
    return `${share(requests, of)}${counts.map(([name, times]) => `, ${name} ${times.requests} (${times.alone} alone)`).join('')}`
  }
  return `refused ${share(count, of)}; by the policy itself ${list(byPolicy)}; by rules ${list(byRules)}`
}
