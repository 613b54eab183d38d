import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from './support/applications/browser.ts'
import { application, cleanUpApplications, Management, ProxyProcess } from './support/firewall/proxy.ts'
import { cleanUp, Server } from './support/programs/server.ts'

/*
 * A page made by scripts, behind encrypted links and cookies and all rules, does what such pages do: JSON, event streams, parts of large
 * files, kept answers, a service worker. docs/operating/firewall-scripted-pages.md says what is excluded here, and why.
 */

const patienceMs = 60_000

let management: Management
let browser: Browser
before(async () => {
  const server = await Server.start()
  await ProxyProcess.start(server)
  management = await Management.connect(server)
  browser = await startBrowser()
})
after(async () => {
  await browser?.close()
  await cleanUp()
  cleanUpApplications()
})

const large = Buffer.alloc(3_000_000, 'Palisade ')
const image = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const start = '<!doctype html><title>Start</title><a id=open href="/app/view?item=7">Open</a>'

const view = `<!doctype html><title>View</title><base href="/app/">
<img id=picture src="pictures/a.gif" srcset="pictures/b.gif 1x, pictures/c.gif 2x">
<a id=file href="../files/report.pdf" download>Report</a> <a id=back href="../">Back</a>
<script>window.links = { list: "/api/list", relative: "api/relative" }</script>
<script type=module src="/static/main.js"></script>`

/** Collects what it sees, by name, in `window.seen`; the test waits for all of it. */
const script = `import { json } from './json.js'
const seen = window.seen = {}
const note = (name, work) => work().then((value) => { seen[name] = value }, (error) => { seen[name] = String(error) })
const body = JSON.stringify({ name: 'lamp', tags: ['a', 'b'], nested: { count: 3 } })
await navigator.serviceWorker.register('/worker.js')
await navigator.serviceWorker.ready
await Promise.all([
  note('list', () => json(links.list)),
  note('relative', () => json(links.relative)),
  note('posted', () => json('/api/echo', { method: 'POST', body, headers: { 'content-type': 'application/json' } })),
  note('put', () => json('/api/echo', { method: 'PUT', body, headers: { 'content-type': 'application/json' } })),
  note('missing', async () => (await fetch('/api/missing')).status),
  note('part', async () => {
    const reply = await fetch('/files/large.bin', { headers: { range: 'bytes=1000000-1000008' } })
    return [reply.status, reply.headers.get('content-range'), await reply.text()]
  }),
  note('whole', async () => (await (await fetch('/files/large.bin')).arrayBuffer()).byteLength),
  note('events', () => new Promise((resolve) => {
    const source = new EventSource('/api/events')
    const events = []
    source.onmessage = ({ data }) => {
      events.push(data)
      if (data === 'first') fetch('/api/seen', { method: 'POST' })
      else { source.close(); resolve(events) }
    }
  })),
  note('worker', () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    navigator.serviceWorker.ready.then(({ active }) => active.postMessage('ask', [port2]))
  })),
])
document.title = 'Done'
`

const worker = `self.addEventListener('message', async ({ ports: [port] }) => {
  port.postMessage(await (await fetch('/api/list')).json())
})`

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** What the application was asked for, and how it answered. */
interface ServedRequest {
  readonly url: string
  readonly status: number
  readonly cookie: string | undefined
}

function app(requests: ServedRequest[]): Answer {
  let finishEvents = () => {}
  const answers: Readonly<Record<string, Answer>> = {
    '/': (request, response) => {
      response.setHeader('set-cookie', 'session=secret; HttpOnly')
      give(request, response, 'text/html', start)
    },
    '/app/view?item=7': (request, response) => {
      response.setHeader('etag', '"view"')
      response.setHeader('cache-control', 'no-cache')
      if (request.headers['if-none-match'] === '"view"') response.writeHead(304).end()
      else give(request, response, 'text/html; charset=utf-8', view)
    },
    '/static/main.js': (request, response) => give(request, response, 'text/javascript', script),
    '/static/json.js': (request, response) =>
      give(
        request,
        response,
        'text/javascript',
        'export const json = async (...asked) => (await fetch(...asked)).json()',
      ),
    '/worker.js': (request, response) => give(request, response, 'text/javascript', worker),
    '/api/list': (request, response) => give(request, response, 'application/json', '["<a href=\\"/x\\">"]'),
    '/app/api/relative': (request, response) => give(request, response, 'application/json', '"relative"'),
    '/api/echo': (request, response) => {
      response.setHeader('content-type', 'application/json')
      request.pipe(response)
    },
    '/api/seen': (_, response) => {
      finishEvents()
      response.writeHead(204).end()
    },
    '/api/events': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
      response.write('data: first\n\n')
      finishEvents = () => response.end('data: second\n\n')
    },
    '/files/large.bin': giveParts,
    '/files/report.pdf': (request, response) => give(request, response, 'application/pdf', '%PDF-1.4'),
  }
  return (request, response) => {
    const { url = '', headers } = request
    response.once('finish', () => requests.push({ url, status: response.statusCode, cookie: headers.cookie }))
    if (url.endsWith('.gif')) give(request, response, 'image/gif', image)
    else if (answers[url]) answers[url](request, response)
    else response.writeHead(404).end()
  }
}

