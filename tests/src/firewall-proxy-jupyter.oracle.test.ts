import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { cleanUpProcesses } from './support/applications/application-process.ts'
import { startBrowser } from './support/applications/browser.ts'
import { notebookHost, notebookServer } from './support/applications/notebook-server.ts'
import { Management, ProxyProcess } from './support/firewall/proxy.ts'
import { cleanUp, newFolder, Server } from './support/programs/server.ts'
import { logIn, visitNotebooks } from './support/visits/notebook-visit.ts'
import { learntWork, type NotebookWork, newWork } from './support/visits/notebook-work.ts'

/*
 * Notebooks behind the firewall, with encrypted links and cookies and all rules: a browser logs in, uploads, runs Python over a
 * WebSocket, renames, saves, downloads and logs out, and notices nothing. docs/operating/firewall-scripted-pages.md says what is
 * configured here, and why.
 */

/** As slow as a loaded machine may be. */
const patienceMs = 60_000

/** Where browsers begin, and what scripts of the application ask for by addresses that they put together. */
const plainUrls = [
  '/',
  '/api/*',
  '/static/*',
  '/custom/*',
  '/nbextensions/*',
  '/kernelspecs/*',
  '/tree/*',
  '/notebooks/*',
  '/edit/*',
  '/view/*',
  '/files/*',
  '/nbconvert/*',
  '/terminals/*',
  '/logout',
]

const policy = 'notebooks'

let management: Management
let browser: Browser
let notebooks: number
before(async () => {
  const server = await Server.start()
  await ProxyProcess.start(server, newFolder(), { spareWorker: true })
  management = await Management.connect(server)
  await newPolicy()
  notebooks = await notebookServer()
  browser = await startBrowser()
})
after(async () => {
  await browser?.close()
  await cleanUpProcesses()
  await cleanUp()
})

/** A policy that takes what the application needs. */
async function newPolicy(): Promise<void> {
  await management.call('POST', 'security-policies', { name: policy, 'based-on': 'default' })
  await management.call('PUT', `security-policies/${policy}/cookie-security`, {
    'tamper-proof-mode': 'Encrypted',
    'allow-unrecognized-cookies': 'Never',
    // A script of the application reads it, and sends it back in a header.
    'cookies-exempted': ['_xsrf'],
  })
  await management.call('PUT', `security-policies/${policy}/url-protection`, {
    'allowed-methods': ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    'max-content-length': 1_000_000,
  })
  // Scripts want to know what is missing, and read why something was not done.
  await management.call('PUT', `security-policies/${policy}/cloaking`, { 'suppress-return-code': 'No' })
}

/** A service with everything on. @returns its port */
async function protect(name: string, mode: 'Active' | 'Passive', service: object = {}): Promise<number> {
  const front = await management.protect(name, notebooks, service)
  const services = `services/${name}`
  await management.call('PUT', `${services}/basic-security`, { mode, 'web-firewall-policy': policy })
  await management.call('PUT', `${services}/advanced-configuration`, {
    'enable-websocket': 'Yes',
    'enable-http2': 'Yes',
  })
  await management.call('POST', `${services}/url-encryption-rules`, {
    name: 'everything',
    host: '*',
    url: '/*',
    'exclude-urls': plainUrls,
  })
  await management.call('PUT', `${services}/url-encryption`, { status: 'On' })
  await management.untilHealth(services, 'Up')
  return front
}

/** What became of somebody's work. */
interface Visit {
  /** The notebook as it was downloaded. */
  readonly notebook: string
  /** Answers that say so, by method and status, and failures of scripts; sorted. */
  readonly troubles: readonly string[]
  /** Of HTTP. */
  readonly versions: ReadonlySet<string>
}

/** Lets somebody work with notebooks. */
async function visit(origin: string, work: NotebookWork): Promise<Visit> {
  const context = await newContext()
  const troubles: string[] = []
  const versions = new Set<string>()
  context.on('response', async (response) => {
    const [status, { method }] = [response.status(), { method: response.request().method() }]
    if (status >= 400) troubles.push(`${method} ${status}`)
    versions.add(await response.httpVersion().catch(() => ''))
  })
  context.on('weberror', (failure) => troubles.push(failure.error().message))
  const notebook = await visitNotebooks(await context.newPage(), origin, work).catch((error: Error) => {
    throw new Error(`${error.message}; troubles: ${troubles.join(', ')}`, { cause: error })
  })
  await context.close()
  return { notebook, troubles: [...new Set(troubles)].sort(), versions }
}

async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  context.setDefaultTimeout(patienceMs)
  return context
}

/** What is in the notebook as it was saved. */
function assertHolds(notebook: string, { cells, note }: NotebookWork): void {
  const saved = JSON.parse(notebook) as { readonly cells: readonly { readonly source: string | string[] }[] }
  const sources = saved.cells.map(({ source }) => [source].flat().join(''))
  for (const { source } of [...cells, note]) assert.ok(sources.includes(source), notebook)
}

type Entry = Readonly<Record<string, string>>

interface Proposal {
  readonly id: string
  readonly url: string
  readonly rule: string
  readonly target: string
}

