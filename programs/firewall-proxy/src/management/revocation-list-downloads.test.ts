import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, mock, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLog } from '@palisade/log'
import type { ProxySnapshot, SnapshotClientCertificates } from '@palisade/proxy-protocol'
import { RevocationLists } from '../revocation/revocation-lists.ts'
import { CertificateAuthority } from '../testing/certificate-authority.ts'
import { RevocationListDownloads } from './revocation-list-downloads.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Noon, so that an update at two o'clock is fourteen hours away. */
const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2

let answer: { status: number; body?: Buffer }
let askedCount = 0
const server = createServer((_, response) => {
  askedCount++
  response.writeHead(answer.status).end(answer.body)
})
const workFolder = mkdtempSync(join(tmpdir(), 'palisade-revocation-'))
let url: string
let authority: CertificateAuthority
before(async () => {
  authority = CertificateAuthority.create(workFolder, 'root')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list`
})
after(() => {
  server.close()
  rmSync(workFolder, { recursive: true })
})

let folder: string
let lists: RevocationLists
let stop: AbortController
beforeEach(() => {
  askedCount = 0
  folder = mkdtempSync(join(workFolder, 'lists-'))
  lists = new RevocationLists(folder)
  stop = new AbortController()
  mock.timers.enable({ apis: ['Date'], now: noon })
})
afterEach(() => {
  stop.abort()
  mock.timers.reset()
})

const clientsOf = (more: object = {}): SnapshotClientCertificates => ({
  areRequired: true,
  authorities: [authority.own.certificate],
  revocationLists: [
    {
      name: 'list',
      url,
      isUpdated: true,
      interval: 'day',
      dayOfMonth: 1,
      dayOfWeek: 0,
      secondOfDay: 2 * 3600,
      retriesMax: 2,
      ...more,
    },
  ],
})

function started(clients: SnapshotClientCertificates | undefined): RevocationListDownloads {
  const downloads = new RevocationListDownloads(folder, createLog('silent'))
  downloads.follow(snapshotOf(clients))
  void downloads.run(() => lists.load(), stop.signal)
  return downloads
}

function snapshotOf(clients: SnapshotClientCertificates | undefined): Pick<ProxySnapshot, 'services'> {
  return { services: [{ name: 'shop', tls: { clients } }] } as unknown as ProxySnapshot
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let count = 0; count < 200; count++) {
    if (isSo()) return
    await pause(50)
  }
  assert.fail(`it never came to ${what}`)
}

const noticesOf = (clients: SnapshotClientCertificates) => lists.notices('shop', clients, Date.now()).join()
const madeAt = (clients: SnapshotClientCertificates) => lists.of('shop', clients)?.[0]?.list.madeAt
const listMade = (time: number, expiresAt = time + 5 * dayMs) => ({
  status: 200,
  body: authority.list({ madeAt: time, expiresAt }),
})

test('a list is updated at its time, never by an older one, and tried again as often as is said', async () => {
  const clients = clientsOf()
  answer = listMade(noon - dayMs)
  started(clients)
  await until('a list', () => madeAt(clients) === noon - dayMs)
  assert.equal(noticesOf(clients), '')
  mock.timers.tick(13 * 60 * minuteMs)
  await pause(2_500)
  assert.equal(askedCount, 1, 'it is not two o’clock')

  answer = listMade(noon - 2 * dayMs)
  mock.timers.tick(60 * minuteMs)
  await until('a refusal', () =>
    /the earlier list still counts: it is older than the one that is there/.test(noticesOf(clients)),
  )
  assert.equal(madeAt(clients), noon - dayMs)
  for (const count of [3, 4]) {
    mock.timers.tick(minuteMs)
    await until('another try', () => askedCount === count)
  }
  mock.timers.tick(10 * minuteMs)
  await pause(2_500)
  assert.equal(askedCount, 4, 'it was tried twice more')
  answer = listMade(noon)
  mock.timers.tick(dayMs)
  await until('the next update', () => madeAt(clients) === noon && noticesOf(clients) === '')
})

test('a list that is there counts until it expires, also when the proxy starts again, and is then asked for', async () => {
  const clients = clientsOf()
  answer = listMade(noon - minuteMs, noon + 60 * minuteMs)
  started(clients)
  await until('a list', () => madeAt(clients) !== undefined)
  stop.abort()
  stop = new AbortController()
  answer = { status: 503 }
  lists = new RevocationLists(folder)
  started(clients)
  await pause(2_500)
  assert.equal(askedCount, 1)
  assert.equal(madeAt(clients), noon - minuteMs)
  mock.timers.tick(60 * minuteMs)
  await until('a question', () => askedCount === 2)
  await until('a notice', () => /has expired, at .*are refused.*status 503/s.test(noticesOf(clients)))
  answer = listMade(Date.now())
  mock.timers.tick(5 * minuteMs)
  await until('a newer list', () => noticesOf(clients) === '')
})

test('without updates an expired list is not asked for again, which the notices say', async () => {
  const clients = clientsOf({ isUpdated: false })
  answer = listMade(noon - minuteMs, noon + minuteMs)
  started(clients)
  await until('a list', () => madeAt(clients) !== undefined)
  mock.timers.tick(2 * minuteMs)
  await until('a notice', () => /has expired, .* auto-update is No\./.test(noticesOf(clients)))
  assert.equal(askedCount, 1)
})

test('a list that an authority has signed which is not trusted any more is not taken up, and what nobody names is removed', async () => {
  const clients = clientsOf()
  answer = listMade(noon - minuteMs)
  const downloads = started(clients)
  await until('a list', () => madeAt(clients) !== undefined)
  const other = CertificateAuthority.create(folder, 'other')
  rmSync(join(folder, 'other'), { recursive: true })
  const changed = { ...clients, authorities: [other.own.certificate] }
  downloads.follow(snapshotOf(changed))
  await until('a notice', () =>
    /are refused until .*none of the trusted-certificates has signed it/.test(noticesOf(changed)),
  )
  downloads.follow(snapshotOf(undefined))
  await until('an empty folder', () => readdirSync(folder).length === 0)
})
