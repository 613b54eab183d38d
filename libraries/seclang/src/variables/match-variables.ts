import { Content } from '../engine/content.ts'
import type { Inspection } from '../engine/inspection.ts'
import { type Target, targetOf } from '../engine/target.ts'
import { collection, scalar, type Variable } from './variable.ts'

/** What matched so far, and the rule at work. */
export const matchVariables: readonly Variable[] = [
  scalar('MATCHED_VAR', 'volatile', ({ matchedTarget }) => matchedTarget?.content.text),
  scalar('MATCHED_VAR_NAME', 'volatile', ({ matchedTarget }) => matchedTarget?.name),
  collection('MATCHED_VARS', 'volatile', ({ matchedTargets }) =>
    matchedTargets.map(({ name, content }) => targetOf('MATCHED_VARS', name, content)),
  ),
  collection('MATCHED_VARS_NAMES', 'volatile', ({ matchedTargets }) =>
    matchedTargets.map(({ name }) => targetOf('MATCHED_VARS_NAMES', name, new Content(name))),
  ),
  scalar('HIGHEST_SEVERITY', 'volatile', ({ highestSeverity }) => highestSeverity),
  collection('RULE', 'volatile', ruleTargets),
]

function ruleTargets(inspection: Inspection): readonly Target[] {
  const { rule } = inspection
  if (rule === undefined) return []
  const members: Readonly<Record<string, string>> = {
    id: String(rule.id),
    msg: rule.message.expand(inspection),
    logdata: rule.data.expand(inspection),
    severity: String(rule.severity ?? ''),
    rev: rule.revision,
    ver: rule.version,
  }
  return Object.entries(members).map(([key, value]) => targetOf('RULE', key, new Content(value)))
}
