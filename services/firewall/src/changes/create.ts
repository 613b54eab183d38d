import type { CompiledKind } from '../kinds/compiled-kind.ts'
import { completeContent } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { type Body, differences, readMembers, withGiven } from './members.ts'
import { type Plan, refuseProblems } from './plan.ts'
import { type Problem, problemsOfChange, problemsOfContent } from './problems.ts'

/**
 * Plans a new object inside the one that the path leads to, which has to exist.
 *
 * @throws ConfigurationRefused not-acceptable, with every fault of the body
 */
export function planCreation(
  snapshot: Snapshot,
  kind: CompiledKind,
  parentPath: readonly string[],
  body: Body,
): Plan {
  const { fields, identifiedBy = '' } = kind
  const given = readMembers(fields, kind.title, body)
  const values = withGiven(fields.defaults, given, fields)
  const path = [...parentPath, String(values[identifiedBy] ?? '')]
  const content = completeContent(kind, { values })
  const candidate = { kind, path, content, section: undefined }
  refuseProblems(given, [
    ...problemsOfContent(snapshot, candidate),
    ...problemsOfChange(candidate, fields.defaults, true),
    ...duplicates(snapshot, kind, path),
  ])
  return {
    action: 'create',
    object: { kind, path },
    writes: [{ kind, path, content }],
    details: differences(fields, {}, values),
  }
}

/** The name, when it is taken. */
export function duplicates(snapshot: Snapshot, kind: CompiledKind, path: readonly string[]): Problem[] {
  const { identifiedBy } = kind
  if (identifiedBy === undefined || !snapshot.object(kind, path)) return []
  const name = JSON.stringify(path.at(-1))
  return [
    {
      member: identifiedBy,
      sentence: `The member ${identifiedBy}: duplicate value not allowed, there is already a ${kind.name} ${name}.`,
    },
  ]
}
