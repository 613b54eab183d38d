import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry } from '../audit/audit-log.ts'
import { withRequiredScope } from '../openapi/with-security.ts'
import { RequestRefused } from '../refusal.ts'
import { send } from '../testing/send.ts'
import { serveOnLoopback } from '../testing/serve.ts'
import { noteChange } from './audited-requests.ts'
import { markAuthenticated } from './unknown-callers.ts'

test('what a client changes is written before he is answered, without secrets; what he reads or is refused is not', async () => {
  const entries: AuditEntry[] = []
  const client = (scope: string) =>
    withRequiredScope(scope, async (request: Parameters<typeof markAuthenticated>[0]) =>
      markAuthenticated(request, { kind: 'client', name: 'ci' }),
    )
  const served = await serveOnLoopback(
    {
      name: 'towns',
      title: 'Towns',
      basePath: '/towns',
      envelope: ({ message }) => ({ body: { message } }),
      routes: async (scope) => {
        const writing = { onRequest: client('towns_write') }
        scope.post(
          '/streets',
          { ...writing, schema: { operationId: 'createStreet' } },
          async (_request, reply) => reply.code(201).send({ made: true }),
        )
        scope.patch('/streets/:street', writing, async (request) => {
          const owner = { name: 'Ada', password: 's3cret' }
          noteChange(request, { before: { name: 'Lane', owner }, after: { name: 'Street', owner } })
          return { changed: true }
        })
        scope.delete('/houses/:house', writing, async (request) => {
          noteChange(request, { before: { number: 1 }, after: null })
          throw new RequestRefused('conflict', 'Somebody lives there.')
        })
        scope.post('/ask', { onRequest: client('towns_read') }, async () => ({ answer: 1 }))
        scope.get('/streets', writing, async () => [])
        scope.delete('/streets/:street', writing, async () => {
          throw new RequestRefused('conflict', 'Somebody lives there.')
        })
        scope.put('/anybody', async () => ({ done: true }))
      },
    },
    { audit: async (entry) => void entries.push(entry) },
  )
  try {
    const body = { name: 'Long Lane', owner: { password: 's3cret' }, keys: [{ token: 's3cret' }] }
    assert.equal((await send(`${served.baseUrl}/streets?token=s3cret`, { method: 'POST', body })).status, 201)
    await send(`${served.baseUrl}/ask`, { method: 'POST', body: {} })
    await send(`${served.baseUrl}/streets`)
    await send(`${served.baseUrl}/streets/1`, { method: 'DELETE' })
    await send(`${served.baseUrl}/houses/1`, { method: 'DELETE' })
    await send(`${served.baseUrl}/anybody`, { method: 'PUT', body: {} })
    assert.deepEqual(entries, [
      {
        actor: { kind: 'client', name: 'ci', address: '127.0.0.1' },
        service: 'towns',
        action: 'createStreet',
        target: '/towns/streets',
        before: null,
        after: { name: 'Long Lane', owner: { password: '[redacted]' }, keys: [{ token: '[redacted]' }] },
      },
    ])
    await send(`${served.baseUrl}/streets`, { method: 'POST', body: { text: 'x'.repeat(20_000) } })
    assert.deepEqual(entries[1]?.after, { note: 'this was longer than 16 KiB' })
    assert.equal(
      (await send(`${served.baseUrl}/streets/1`, { method: 'PATCH', body: { name: 'Street' } })).status,
      200,
    )
    const owner = { name: 'Ada', password: '[redacted]' }
    const { before, after, target } = entries[2] ?? {}
    assert.deepEqual(
      { before, after, target },
      {
        before: { name: 'Lane', owner },
        after: { name: 'Street', owner },
        target: '/towns/streets/1',
      },
    )
    assert.equal(entries.length, 3)
  } finally {
    await served.close()
  }
})
