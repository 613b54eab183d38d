import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { MemoryCollectionStorage } from '@palisade/seclang'
import { loadRuleSets } from '../inspection/rule-sets.ts'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { requestVariants } from '../testing/request-variants/request-variants.ts'
import { requestOf, sendRequest } from '../testing/request-variants/send-variant.ts'

const attack = "1' UNION SELECT user,password FROM users-- "
const harmless = 'The quick brown fox'

/** The rules of Debian's modsecurity-crs and nothing else of the machine. */
function coreRuleSet(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'bodies-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const setup = join(folder, 'crs-setup.conf')
  // Rules refuse what is compressed as soon as they see its headers; the reader is to see it.
  const settings = "setvar:tx.crs_setup_version=334,setvar:'tx.restricted_headers=/proxy/'"
  writeFileSync(setup, `SecAction "id:900990,phase:1,nolog,pass,t:none,${settings}"\n`)
  return loadRuleSets(
    { named: { setup, folder: '/usr/share/modsecurity-crs/rules' }, withoutRules: 'refuse' },
    { of: () => new MemoryCollectionStorage() },
  )
}

/** An application that keeps what reaches it. */
async function protectedApplication(t: TestContext, mode: 'active' | 'passive' = 'active') {
  const rules = coreRuleSet(t)
  assert.ok('active' in rules)
  const reached: Buffer[] = []
  const proxy = await carried(t, {
    application: (incoming, response) => {
      const chunks: Buffer[] = [Buffer.from(incoming.url ?? '')]
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        chunks.push(Buffer.from(Object.values(incoming.trailers).join('')))
        reached.push(Buffer.concat(chunks))
        response.end('served')
      })
    },
    rules,
    policy: testPolicy(),
    service: { inspection: { mode }, checks: testChecks() },
  })
  return { ...proxy, reached }
}

test('one attack is refused in every variant of requests, and nothing of it reaches the application', async (t) => {
  const { port, reached } = await protectedApplication(t)
  const wrong: string[] = []
  let ran = 0
  for (const variant of requestVariants) {
    reached.length = 0
    const status = await sendRequest(port, requestOf(variant, attack))
    const isRefused = status >= 400 && reached.length === 0
    if (isRefused !== (variant.carriedSince === undefined)) wrong.push(`${variant.name}: ${status}`)
    ran++
  }
  assert.deepEqual(wrong, [])
  assert.ok(ran >= 380 && new Set(requestVariants.map(({ name }) => name)).size === ran, `${ran} ran`)
  t.diagnostic(`${ran} variants`)
})

test('what clients send in earnest passes in every variant of requests, as it is', async (t) => {
  const { port, reached, exchanges } = await protectedApplication(t)
  const wrong: string[] = []
  const ordinary = requestVariants.filter(({ isOrdinary }) => isOrdinary)
  let ran = 0
  for (const variant of ordinary) {
    reached.length = 0
    const sent = requestOf(variant, harmless)
    const status = await sendRequest(port, sent)
    const expected = Buffer.concat([Buffer.from(sent.target), sent.body ?? Buffer.alloc(0)])
    if (status !== 200 || !reached[0]?.equals(expected)) {
      const { violations, transaction } = exchanges.at(-1) ?? {}
      const why = [
        ...(violations ?? []).map(({ detail }) => detail),
        ...(transaction?.matches ?? []).map(({ ruleId }) => ruleId),
      ]
      wrong.push(`${variant.name}: ${status} ${why.join(' ')}`)
    }
    ran++
  }
  assert.deepEqual(wrong, [])
  assert.ok(ran >= 160 && ran === ordinary.length, `${ran} ran`)
})

test('a trailer ends at the proxy, with an attack in it', async (t) => {
  const { port, reached } = await protectedApplication(t)
  const trailers = () => ({ 'X-Note': attack })
  const sent = requestOf({ name: 'trailer', isOrdinary: false, body: () => 'id=1', trailers }, attack)
  assert.equal(await sendRequest(port, sent), 200)
  assert.deepEqual(reached.map(String), ['/id=1'])
})
