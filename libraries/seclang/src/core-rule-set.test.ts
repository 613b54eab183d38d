import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLibinjection } from './libinjection/libinjection.ts'
import { enableLinearRegExpEngine, hasLinearRegExpEngine } from './matching/linear-engine.ts'
import { loadRuleSet } from './rule-set.ts'
import { caseRequest } from './testing/case-request.ts'
import { coreRuleSet, hasCoreRuleSet, regressionSettings } from './testing/core-rule-set.ts'
import { knownFailures } from './testing/known-failures.ts'
import { mutateRequest } from './testing/mutate-request.ts'
import { Random } from './testing/random.ts'
import {
  casesFolder,
  hasRegressionCases,
  type RegressionCase,
  readRegressionCases,
} from './testing/regression-case.ts'
import { failureOf, runRequest } from './testing/run-case.ts'

const injections = openLibinjection()

const missing = !hasCoreRuleSet()
  ? "Debian's package modsecurity-crs is not installed"
  : !hasRegressionCases() && `the regression cases are not in ${casesFolder}`

/** Cases that speak of the answer's status need an engine that interrupts, the others one that runs every rule. */
function needsInterruption({ stages }: RegressionCase): boolean {
  return stages.some(({ output }) => output.status !== undefined || output.expect_error === true)
}

for (const [how, { usePrefilter, hasLinearEngine }] of Object.entries({
  // First: what is enabled stays so.
  "without V8's linear engine": { usePrefilter: true, hasLinearEngine: false },
  'with the prefilter': { usePrefilter: true, hasLinearEngine: true },
  'without the prefilter': { usePrefilter: false, hasLinearEngine: true },
})) {
  test(`the Core Rule Set's regression cases pass ${how}`, { skip: missing }, (context) => {
    if (hasLinearEngine) enableLinearRegExpEngine()
    assert.equal(hasLinearRegExpEngine(), hasLinearEngine)
    const detecting = loadRuleSet({ sources: coreRuleSet(regressionSettings), usePrefilter, injections })
    const blocking = loadRuleSet({
      sources: coreRuleSet(`SecRuleEngine On\n${regressionSettings}`),
      usePrefilter,
      injections,
    })
    const cases = readRegressionCases(casesFolder)
    const failures = new Map<string, string>()
    for (const regressionCase of cases) {
      const failure = failureOf(regressionCase, needsInterruption(regressionCase) ? blocking : detecting)
      if (failure !== undefined) failures.set(regressionCase.title, failure)
    }
    context.diagnostic(`${cases.length} cases ran, ${failures.size} failed`)
    assert.ok(cases.length > 1000)
    assert.deepEqual([...failures.keys()].sort(), Object.keys(knownFailures).sort(), [...failures].join('\n'))
  })
}

/** How many requests are made up, and from which seed: the same in every run, so that a failure can be had again. */
const count = 400
const seed = 1

test('requests made of pieces of the cases match the same rules with the prefilter and without', {
  skip: missing,
}, (context) => {
  const random = new Random(seed)
  const [filtered, plain] = [true, false].map((usePrefilter) =>
    loadRuleSet({ sources: coreRuleSet(regressionSettings), usePrefilter, injections }),
  )
  assert.ok(filtered !== undefined && plain !== undefined)
  const requests = readRegressionCases(casesFolder).flatMap(({ stages }) =>
    stages.map(({ input }) => caseRequest(input)),
  )
  let matches = 0
  for (let number = 0; number < count; number++) {
    const request = mutateRequest(random.pick(requests), random.pick(requests), random)
    const expected: readonly number[] = runRequest(request, plain).ruleIds
    for (const time of ['first', 'second', 'third']) {
      assert.deepEqual(
        runRequest(request, filtered).ruleIds,
        expected,
        `seed ${seed}, the ${time} time: ${JSON.stringify(request.toString('latin1'))}`,
      )
    }
    matches += expected.length
  }
  context.diagnostic(`${count} requests, ${matches} matches`)
  assert.ok(matches > count)
})
