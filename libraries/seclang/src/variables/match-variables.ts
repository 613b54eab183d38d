import { Content } from '../content/content.ts'
import { keyedTarget, type Target } from '../content/target.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { collection, scalar, type Variable } from './variable.ts'

/** What matched so far, and the rule at work. */
export const matchVariables: readonly Variable[] = [
  scalar('MATCHED_VAR', 'volatile', ({ matchedTarget }) => matchedTarget?.content.text),
  scalar('MATCHED_VAR_NAME', 'volatile', ({ matchedTarget }) => matchedTarget?.name),
  collection('MATCHED_VARS', 'volatile', ({ matchedTargets }) =>
    matchedTargets.map(({ name, content }) => matchedTargetOf('MATCHED_VARS', name, content)),
  ),
  collection('MATCHED_VARS_NAMES', 'volatile', ({ matchedTargets }) =>
    matchedTargets.map(({ name }) => matchedTargetOf('MATCHED_VARS_NAMES', name, new Content(name))),
  ),
  scalar('HIGHEST_SEVERITY', 'volatile', ({ highestSeverity }) => highestSeverity),
  collection('RULE', 'volatile', ruleTargets),
]

/** A target that bears the name of what matched before, so that logs and masks know it by that. */
function matchedTargetOf(variable: string, name: string, content: Content): Target {
  return { variable, key: name, name, content }
}

/** Messages are given as written: macros in them may ask for the rule again. */
function ruleTargets({ rule }: Inspection): readonly Target[] {
  if (rule === undefined) return []
  const members: Readonly<Record<string, string>> = {
    id: String(rule.id),
    msg: rule.message.source,
    logdata: rule.data.source,
    severity: String(rule.severity ?? ''),
    rev: rule.revision,
    ver: rule.version,
  }
  return Object.entries(members).map(([key, value]) => keyedTarget('RULE', key, new Content(value)))
}
