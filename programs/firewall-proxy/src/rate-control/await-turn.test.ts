import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { emptyRuleSets } from '../testing/rules.ts'

/** A service that serves one request at once and lets one more of a client wait; answers are given when a test wants it. */
async function crowded(t: TestContext, mode: 'active' | 'passive') {
  const open: ServerResponse[] = []
  const requestPool = { name: 'pool', activeMax: 1, backlogMax: 1, clientsMax: 10, preferred: [] }
  const proxy = await carried(t, {
    application: (_, response) => open.push(response),
    service: { inspection: { mode }, checks: testChecks({ requestPool }) },
    rules: emptyRuleSets,
    policy: testPolicy(),
  })
  const ask = () => fetch(`http://127.0.0.1:${proxy.port}/`).then(({ status }) => status)
  const until = async (count: number) => {
    while (open.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const answer = () => open.shift()?.end('served')
  return { ...proxy, open, ask, until, answer }
}

const moment = () => new Promise((resolve) => setTimeout(resolve, 100))

test('a request waits for its turn, and one more is refused', async (t) => {
  const { ask, until, answer, open, exchanges } = await crowded(t, 'active')
  const first = ask()
  await until(1)
  const second = ask()
  await moment()
  assert.equal(open.length, 1, 'the second waits')
  assert.equal(await ask(), 403)
  assert.equal(exchanges[0]?.violations[0]?.attack, 'rate-control-intrusion')
  answer()
  assert.equal(await first, 200)
  await until(1)
  answer()
  assert.equal(await second, 200)
})

test('a client that goes away while it waits takes nobody’s turn', async (t) => {
  const { ask, until, answer, port } = await crowded(t, 'active')
  const first = ask()
  await until(1)
  const impatient = connect(port, '127.0.0.1')
  impatient.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await moment()
  impatient.destroy()
  await moment()
  const third = ask()
  await moment()
  answer()
  assert.equal(await first, 200)
  await until(1)
  answer()
  assert.equal(await third, 200)
})

test('a service that does not block lets nobody wait', async (t) => {
  const { ask, until, answer } = await crowded(t, 'passive')
  const all = [ask(), ask(), ask()]
  await until(3)
  for (const _ of all) answer()
  assert.deepEqual(await Promise.all(all), [200, 200, 200])
})
