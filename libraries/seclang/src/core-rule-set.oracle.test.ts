import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLibinjection } from './libinjection/libinjection.ts'
import { enableLinearRegExpEngine } from './matching/linear-engine.ts'
import { loadRuleSet } from './rule-set.ts'
import { Apache, hasApache } from './testing/apache.ts'
import { caseRequest } from './testing/case-request.ts'
import {
  coreRuleSet,
  coreRuleSetForApache,
  hasCoreRuleSet,
  regressionSettings,
} from './testing/core-rule-set.ts'
import { casesFolder, hasRegressionCases, readRegressionCases } from './testing/regression-case.ts'
import { runStage } from './testing/run-case.ts'

const missing =
  (!hasApache() && 'Apache with mod_security2 (libapache2-mod-security2) is not installed') ||
  (!hasCoreRuleSet() && "Debian's package modsecurity-crs is not installed") ||
  (!hasRegressionCases() && `the regression cases are not in ${casesFolder}`)

/** Cases in which our log and Apache's differ, and why ours is right. */
const knownDifferences: Readonly<Record<string, string>> = {
  '930110-2': 'with multiMatch, Apache counts a stage twice that t:cmdLine did not change',
  '930110-3': 'the same',
}

test('the log names the same rules, as often, as that of Apache with ModSecurity 2', {
  skip: missing,
}, async (context) => {
  const apache = new Apache(coreRuleSetForApache(regressionSettings))
  context.after(() => apache.stop())
  await apache.start()
  const stages = readRegressionCases(casesFolder).flatMap(({ title, stages }) =>
    stages.map((stage) => ({ title, stage })),
  )
  const answers = await apache.answers(stages.map(({ stage }) => caseRequest(stage.input)))
  enableLinearRegExpEngine()
  const ruleSet = loadRuleSet({ sources: coreRuleSet(regressionSettings), injections: openLibinjection() })
  const different = new Map<string, { ours: readonly number[]; theirs: readonly number[] }>()
  let compared = 0
  stages.forEach(({ title, stage }, number) => {
    const theirs = answers[number]
    // What Apache refuses before any rule runs, our proxy's parser has to judge.
    if (theirs === undefined || theirs.status === undefined || theirs.status === 400) return
    compared++
    const ours = runStage(stage, ruleSet).ruleIds
    const ruleIds = theirs.matches.map(({ ruleId }) => ruleId)
    if (sorted(ours) !== sorted(ruleIds)) different.set(title, { ours, theirs: ruleIds })
  })
  context.diagnostic(`${compared} of ${stages.length} requests compared`)
  assert.ok(compared > 1000)
  assert.deepEqual(
    [...different.keys()].sort(),
    Object.keys(knownDifferences).sort(),
    JSON.stringify([...different]),
  )
})

function sorted(ids: readonly number[]): string {
  return ids.toSorted((a, b) => a - b).join()
}
