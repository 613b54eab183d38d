import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { SnapshotPolicy } from '@palisade/proxy-protocol'
import { MemoryCollectionStorage } from '@palisade/seclang'
import type { Exchange } from '../exchange/exchange.ts'
import { loadRuleSets, type RuleSets } from '../inspection/rule-sets.ts'
import { carried } from './carried.ts'
import { testChecks, testPolicy } from './policies.ts'

/** The rules of Debian's modsecurity-crs and ours, and nothing else of the machine. */
export function coreRuleSet(t: TestContext): RuleSets {
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

/** An application behind an Active service that is judged by these rules, and keeps what reaches it: target, body and trailers. */
export async function protectedApplication(
  t: TestContext,
  policy: SnapshotPolicy = testPolicy(),
): Promise<{
  readonly port: number
  readonly reached: Buffer[]
  readonly exchanges: Exchange[]
}> {
  const reached: Buffer[] = []
  const { port, exchanges } = await carried(t, {
    application: (incoming, response) => {
      const chunks: Buffer[] = [Buffer.from(incoming.url ?? '')]
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        chunks.push(Buffer.from(Object.values(incoming.trailers).join('')))
        reached.push(Buffer.concat(chunks))
        response.end('served')
      })
    },
    rules: coreRuleSet(t),
    policy,
    service: { inspection: { mode: 'active' }, checks: testChecks() },
  })
  return { port, reached, exchanges }
}

/** What was found wrong with a request: attacks, and rules by their numbers. */
export function foundIn({ violations, transaction }: Exchange): readonly (string | number)[] {
  return [
    ...violations.map(({ attack }) => attack),
    ...(transaction?.matches ?? []).map(({ ruleId }) => ruleId),
  ]
}
