import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, migrate, type Store } from '@palisade/platform'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import { Accounts } from '../accounts.ts'
import { emailMigrations } from '../tables.ts'
import { ScheduledLooks } from './scheduled-looks.ts'
import type { Verification } from './select-verifications.ts'
import { Verifications } from './verifications.ts'

/** More domains than are looked at together. */
const domainsCount = 40

const tidy = async () => undefined

onEveryStore('looks at many domains', (newStore) => {
  /** The verifications of as many domains, all of them due. */
  async function dueOn(store: Store) {
    const clock = settableClock()
    await migrate(store, 'email', emailMigrations)
    const domains = Array.from({ length: domainsCount }, (_, index) => ({
      id: index + 1,
      name: `d${index}.example`,
      status: 'UNVERIFIED' as const,
      type: 'ESS' as const,
    }))
    await new Accounts(store).provision([{ id: 'a', name: 'A', region: 'US', domains }], clock.now())
    clock.advance(15 * 60_000)
    return { clock, verifications: new Verifications(store) }
  }

  test('go on while some of them wait for an answer', async (t) => {
    const { clock, verifications } = await dueOn(await newStore())
    const answer = Promise.withResolvers<void>()
    const lookedAt = new Set<number>()
    const looks = {
      lookAt: async (verification: Verification) => {
        const isTaken = await verifications.take(verification, clock.now())
        if (!isTaken) return false
        lookedAt.add(verification.domainId)
        if (lookedAt.size <= 3) await answer.promise
        return true
      },
    }
    const scheduled = new ScheduledLooks({
      verifications,
      looks,
      tidy,
      clock,
      log: createLog('silent'),
      everyMs: 10,
    })
    await t.waitFor(() => assert.equal(lookedAt.size, domainsCount), { timeout: 60_000 })
    answer.resolve()
    await scheduled.close()
  })

  test('that fail are told in the log, and begun again later', async (t) => {
    const { clock, verifications } = await dueOn(await newStore())
    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    let failures = 3
    const lookedAt = new Set<number>()
    const looks = {
      lookAt: async (verification: Verification) => {
        if (failures-- > 0) throw new Error('the store is away')
        lookedAt.add(verification.domainId)
        return verifications.take(verification, clock.now())
      },
    }
    const scheduled = new ScheduledLooks({ verifications, looks, tidy, clock, log, everyMs: 10 })
    await t.waitFor(() => assert.equal(lookedAt.size, domainsCount), { timeout: 60_000 })
    await scheduled.close()
    assert.match(lines.join(''), /domains could not be looked at/)
    assert.match(lines.join(''), /the store is away/)
  })
})
