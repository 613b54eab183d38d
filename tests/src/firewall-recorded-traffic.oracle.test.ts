import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Part, parts, recordings } from './ordinary-traffic/recorded-request.ts'
import { replay } from './ordinary-traffic/replay.ts'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

/*
 * Requests of browsers, command lines and API clients, recorded in front of applications from npm and Debian, are sent through a
 * proxy whose service is Active and has a policy of the factory. The rules are those of Debian's modsecurity-crs. What they refuse is
 * printed and not bounded here: bench/results/ordinary-traffic.md has the figures. Of the part that is held out only totals are
 * printed, since nothing is tuned to it.
 */

const applicationsMin = 24
const heldOutShareMin = 1 / 3
const requestsMin = 1500
/** Of all requests, as a fraction. */
const refusedByPolicyMax = 0.02

const traffic = parts.map((part) => {
  const ofPart = recordings(part)
  return { part, ofPart, requestCount: ofPart.reduce((sum, { requests }) => sum + requests.length, 0) }
})
const applicationCount = traffic.reduce((sum, { ofPart }) => sum + ofPart.length, 0)
const requestCountOf = (part: Part): number => traffic.find((one) => one.part === part)?.requestCount ?? 0
const status = 200

let management: Management
let applicationPort: number
before(async () => {
  const server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  applicationPort = await application((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end('ok'))
  })
})
after(async () => {
  cleanUpApplications()
  await cleanUp()
})

type Entry = Readonly<Record<string, string>>

/** How many requests were refused, by the name of what refused them. Several rules can refuse one request. */
interface Refusals {
  readonly part: Part
  readonly count: number
  readonly byPolicy: Tally
  readonly byRules: Tally
}

interface Tally {
  readonly requests: number
  readonly names: ReadonlyMap<string, number>
}

/** Sends all requests of a part through an Active service with that policy. */
async function refusalsOf(part: Part, policy: string): Promise<Refusals> {
  const service = `${part}-with-${policy}`
  const port = await management.protect(service, applicationPort)
  await management.call('PUT', `services/${service}/basic-security`, {
    mode: 'Active',
    'web-firewall-policy': policy,
  })
  await management.untilHealth(`services/${service}`, 'Up')
  let count = 0
  for (const { requests } of recordings(part)) count += (await replay(requests, port, { status })).length

  const ofRequests = await eventually(`log entries of ${count} refused requests`, async () => {
    const denials = await denialsOf(service)
    return denials.length >= count ? denials : undefined
  })
  assert.equal(ofRequests.length, count, 'each refused request is in the log, and no other')
  return {
    part,
    count,
    byPolicy: tally(
      ofRequests.filter((entries) => !entries.some(isOfRules)),
      'attack',
    ),
    byRules: tally(
      ofRequests.filter((entries) => entries.some(isOfRules)),
      'rule',
    ),
  }
}

/** What the log has of requests that were refused: a list for each request. */
async function denialsOf(service: string): Promise<Entry[][]> {
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
  const names = new Map<string, number>()
  for (const entries of ofRequests) {
    for (const name of new Set(entries.map((entry) => entry[member] ?? ''))) {
      if (!scoring.test(name)) names.set(name, (names.get(name) ?? 0) + 1)
    }
  }
  return { requests: ofRequests.length, names }
}

function share(count: number, requestCount: number): string {
  return `${count} of ${requestCount} (${((100 * count) / requestCount).toFixed(2)} %)`
}

function summary({ part, count, byPolicy, byRules }: Refusals): string {
  const requestCount = requestCountOf(part)
  const list = ({ requests, names }: Tally) => {
    const counts = part === 'held-out' ? [] : [...names].sort(([, one], [, other]) => other - one)
    return `${share(requests, requestCount)}${counts.map(([name, times]) => `, ${name} ${times}`).join('')}`
  }
  return `refused ${share(count, requestCount)}; by the policy itself ${list(byPolicy)}; by rules ${list(byRules)}`
}

test('ordinary requests were recorded in front of many applications, and a third of these are held out', () => {
  assert.ok(applicationCount >= applicationsMin, `${applicationCount} applications`)
  for (const { part, ofPart, requestCount } of traffic) {
    for (const { application: name, requests } of ofPart) assert.ok(requests.length > 0, name)
    if (part === 'held-out')
      assert.ok(ofPart.length >= applicationCount * heldOutShareMin, `${ofPart.length} are held out`)
    assert.ok(requestCount > 0, part)
  }
  assert.ok(requestCountOf('tuned') + requestCountOf('held-out') >= requestsMin)
})

test('the limits of the default policy refuse at most 2 % of recorded ordinary requests, and those of strict more', async (t) => {
  for (const { part, ofPart, requestCount } of traffic) {
    t.diagnostic(`${part}: ${requestCount} requests to ${ofPart.length} applications`)
    const ofDefault = await refusalsOf(part, 'default')
    t.diagnostic(`${part}, default: ${summary(ofDefault)}`)
    if (part === 'held-out') continue
    const ofStrict = await refusalsOf(part, 'strict')
    t.diagnostic(`${part}, strict: ${summary(ofStrict)}`)
    assert.ok(ofDefault.byPolicy.requests <= requestCount * refusedByPolicyMax)
    assert.ok(ofStrict.byPolicy.requests > requestCount * refusedByPolicyMax)
    assert.ok(ofStrict.count > ofDefault.count)
  }
})
