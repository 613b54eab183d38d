import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, JobRunner, migrate, type Store } from '@palisade/platform'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import { Accounts } from '../accounts.ts'
import { emailMigrations } from '../migrations.ts'
import { DomainChecks } from './domain-checks.ts'
import type { Verification } from './select-verifications.ts'
import { Verifications } from './verifications.ts'

/** More domains than are checked together. */
const domainsCount = 40

onEveryStore('checks of many domains', (newStore) => {
  /** As many domains, all of them due, and a service that checks them in the way that a test says. */
  async function dueOn(store: Store, check: (verification: Verification) => Promise<void>) {
    const clock = settableClock()
    await migrate(store, 'email', emailMigrations)
    const domains = Array.from({ length: domainsCount }, (_, index) => ({
      id: index + 1,
      name: `d${index}.example`,
      status: 'UNVERIFIED' as const,
      type: 'ESS' as const,
    }))
    await new Accounts(store).provision([{ id: 'a', name: 'A', region: 'US', domains }], clock.now(), null)
    clock.advance(15 * 60_000)
    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    const verifications = new Verifications(store)
    const checks = new DomainChecks({ verifications, clock, log, nameServers: [], mailHost: undefined })
    checks.run = check
    const runner = new JobRunner({
      name: 'a check of a domain',
      jobs: checks,
      clock,
      log,
      pollIntervalMs: 10,
      concurrencyMax: 16,
    })
    return { clock, verifications, runner, lines }
  }

  test('go on while some of them wait for an answer', async (t) => {
    const answer = Promise.withResolvers<void>()
    const checked = new Set<number>()
    const { runner } = await dueOn(await newStore(), async ({ domainId }) => {
      checked.add(domainId)
      if (checked.size <= 3) await answer.promise
    })
    await t.waitFor(() => assert.equal(checked.size, domainsCount), { timeout: 60_000 })
    answer.resolve()
    await runner.close()
  })

  test('that fail are told in the log, and begun again a minute later', async (t) => {
    let failures = 3
    const checked = new Set<number>()
    const { clock, runner, lines } = await dueOn(await newStore(), async ({ domainId }) => {
      if (failures-- > 0) throw new Error('the store is away')
      checked.add(domainId)
    })
    await t.waitFor(() => assert.equal(checked.size, domainsCount - 3), { timeout: 60_000 })
    clock.advance(60_000)
    await t.waitFor(() => assert.equal(checked.size, domainsCount), { timeout: 60_000 })
    await runner.close()
    assert.equal(lines.length, 3)
    assert.match(lines.join(''), /the store is away.*a check of a domain failed/)
  })
})
