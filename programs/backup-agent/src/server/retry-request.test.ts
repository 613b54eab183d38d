import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ReplyBroken, RequestRefused } from './request-failure.ts'
import { retryRequest } from './retry-request.ts'

const retryPolicy = { firstMs: 1, largestMs: 2, giveUpAfterMs: 60_000 }
const { signal } = new AbortController()
const network = (code: string) => Object.assign(new Error(code), { code })

test('tries again after failures that pass', async () => {
  const failures = [
    network('ECONNREFUSED'),
    new RequestRefused(503, ''),
    new RequestRefused(429, ''),
    new ReplyBroken(''),
  ]
  let attempts = 0
  const result = await retryRequest(
    async () => {
      attempts++
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return 'done'
    },
    { signal, retryPolicy },
  )
  assert.deepEqual([result, attempts], ['done', 5])
})

test('takes a refusal for final, but for one that means something', async () => {
  const refuse = (status: number) => async () => {
    throw new RequestRefused(status, 'no')
  }
  await assert.rejects(retryRequest(refuse(403), { signal, retryPolicy }), {
    code: 'ServerUnreachable',
    message: /403: no/,
  })
  await assert.rejects(retryRequest(refuse(409), { signal, retryPolicy, expectedStatuses: [409] }), {
    status: 409,
  })
})

test('passes on what has nothing to do with the server', async () => {
  const defect = new TypeError('a defect')
  await assert.rejects(
    retryRequest(() => Promise.reject(defect), { signal, retryPolicy }),
    defect,
  )
})

test('gives up when the server cannot be reached for too long', async () => {
  const attempt = () => Promise.reject(network('ECONNREFUSED'))
  await assert.rejects(retryRequest(attempt, { signal, retryPolicy: { ...retryPolicy, giveUpAfterMs: 5 } }), {
    code: 'ServerUnreachable',
  })
})

test('stops when it is aborted, also in the middle of waiting', async () => {
  const abort = new AbortController()
  const waiting = retryRequest(() => Promise.reject(network('ECONNREFUSED')), {
    signal: abort.signal,
    retryPolicy: { firstMs: 60_000, largestMs: 60_000, giveUpAfterMs: 60_000 },
  })
  setImmediate(() => abort.abort())
  await assert.rejects(waiting, { name: 'AbortError' })
})
