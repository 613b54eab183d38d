import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OpenApiDocument } from './firewall-fuzz/described-operations.ts'
import { FuzzedFirewall, type Outcome } from './firewall-fuzz/fuzzed-firewall.ts'
import { cleanUp, provisioned, Server } from './support/programs/server.ts'

after(cleanUp)

/** How many requests a seed stands for. */
const requestsPerSeed = 2_000

/** What every run of the tests sends. Seeds that once found something stay here, with what they found. */
const seeds = [
  20_261_121,
  // Members of category=operational that were not described.
  1_033,
  // An object whose name is a blank, to which no address leads.
  1_040,
]

/** FIREWALL_FUZZ_REQUESTS=100000 sends that many instead, from other seeds, and holds every request to a second. */
const longRequests = Number(process.env.FIREWALL_FUZZ_REQUESTS ?? 0)
const slowestMsMax = 1_000

for (const seed of seeds) {
  test(`${requestsPerSeed} generated requests of seed ${seed} are answered as the document says`, async () => {
    const { outcome, operations } = await fuzz(seed, requestsPerSeed)
    assertNothingFound(outcome)
    assert.ok(outcome.requests >= requestsPerSeed * 0.95, `${outcome.requests} requests`)
    const share = outcome.succeeded.size / operations
    assert.ok(share > 0.4, `only ${outcome.succeeded.size} of ${operations} operations were ever carried out`)
    for (const status of [200, 201, 400, 401, 404, 406, 415]) {
      assert.ok((outcome.statuses[status] ?? 0) > 0, `no reply had status ${status}`)
    }
  })
}

if (longRequests > 0) {
  test(`${longRequests} more requests are, each within a second`, async (t) => {
    let sent = 0
    for (let seed = 1; sent < longRequests; seed++) {
      const { outcome } = await fuzz(seed, requestsPerSeed)
      sent += outcome.requests
      const [slowest] = outcome.slowest
      t.diagnostic(`seed ${seed}: ${sent} requests, the slowest took ${slowest?.ms} ms: ${slowest?.request}`)
      assertNothingFound(outcome)
      assert.ok((slowest?.ms ?? 0) < slowestMsMax, `${slowest?.ms} ms: ${slowest?.request}`)
    }
  })
}

/** Sends the requests of a seed to a fresh server. */
async function fuzz(seed: number, requests: number): Promise<{ outcome: Outcome; operations: number }> {
  const server = await Server.start()
  try {
    const [login] = provisioned.firewall.administrators
    assert.ok(login)
    const document = (await (
      await fetch(`${server.services}/openapi/firewall.json`)
    ).json()) as OpenApiDocument
    const firewall = new FuzzedFirewall({ baseUrl: server.firewall, document, login })
    try {
      await firewall.run(seed, requests)
    } finally {
      firewall.close()
    }
    return { outcome: firewall.outcome, operations: firewall.operations.length }
  } finally {
    await server.remove()
  }
}

function assertNothingFound({ findings }: Outcome): void {
  const lines = findings.slice(0, 10).map(({ seed, index, request, reply, faults }) => {
    return `seed ${seed}, request ${index}: ${faults.join('; ')}\n  ${request}\n  ${reply}`
  })
  assert.equal(findings.length, 0, `${findings.length} findings:\n${lines.join('\n')}`)
}
