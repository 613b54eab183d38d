import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, mock, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '@palisade/log'
import type { ProxySnapshot, SnapshotDownloadedBlocklist } from '@palisade/proxy-protocol'
import { AddressData, urlDigestOf } from '../address-data/address-data.ts'
import { BlocklistDownload } from './blocklist-download.ts'

const hourMs = 60 * 60_000

/** What the server of the list answers, and what it was asked with. */
let answer: { status: number; body?: string; etag?: string; location?: string }
let asked: IncomingHttpHeaders[]
const server = createServer(({ headers }, response) => {
  asked.push(headers)
  const { status, body, ...fields } = answer
  response.writeHead(status, fields).end(body)
})
let url: string
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`
})
after(() => server.close())

let folder: string
let stop: AbortController
let data: AddressData
beforeEach(() => {
  asked = []
  answer = { status: 200, body: '192.0.2.7\n' }
  folder = mkdtempSync(join(tmpdir(), 'palisade-blocklist-'))
  stop = new AbortController()
  data = new AddressData(folder)
})
afterEach(() => {
  stop.abort()
  mock.timers.reset()
  rmSync(folder, { recursive: true, force: true })
})

const sourceOf = (url: string): SnapshotDownloadedBlocklist => ({
  url,
  validatesCertificate: true,
  authorities: [],
})

function snapshotOf(source: SnapshotDownloadedBlocklist | undefined): Pick<ProxySnapshot, 'services'> {
  return { services: [{ checks: source && { downloadedBlocklist: source } }] } as unknown as ProxySnapshot
}

function started(source: SnapshotDownloadedBlocklist | undefined): BlocklistDownload {
  const download = new BlocklistDownload(folder, createLog('silent'))
  download.follow(snapshotOf(source))
  void download.run(() => data.load(), stop.signal)
  return download
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let count = 0; count < 100; count++) {
    if (isSo()) return
    await pause(100)
  }
  assert.fail(`it never came to ${what}`)
}

const blocks = (address: string, from = url) => data.isBlocked(urlDigestOf(from), address)

test('a list is downloaded, asked for again after an hour, and taken again only where it is another one', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  answer.etag = '"one"'
  started(sourceOf(url))
  assert.deepEqual(data.blocklistNotices(sourceOf(url)), [
    'Nobody is blocked by custom-ip-blocklist: it is not downloaded yet.',
  ])
  await until('a list', () => blocks('192.0.2.7'))
  assert.deepEqual(data.blocklistNotices(sourceOf(url)), [])
  answer = { status: 304 }
  mock.timers.tick(hourMs)
  await until('a second question', () => asked.length === 2)
  assert.equal(asked[1]?.['if-none-match'], '"one"')
  answer = { status: 200, body: '192.0.2.8\n# a remark\nnothing\n', etag: '"two"' }
  mock.timers.tick(hourMs)
  await until('another list', () => blocks('192.0.2.8') && !blocks('192.0.2.7'))
  assert.equal(asked.length, 3)
})

test('what is no list, or is not given, leaves the list of before, and the status says why', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  started(sourceOf(url))
  await until('a list', () => blocks('192.0.2.7'))
  let ran = 0
  for (const [wrong, reason] of [
    [{ status: 200, body: '<html>\n<title>Log in</title>\n' }, /line 1 and others name no addresses/],
    [{ status: 200, body: '# nothing\n' }, /names no address/],
    [{ status: 302, location: 'http://127.0.0.1/secret' }, /redirects to another address.*give that one/],
    [{ status: 404, body: '192.0.2.9\n' }, /status 404/],
    [{ status: 500 }, /status 500/],
    [{ status: 200, body: 'x'.repeat(17 * 1024 * 1024) }, /longer than 16777216 bytes/],
  ] as const) {
    answer = wrong
    mock.timers.tick(hourMs)
    await until(`${reason}`, () => reason.test(data.blocklistNotices(sourceOf(url)).join()))
    assert.match(
      data.blocklistNotices(sourceOf(url)).join(),
      /^The custom-ip-blocklist could not be updated, and the earlier one is still used: .*\.$/,
    )
    assert.ok(blocks('192.0.2.7'))
    ran++
  }
  assert.equal(ran, 6)
  answer = { status: 200, body: '192.0.2.7\n' }
  mock.timers.tick(hourMs)
  await until('no problem', () => data.blocklistNotices(sourceOf(url)).length === 0)
})

test('a name and a password of the URL are sent, and stand neither in the state nor in what is said', async () => {
  const secret = url.replace('//', '//reader:hunter2@')
  answer = { status: 403 }
  started(sourceOf(secret))
  await until('a refusal', () => /status 403/.test(data.blocklistNotices(sourceOf(secret)).join()))
  assert.equal(asked[0]?.authorization, `Basic ${Buffer.from('reader:hunter2').toString('base64')}`)
  const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  assert.doesNotMatch([...written, ...data.blocklistNotices(sourceOf(secret))].join(), /hunter2/)
})

test('nothing is downloaded from where the operator has forbidden it', async () => {
  const source = { ...sourceOf(url), forbidden: { networks: ['127.0.0.0/8'], endpoints: [] } }
  started(source)
  await until('a refusal', () => /has forbidden/.test(data.blocklistNotices(source).join()))
  assert.equal(asked.length, 0)
})

test('a list of another URL, or one that nobody wants any more, is forgotten', async () => {
  const download = started(sourceOf(url))
  await until('a list', () => blocks('192.0.2.7'))
  answer = { status: 503 }
  const other = `${url}-of-others`
  download.follow(snapshotOf(sourceOf(other)))
  await until('a problem', () => /status 503/.test(data.blocklistNotices(sourceOf(other)).join()))
  assert.ok(!blocks('192.0.2.7') && !blocks('192.0.2.7', other))
  download.follow(snapshotOf(undefined))
  await until('an empty folder', () => readdirSync(folder).length === 0)
})

test('a proxy that starts again has the list without its server, until that is due', async () => {
  started(sourceOf(url))
  await until('a list', () => blocks('192.0.2.7'))
  stop.abort()
  stop = new AbortController()
  data = new AddressData(folder)
  assert.ok(blocks('192.0.2.7'))
  started(sourceOf(url))
  await pause(2_500)
  assert.equal(asked.length, 1)
})
