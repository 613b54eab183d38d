import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRuleSet } from './rule-set.ts'
import { coreRuleSet, hasCoreRuleSet, regressionSettings } from './testing/core-rule-set.ts'
import { knownFailures } from './testing/known-failures.ts'
import {
  casesFolder,
  hasRegressionCases,
  type RegressionCase,
  readRegressionCases,
} from './testing/regression-case.ts'
import { failureOf } from './testing/run-case.ts'

const missing = !hasCoreRuleSet()
  ? "Debian's package modsecurity-crs is not installed"
  : !hasRegressionCases() && `the regression cases are not in ${casesFolder}`

/** Cases that speak of the answer's status need an engine that interrupts, the others one that runs every rule. */
function needsInterruption({ stages }: RegressionCase): boolean {
  return stages.some(({ output }) => output.status !== undefined || output.expect_error === true)
}

for (const usePrefilter of [true, false]) {
  test(`the Core Rule Set's regression cases pass ${usePrefilter ? 'with' : 'without'} the prefilter`, {
    skip: missing,
  }, (context) => {
    const detecting = loadRuleSet({ sources: coreRuleSet(regressionSettings), usePrefilter })
    const blocking = loadRuleSet({
      sources: coreRuleSet(`SecRuleEngine On\n${regressionSettings}`),
      usePrefilter,
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
