import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Part, parts, recordings } from './ordinary-traffic/recorded-request.ts'
import {
  activeService,
  answeredStatus,
  type Refusals,
  refusalsOf,
  share,
  summary,
} from './ordinary-traffic/refusals.ts'
import { replay } from './ordinary-traffic/replay.ts'
import { writtenRequests } from './ordinary-traffic/written-requests.ts'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { cleanUp, Server } from './support/programs/server.ts'

/*
 * Requests of browsers, command lines and API clients, recorded in front of applications from npm and Debian and of client libraries of
 * sites, are sent through a
 * proxy whose service is Active and has a policy of the factory. The rules are those of Debian's modsecurity-crs. What they refuse is
 * printed and not bounded here: bench/results/ordinary-traffic.md has the figures. Of the part that is held out only totals are
 * printed, since nothing is tuned to it.
 */

const applicationsMin = 110
/** Which client libraries are held out is said by a hash of their names: about a third. */
const heldOutShareMin = 0.3
const requestsMin = 3000
/** Of all requests, as a fraction. */
const refusedByPolicyMax = 0.02

/** Of the files of `ordinary-traffic/written`; of the others none. Most of `texts` that are refused are what they look like; of `addresses`, one names the machine itself. */
const writtenRefusedMax: Readonly<Record<string, number>> = {
  addresses: 4,
  bodies: 6,
  forms: 2,
  sites: 6,
  texts: 26,
}

const traffic = parts.map((part) => {
  const ofPart = recordings(part)
  return { part, ofPart, requestCount: ofPart.reduce((sum, { requests }) => sum + requests.length, 0) }
})
const applicationCount = traffic.reduce((sum, { ofPart }) => sum + ofPart.length, 0)
const requestCountOf = (part: Part): number => traffic.find((one) => one.part === part)?.requestCount ?? 0
let management: Management
let applicationPort: number
before(async () => {
  const server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  applicationPort = await application((request, response) => {
    request.resume().on('end', () => response.writeHead(answeredStatus).end('ok'))
  })
})
after(async () => {
  cleanUpApplications()
  await cleanUp()
})

async function refusalsWith(part: Part, policy: string): Promise<Refusals> {
  const name = `${part}-with-${policy}`
  const port = await activeService(management, { name, policy, behind: applicationPort })
  return refusalsOf(
    management,
    { name, port },
    recordings(part).flatMap(({ requests }) => requests),
  )
}

test('ordinary requests were recorded of many applications and client libraries, and about a third of these are held out', () => {
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
    const ofDefault = await refusalsWith(part, 'default')
    t.diagnostic(
      `${part}, default: ${summary(ofDefault, { requests: requestCount, named: part === 'tuned' })}`,
    )
    if (part === 'held-out') continue
    const ofStrict = await refusalsWith(part, 'strict')
    t.diagnostic(`${part}, strict: ${summary(ofStrict, { requests: requestCount, named: true })}`)
    assert.ok(ofDefault.byPolicy.requests <= requestCount * refusedByPolicyMax)
    assert.ok(ofStrict.byPolicy.requests > requestCount * refusedByPolicyMax)
    assert.ok(ofStrict.count > ofDefault.count)
  }
})

test('written requests pass the default policy, apart from texts that are about statements, commands and files', async (t) => {
  const port = await activeService(management, {
    name: 'written',
    policy: 'default',
    behind: applicationPort,
  })
  for (const [file, requests] of writtenRequests()) {
    const refusals = await replay(requests, port, { status: answeredStatus })
    t.diagnostic(`${file}: refused ${share(refusals.length, requests.length)}`)
    const refusedMax = writtenRefusedMax[file] ?? 0
    assert.ok(refusals.length <= refusedMax, refusals.map(({ request }) => request.target).join(' '))
  }
})

test('the default policy refuses what is hidden by a dot, and lets pass where applications have such names', async () => {
  const port = await activeService(management, { name: 'hidden', policy: 'default', behind: applicationPort })
  const hidden = [
    ...[
      '/.git/config',
      '/.env.production',
      '/app/.aws/credentials',
      '/.ssh/id_rsa',
      '/.svn/wc.db',
      '/.npmrc',
    ],
    ...[
      '/.index.php.swp',
      '/.DS_Store',
      '/%2egit/HEAD',
      '/.%00/a',
      '/a/.;/b',
      '/.vscode/sftp.json',
      '/.htpasswd',
    ],
  ]
  for (const target of hidden) assert.notEqual(await statusOfTarget(target, port), answeredStatus, target)
  const ordinary = [
    '/.netlify/functions/a',
    '/.imaging/a.jpg',
    '/.rum/1.js',
    '/.lp?start=t',
    '/css/.element/a.css',
  ]
  for (const target of ordinary) assert.equal(await statusOfTarget(target, port), answeredStatus, target)
})

async function statusOfTarget(target: string, port: number): Promise<number | undefined> {
  const headers = ['Host', 'www.example.org', 'User-Agent', 'Mozilla/5.0', 'Accept', '*/*']
  const [refusal] = await replay([{ method: 'GET', target, headers }], port, { status: answeredStatus })
  return refusal === undefined ? answeredStatus : refusal.status
}
