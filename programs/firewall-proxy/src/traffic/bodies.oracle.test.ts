import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { MemoryCollectionStorage } from '@palisade/seclang'
import { loadRuleSets } from '../inspection/rule-sets.ts'
import { type Dress, dresses } from '../testing/bodies/dresses.ts'
import { carried } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'

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

interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: Buffer | undefined
}

function dressed(dress: Dress, value: string): Sent {
  const content = dress.body?.(value)
  const body = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  const framing = dress.isChunked
    ? ['Transfer-Encoding', 'chunked']
    : body === undefined
      ? []
      : ['Content-Length', `${body.length}`]
  return {
    method: dress.method ?? (body === undefined ? 'GET' : 'POST'),
    target: dress.target?.(value) ?? '/',
    headers: [
      ...['Host', 'shop.example', 'User-Agent', 'Mozilla/5.0 (X11; Linux x86_64)', 'Accept', '*/*'],
      ...(dress.headers ?? []),
      ...framing,
    ],
    body,
  }
}

function send(port: number, { method, target, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path: target,
      headers: [...headers],
      agent: false,
    })
    sent.on('response', (reply: IncomingMessage) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test('one attack is refused in every dress, and nothing of it reaches the application', async (t) => {
  const { port, reached } = await protectedApplication(t)
  const wrong: string[] = []
  let ran = 0
  for (const dress of dresses) {
    reached.length = 0
    const status = await send(port, dressed(dress, attack))
    const isRefused = status >= 400 && reached.length === 0
    if (isRefused !== (dress.carriedSince === undefined)) wrong.push(`${dress.name}: ${status}`)
    ran++
  }
  assert.deepEqual(wrong, [])
  assert.ok(ran >= 110 && new Set(dresses.map(({ name }) => name)).size === ran, `${ran} ran`)
  t.diagnostic(`${ran} dresses`)
})

test('what clients send in earnest passes in every dress, as it is', async (t) => {
  const { port, reached, exchanges } = await protectedApplication(t)
  const wrong: string[] = []
  const ordinary = dresses.filter(({ isOrdinary }) => isOrdinary)
  let ran = 0
  for (const dress of ordinary) {
    reached.length = 0
    const sent = dressed(dress, harmless)
    const status = await send(port, sent)
    const expected = Buffer.concat([Buffer.from(sent.target), sent.body ?? Buffer.alloc(0)])
    if (status !== 200 || !reached[0]?.equals(expected)) {
      const { violations, transaction } = exchanges.at(-1) ?? {}
      const why = [
        ...(violations ?? []).map(({ detail }) => detail),
        ...(transaction?.matches ?? []).map(({ ruleId }) => ruleId),
      ]
      wrong.push(`${dress.name}: ${status} ${why.join(' ')}`)
    }
    ran++
  }
  assert.deepEqual(wrong, [])
  assert.ok(ran >= 60 && ran === ordinary.length, `${ran} ran`)
})