/** Accepts what is proposed; what was seen in one notebook is accepted for all of them. */
async function acceptProposals(service: string): Promise<void> {
  const { data = {} } = await management.call('GET', `services/${service}/rule-exception-proposals`)
  for (const { id, url, rule, target } of Object.values(data as Record<string, Proposal>)) {
    if (url.startsWith('/api/contents/')) {
      const exception = { name: `notebooks-${id}`, url: '/api/contents/*', rule, target }
      await management.call('POST', `services/${service}/rule-exceptions`, exception)
    } else await management.call('POST', `services/${service}/rule-exception-proposals/${id}`, {})
  }
}

/** Waits for an entry of a service in the web firewall log. */
function logged(service: string, fits: (entry: Entry) => boolean): Promise<unknown> {
  return management.entries('web-firewall-logs', (entry) => entry['service-name'] === service && fits(entry))
}

/** Waits until the log says all that rules found in a request; the last of its entries sums up. */
function judged(service: string, url: string): Promise<unknown> {
  return logged(service, (entry) => entry.rule === '980130' && entry.url?.endsWith(url) === true)
}

function about(detail: RegExp, action: 'DENY' | 'LOG'): (entry: Entry) => boolean {
  return (entry) => entry.action === action && detail.test(entry['attack-detail'] ?? '')
}

async function statusOf(page: Page, address: string): Promise<number | undefined> {
  return (await page.goto(address))?.status()
}

test('notebooks are used behind the firewall as without it, once the rules have seen some', async () => {
  const before = await visit(`http://${notebookHost}:${notebooks}`, learntWork('before'))
  const port = await protect('notebooks', 'Passive')
  const origin = `http://${notebookHost}:${port}`
  const work = learntWork('learnt')
  const visits = await visit(origin, work)
  assert.deepEqual(visits.troubles, before.troubles)
  assertHolds(visits.notebook, work)
  await judged('notebooks', '/learnt.ipynb')
  const entries = await management.entries(
    'web-firewall-logs',
    (entry) => entry['service-name'] === 'notebooks',
  )
  assert.equal(entries.filter(({ url = '' }) => url.endsWith('/channels')).length, 0)
  await acceptProposals('notebooks')
  await management.call('PUT', 'services/notebooks/basic-security', { mode: 'Active' })
  await management.untilHealth('services/notebooks', 'Up')

  const others = await visit(origin, newWork)
  assert.deepEqual(others.troubles, before.troubles)
  assertHolds(others.notebook, newWork)

  const secure = await visitOverTls()
  assert.deepEqual(secure.troubles, before.troubles)
  assert.ok(secure.versions.has('HTTP/2.0'), [...secure.versions].join(', '))
})

/** Lets somebody come over TLS and HTTP/2 to a service that lets pass what the other one does. */
async function visitOverTls(): Promise<Visit> {
  await management.makeCertificate('notebooks', notebookHost)
  const { data = {} } = await management.call('GET', 'services/notebooks/rule-exceptions')
  const port = await protect('secure', 'Active', { type: 'HTTPS', certificate: 'notebooks' })
  for (const { name, url, rule, target } of Object.values(data as Record<string, Entry>)) {
    await management.call('POST', 'services/secure/rule-exceptions', {
      name,
      url,
      rule: Number(rule),
      target,
    })
  }
  await management.untilHealth('services/secure', 'Up')
  const work = learntWork('secure')
  const secure = await visit(`https://${notebookHost}:${port}`, work)
  assertHolds(secure.notebook, work)
  return secure
}

test('a changed address, a made up one, a changed cookie and an attack are refused', async () => {
  const port = await protect('guarded', 'Active')
  const origin = `http://${notebookHost}:${port}`
  const context = await newContext()
  const page = await context.newPage()
  await page.goto(origin)
  const address = await page.locator('form').first().getAttribute('action')
  assert.match(address ?? '', /^\/~enc~[\w-]{20,}$/)
  const changed = `${address?.slice(0, -2)}${address?.endsWith('AA') ? 'BB' : 'AA'}`
  assert.equal(await statusOf(page, origin + changed), 403)
  await logged('guarded', about(/^An encrypted address was changed/, 'DENY'))
  assert.equal(await statusOf(page, `${origin}/tree`), 403)
  await logged('guarded', about(/^The rule everything wants/, 'DENY'))
  assert.equal(
    await statusOf(page, `${origin}/api/contents?type=1'%20UNION%20SELECT%20name%20FROM%20users--`),
    403,
  )

  await page.goto(origin)
  await logIn(page, newWork.password)
  await page.locator('#logout').waitFor()
  const cookie = (await context.cookies()).find(({ name }) => name.startsWith('username-'))
  assert.match(cookie?.value ?? '', /^~ps~/)
  assert.ok(cookie)
  await page.goto(origin)
  await page.locator('#logout').waitFor()
  const at = cookie.value.length >> 1
  const other = cookie.value[at] === 'A' ? 'B' : 'A'
  await context.addCookies([
    { ...cookie, value: `${cookie.value.slice(0, at)}${other}${cookie.value.slice(at + 1)}` },
  ])
  await page.goto(origin)
  await page.locator('#password_input').waitFor()
  await logged('guarded', about(new RegExp(`^The cookie ${cookie.name} is not taken`), 'LOG'))
  await context.close()
})