/** Compressed, where that is asked for. */
function give(request: IncomingMessage, response: ServerResponse, type: string, body: string | Buffer): void {
  response.setHeader('content-type', type)
  const isCompressed = /gzip/.test(String(request.headers['accept-encoding']))
  if (isCompressed) response.setHeader('content-encoding', 'gzip')
  response.end(isCompressed ? gzipSync(body) : body)
}

function giveParts(request: IncomingMessage, response: ServerResponse): void {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  response.setHeader('content-type', 'application/octet-stream')
  response.setHeader('accept-ranges', 'bytes')
  if (from === undefined) {
    response.end(large)
    return
  }
  response.setHeader('content-range', `bytes ${from}-${to}/${large.length}`)
  response.writeHead(206).end(large.subarray(Number(from), Number(to) + 1))
}

/** @returns the port of a service with everything on */
async function protect(requests: ServedRequest[]): Promise<number> {
  await management.call('POST', 'security-policies', { name: 'scripts', 'based-on': 'default' })
  await management.call('PUT', 'security-policies/scripts/cookie-security', {
    'tamper-proof-mode': 'Encrypted',
    'allow-unrecognized-cookies': 'Never',
  })
  await management.call('PUT', 'security-policies/scripts/url-protection', {
    'allowed-methods': ['GET', 'HEAD', 'POST', 'PUT'],
  })
  await management.call('PUT', 'security-policies/scripts/cloaking', { 'suppress-return-code': 'No' })
  const port = await management.protect('scripts', await application(app(requests)))
  await management.call('PUT', 'services/scripts/basic-security', {
    mode: 'Active',
    'web-firewall-policy': 'scripts',
  })
  await management.call('PUT', 'services/scripts/compression', { status: 'On' })
  await management.call('POST', 'services/scripts/url-encryption-rules', {
    name: 'everything',
    host: '*',
    url: '/*',
    'exclude-urls': [
      '/',
      '/favicon.ico',
      '/static/*',
      '/api/*',
      '/app/api/*',
      '/files/large.bin',
      '/worker.js',
    ],
  })
  await management.call('PUT', 'services/scripts/url-encryption', { status: 'On' })
  await management.untilHealth('services/scripts', 'Up')
  return port
}

async function open(page: Page): Promise<void> {
  await page.click('#open')
  await page.waitForFunction("document.title === 'Done'")
}

test('a page that is made by scripts works behind encrypted links and cookies', async () => {
  const requests: ServedRequest[] = []
  const port = await protect(requests)
  const context = await browser.newContext()
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  await page.goto(`http://scripts.localhost:${port}/`)
  await open(page)
  const echoed = { name: 'lamp', tags: ['a', 'b'], nested: { count: 3 } }
  assert.deepEqual(await page.evaluate('window.seen'), {
    list: ['<a href="/x">'],
    relative: 'relative',
    posted: echoed,
    put: echoed,
    missing: 404,
    part: [206, 'bytes 1000000-1000008/3000000', large.subarray(1_000_000, 1_000_009).toString()],
    whole: large.length,
    events: ['first', 'second'],
    worker: ['<a href="/x">'],
  })
  await page.waitForFunction("document.querySelector('#picture').naturalWidth === 1")
  assert.match(page.url(), /\/~enc~[\w-]+$/)

  const download = page.waitForEvent('download')
  await page.click('#file')
  assert.equal((await download).suggestedFilename(), 'report.pdf')

  await page.click('#back')
  await open(page)
  const views = () => requests.filter(({ url }) => url.startsWith('/app/view')).map(({ status }) => status)
  assert.deepEqual(views(), [200, 304])
  await page.click('#back')
  await page.locator('#open').waitFor()
  assert.deepEqual([...new Set(requests.slice(1).map(({ cookie }) => cookie))], ['session=secret'])
  await context.close()
})
