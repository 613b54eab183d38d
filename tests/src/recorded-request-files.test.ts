import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { bodyOf, parts } from './ordinary-traffic/recorded-request.ts'
import { requestsInFiles } from './ordinary-traffic/request-files.ts'
import { newFolder } from './support/programs/server.ts'

const folder = newFolder()
after(() => rmSync(folder, { recursive: true }))

test('reads requests from HAR files and JSON lines as clients sent them', () => {
  const entry = (request: object) => ({ startedDateTime: '2026-01-01T00:00:00Z', request })
  const shop = [
    entry({
      method: 'POST',
      url: 'https://shop.example/cart?näme=1#top',
      headers: [
        { name: ':authority', value: 'shop.example' },
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Content-Length', value: '999' },
      ],
      postData: { mimeType: 'application/json', text: '{"name":"Käse"}' },
    }),
    entry({
      method: 'post',
      url: 'https://shop.example/login',
      headers: [{ name: 'Content-Type', value: 'application/x-www-form-urlencoded' }],
      postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'user', value: 'a b' }] },
    }),
    entry({ method: 'CONNECT', url: 'https://shop.example/', headers: [] }),
    entry({ method: 'GET', url: 'data:image/gif;base64,R0lGOD', headers: [] }),
  ]
  writeFileSync(join(folder, 'shop.har'), `\ufeff${JSON.stringify({ log: { entries: shop } })}`)
  writeFileSync(
    join(folder, 'more.jsonl'),
    `${JSON.stringify({ method: 'PUT', url: 'http://shop.example', headers: { Accept: '*/*' }, body: '/wA=', encoding: 'base64' })}\n\n`,
  )
  writeFileSync(join(folder, 'notes.txt'), 'no requests')

  const all = requestsInFiles(folder)
  const requests = parts.flatMap((part) => all[part])
  assert.deepEqual(
    requests.map(({ method, target, headers }) => [method, target, ...headers]),
    [
      ['PUT', '/', 'Host', 'shop.example', 'Accept', '*/*', 'Content-Length', '2'],
      [
        ...['POST', '/cart?n%C3%A4me=1', 'Host', 'shop.example'],
        ...['Content-Type', 'application/json', 'Content-Length', '16'],
      ],
      [
        ...['POST', '/login', 'Host', 'shop.example'],
        ...['Content-Type', 'application/x-www-form-urlencoded', 'Content-Length', '8'],
      ],
    ],
  )
  assert.deepEqual(
    requests.map((request) => bodyOf(request).toString('latin1')),
    ['\xff\0', Buffer.from('{"name":"Käse"}').toString('latin1'), 'user=a+b'],
  )
  assert.ok(
    parts.some((part) => all[part].length === 0),
    'one host is in one part',
  )
})
