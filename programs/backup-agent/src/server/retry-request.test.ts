import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressInUse, leaveAddress, serverAddresses } from './addresses.ts'
import { ReplyBroken, RequestRefused } from './request-failure.ts'
import { retryRequest } from './retry-request.ts'

const retryPolicy = { firstMs: 1, largestMs: 2, giveUpAfterMs: 60_000 }
const { signal } = new AbortController()
const addresses = serverAddresses(['https://one/backup'])
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
    { signal, retryPolicy, addresses },
  )
  assert.deepEqual([result, attempts], ['done', 5])
})

test('takes a refusal for final, but for one that means something', async () => {
  const refuse = (status: number) => async () => {
    throw new RequestRefused(status, 'no')
  }
  await assert.rejects(retryRequest(refuse(403), { signal, retryPolicy, addresses }), {
    code: 'ServerUnreachable',
    message: /403: no/,
  })
  await assert.rejects(
    retryRequest(refuse(409), { signal, retryPolicy, addresses, expectedStatuses: [409] }),
    {
      status: 409,
    },
  )
})

test('passes on what has nothing to do with the server', async () => {
  const defect = new TypeError('a defect')
  await assert.rejects(
    retryRequest(() => Promise.reject(defect), { signal, retryPolicy, addresses }),
    defect,
  )
})

test('gives up when the server cannot be reached for too long', async () => {
  const attempt = () => Promise.reject(network('ECONNREFUSED'))
  await assert.rejects(
    retryRequest(attempt, { signal, addresses, retryPolicy: { ...retryPolicy, giveUpAfterMs: 5 } }),
    {
      code: 'ServerUnreachable',
    },
  )
})

test('stops when it is aborted, also in the middle of waiting', async () => {
  const abort = new AbortController()
  const waiting = retryRequest(() => Promise.reject(network('ECONNREFUSED')), {
    signal: abort.signal,
    addresses,
    retryPolicy: { firstMs: 60_000, largestMs: 60_000, giveUpAfterMs: 60_000 },
  })
  setImmediate(() => abort.abort())
  await assert.rejects(waiting, { name: 'AbortError' })
})

test('tries each other address at once, and waits only before the next round', async () => {
  const several = serverAddresses(['https://one/backup', 'https://two/backup', 'https://three/backup'])
  const tried: string[] = []
  const attempt = async () => {
    const url = addressInUse(several)
    tried.push(url)
    leaveAddress(several, url)
    // Of the kinds that one server alone ends a request with for good.
    throw tried.length === 2 ? network('CERT_HAS_EXPIRED') : network('ECONNREFUSED')
  }
  const abort = new AbortController()
  const waitsForHours = { firstMs: 10_000_000, largestMs: 10_000_000, giveUpAfterMs: 60_000 }
  const trying = retryRequest(attempt, {
    signal: abort.signal,
    retryPolicy: waitsForHours,
    addresses: several,
  })
  setImmediate(() => abort.abort())
  await assert.rejects(trying, { name: 'AbortError' })
  assert.deepEqual(tried, several.urls)
})

test('a certificate that is not trusted ends a request when no server shows another', async () => {
  const several = serverAddresses(['https://one/backup', 'https://two/backup'])
  let attempts = 0
  const attempt = async () => {
    attempts++
    leaveAddress(several, addressInUse(several))
    throw network('CERT_HAS_EXPIRED')
  }
  await assert.rejects(retryRequest(attempt, { signal, retryPolicy, addresses: several }), {
    code: 'CERT_HAS_EXPIRED',
  })
  assert.equal(attempts, 2)
})
