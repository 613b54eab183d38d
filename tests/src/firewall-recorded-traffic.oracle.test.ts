import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recordings } from './ordinary-traffic/recorded-request.ts'
import { replay } from './ordinary-traffic/replay.ts'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, Server } from './support/programs/server.ts'

/*
 * Requests of browsers, command lines and API clients, recorded in front of applications from npm and Debian, are sent through a
 * proxy whose service is Active and has a policy of the factory. The rules are those of Debian's modsecurity-crs. What they refuse is
 * printed and not bounded here: bench/results/ordinary-traffic.md has the figures.
 */

const applicationsMin = 10
const requestsMin = 800
/** Of all requests, as a fraction. */
const refusedByPolicyMax = 0.02

const traffic = recordings()
const requestCount = traffic.reduce((sum, { requests }) => sum + requests.length, 0)
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
  readonly count: number
  readonly byPolicy: Tally
  readonly byRules: Tally
}

interface Tally {
  readonly requests: number
  readonly names: ReadonlyMap<string, number>
}

/** Sends all requests through an Active service with that policy. */
async function refusalsOf(policy: string): Promise<Refusals> {
  const service = `with-${policy}`
  const port = await management.protect(service, applicationPort)
  await management.call('PUT', `services/${service}/basic-security`, {
    mode: 'Active',
    'web-firewall-policy': policy,
  })
  await management.untilHealth(`services/${service}`, 'Up')
  let count = 0
  for (const { requests } of traffic) count += (await replay(requests, port, { status })).length

  const ofRequests = await eventually(`log entries of ${count} refused requests`, async () => {
    const denials = await denialsOf(service)
    return denials.length >= count ? denials : undefined
  })
  assert.equal(ofRequests.length, count, 'each refused request is in the log, and no other')
  return {
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

function share(count: number): string {
  return `${count} of ${requestCount} (${((100 * count) / requestCount).toFixed(2)} %)`
}

function summary({ count, byPolicy, byRules }: Refusals): string {
  const list = ({ requests, names }: Tally) => {
    const counts = [...names].sort(([, one], [, other]) => other - one)
    return `${share(requests)}${counts.map(([name, times]) => `, ${name} ${times}`).join('')}`
  }
  return `refused ${share(count)}; by the policy itself ${list(byPolicy)}; by rules ${list(byRules)}`
}

test('the limits of the default policy refuse at most 2 % of recorded ordinary requests, and those of strict more', async (t) => {
  assert.ok(traffic.length >= applicationsMin, `${traffic.length} applications`)
  assert.ok(requestCount >= requestsMin, `${requestCount} requests`)
  for (const { application, requests } of traffic) assert.ok(requests.length > 0, application)
  t.diagnostic(`${requestCount} requests to ${traffic.length} applications`)

  const ofDefault = await refusalsOf('default')
  t.diagnostic(`default: ${summary(ofDefault)}`)
  const ofStrict = await refusalsOf('strict')
  t.diagnostic(`strict: ${summary(ofStrict)}`)
  assert.ok(ofDefault.byPolicy.requests <= requestCount * refusedByPolicyMax)
  assert.ok(ofStrict.byPolicy.requests > requestCount * refusedByPolicyMax)
  assert.ok(ofStrict.count > ofDefault.count)
})
