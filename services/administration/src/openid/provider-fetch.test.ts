import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { serverCertificate } from '@palisade/platform'
import { memoryDirectory } from '@palisade/platform/testing'
import { providerFetch } from './provider-fetch.ts'

const directory = memoryDirectory('palisade-provider-')
const get = { method: 'GET', headers: {}, body: undefined, redirect: 'manual' } as const
let server: ReturnType<typeof createServer>
let certificate: string
let address: string

before(async () => {
  const { cert, key } = await serverCertificate(directory, undefined, ['127.0.0.1'])
  certificate = cert
  server = createServer({ cert, key }, (request, response) => {
    if (request.url === '/endless') {
      const piece = Buffer.alloc(65_536)
      const more = () => {
        while (response.write(piece));
      }
      response.on('drain', more)
      more()
      return
    }
    if (request.url === '/moved') response.writeHead(302, { location: '/' })
    response.end(request.url)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  server.close()
  server.closeAllConnections()
  rmSync(directory, { recursive: true })
})

test('a provider is asked whose authority is configured, and no other', async () => {
  const answer = await providerFetch([certificate])(`${address}/there`, get)
  assert.deepEqual([answer.status, await answer.text()], [200, '/there'])
  await assert.rejects(providerFetch([])(`${address}/there`, get), /self-signed certificate/)
})

test('a provider that redirects is not followed, and an answer without an end is not waited for', async () => {
  assert.equal((await providerFetch([certificate])(`${address}/moved`, get)).status, 302)
  await assert.rejects(providerFetch([certificate])(`${address}/endless`, get), /longer than/)
})
