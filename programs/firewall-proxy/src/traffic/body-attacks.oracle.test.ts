import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttackSort } from '../testing/body-attacks/body-attack.ts'
import { inDisguises } from '../testing/body-attacks/in-disguises.ts'
import { inExploits } from '../testing/body-attacks/in-exploits.ts'
import { inFiles } from '../testing/body-attacks/in-files.ts'
import { inLanguages } from '../testing/body-attacks/in-languages.ts'
import { inPayloads } from '../testing/body-attacks/in-payloads.ts'
import { inDocuments, inValues } from '../testing/body-attacks/in-values.ts'
import { allAttackTypes, testPolicy } from '../testing/policies.ts'
import { foundIn, protectedApplication } from '../testing/protected-application.ts'
import type { RequestVariant } from '../testing/request-variants/request-variant.ts'
import { requestOf, sendRequest } from '../testing/request-variants/send-variant.ts'

type Application = Awaited<ReturnType<typeof protectedApplication>>

/** Those requests that do not end as they should, with what was found in them. */
async function wrongOf(
  { port, reached, exchanges }: Application,
  variants: readonly RequestVariant[],
  isRefused: boolean,
): Promise<string[]> {
  const wrong: string[] = []
  for (const variant of variants) {
    reached.length = 0
    const status = await sendRequest(port, requestOf(variant, ''))
    if (isRefused ? status === 403 && reached.length === 0 : status === 200) continue
    const exchange = exchanges.at(-1)
    wrong.push(`${variant.name}: ${status} ${exchange ? foundIn(exchange).join(' ') : ''}`)
  }
  return wrong
}

function attacksOf(sorts: readonly AttackSort[]): RequestVariant[] {
  return sorts.flatMap(({ attacks }) => attacks)
}

const { parameterProtection: checks } = testPolicy()
assert.ok(checks)

/** Our rules are excepted from, nothing else. */
const withoutOwnRules = testPolicy({
  parameterProtection: {
    ...checks,
    attackTypes: { ...allAttackTypes, exceptRules: Array.from({ length: 200 }, (_, at) => 948_100 + at) },
  },
})

/** What is wrong with files is logged, nothing else. */
const withoutFileChecks = testPolicy({
  actions: { 'forbidden-file-extension': { category: 'File Attacks', denies: false, logs: true, denial: 0 } },
})

for (const { sort, attacks, ordinary } of [
  ...inFiles,
  ...inDocuments,
  ...inValues,
  ...inPayloads,
  ...inLanguages,
  ...inExploits,
  ...inDisguises,
]) {
  test(`${sort} are refused, and what clients send in earnest of that form passes`, async (t) => {
    const application = await protectedApplication(t)
    assert.deepEqual(await wrongOf(application, attacks, true), [])
    assert.deepEqual(await wrongOf(application, ordinary, false), [])
    assert.ok(attacks.length > 0 && ordinary.length > 0)
  })
}

test('files are refused for what they are, where a policy refuses that, and rules find next to nothing in them', async (t) => {
  const application = await protectedApplication(t, withoutFileChecks)
  const all = attacksOf(inFiles)
  const refused = await wrongOf(application, all, false)
  t.diagnostic(`${all.length - refused.length} of ${all.length} pass without the check`)
  assert.ok(refused.length <= 1, refused.join('\n'))
  const logged = application.exchanges.filter(({ violations }) =>
    violations.some(({ attack, action }) => attack === 'forbidden-file-extension' && action === 'LOG'),
  )
  assert.equal(logged.length, all.length)
})

test('values are refused by rules of ours, of which the Core Rule Set has none at this level', async (t) => {
  const application = await protectedApplication(t, withoutOwnRules)
  const all = attacksOf(inValues)
  const refused = await wrongOf(application, all, false)
  t.diagnostic(`${all.length - refused.length} of ${all.length} pass without them`)
  assert.ok(refused.length < all.length / 5, refused.join('\n'))
})
