import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failuresMax, failureWindowMs } from '@palisade/platform'
import { onEveryStore, send } from '@palisade/platform/testing'
import { credentials, refusalOf, serveAwareness } from './test-service.ts'

onEveryStore('guessing at authenticate', (newStore) => {
  test('ends in 429 for the address, with Retry-After, and costs the user nothing', async () => {
    const served = await serveAwareness(await newStore())
    for (let time = 0; time < failuresMax; time++) {
      const wrong = time % 2 === 0 ? { api_key: `guess ${time}` } : { sso: 'oauth2' }
      assert.equal((await served.authenticate({ ...credentials, ...wrong })).status, 401)
    }
    const { status, json, headers } = await served.authenticate(credentials)
    assert.deepEqual([status, headers['retry-after']], [429, '900'])
    const reason = 'Too many failed authentications from this address. Wait and try again.'
    assert.deepEqual(json, refusalOf(429, 'TooManyRequests', reason))

    const elsewhere = await served.authenticate(credentials, { from: '127.0.0.2' })
    assert.equal(elsewhere.status, 200)
    assert.equal(elsewhere.json.notifications['Your API calls in the last hour'], 1)
    served.clock.advance(failureWindowMs)
    assert.equal((await served.authenticate(credentials)).status, 200)
    await served.close()
  })

  test('does not keep tokens from being used at the same address', async () => {
    const served = await serveAwareness(await newStore())
    const token = await served.tokenFor(credentials)
    for (let time = 0; time <= failuresMax; time++)
      await served.authenticate({ ...credentials, api_key: 'x' })
    assert.equal((await served.authenticate(credentials)).status, 429)
    assert.equal((await send(`${served.baseUrl}/campaigns?access_token=${token}`)).status, 200)
    await served.close()
  })
})
