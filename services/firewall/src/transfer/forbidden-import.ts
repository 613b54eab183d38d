import { forbidden } from '../access/forbidden.ts'
import { outermostObject, type Permissions } from '../access/permissions.ts'
import { refuseEscalation } from '../access/refuse-escalation.ts'
import { refuseForeignReferences } from '../access/refuse-foreign-references.ts'
import { completeContent } from '../objects/content.ts'
import type { Snapshot, Write } from '../objects/snapshot.ts'
import type { Difference } from './differences.ts'
import { objectTitle } from './names.ts'
import { TimeSlices } from './time-slices.ts'

/** How many objects a refusal names. */
const namedMax = 5

/**
 * Refuses an import that changes what an administrator with these permissions could not change by requests of its
 * own, or by which he would come to more than his role allows.
 *
 * @throws RequestRefused forbidden
 */
export async function refuseForbiddenImport(
  candidate: {
    readonly before: Snapshot
    readonly after: Snapshot
    readonly differences: readonly Difference[]
    readonly writes: readonly Write[]
  },
  permissions: Permissions,
): Promise<void> {
  if (permissions.isUnlimited) return
  const { before, after, differences, writes } = candidate
  const slices = new TimeSlices()
  const outOfReach: string[] = []
  for (const { kind, path } of differences) {
    const isReached = [before, after].every((snapshot) => {
      const outermost = outermostObject(snapshot, kind, path)
      return !outermost || permissions.mayReachObject(outermost, 'write')
    })
    if (!isReached || !permissions.mayReachKind(kind, undefined, 'write'))
      outOfReach.push(objectTitle(kind, path))
    await slices.pause()
  }
  if (outOfReach.length > 0) {
    const others = outOfReach.length - namedMax
    const named = outOfReach.slice(0, namedMax).join(', ')
    throw forbidden(`${named}${others > 0 ? ` and ${others} others` : ''}`, 'write')
  }
  refuseEscalation(permissions, before, writes)
  for (const difference of differences) {
    refuseReferencesOf(difference, after, permissions)
    await slices.pause()
  }
}

function refuseReferencesOf(difference: Difference, after: Snapshot, permissions: Permissions): void {
  const { kind, path, after: object } = difference
  if (!object) return
  const before = difference.before?.content ?? completeContent(kind, {})
  for (const section of [undefined, ...kind.sections.map(({ segment }) => segment)]) {
    refuseForeignReferences(permissions, after, { kind, path, content: object.content, section, before })
  }
}
