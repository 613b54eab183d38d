import { describe, type Plan } from '../changes/plan.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { forbidden } from './forbidden.ts'
import type { Permissions } from './permissions.ts'
import { refuseOwnExclusion } from './reaching-addresses.ts'
import { refuseEscalation } from './refuse-escalation.ts'

/**
 * Refuses a plan that would give its author more than he has, or take away what he came by. What is created, or changed, has to be
 * reached also as it is afterwards, and so has what is created beside it.
 *
 * @param snapshot on which it was planned
 * @param address from which the author came
 * @throws RequestRefused forbidden; ConfigurationRefused has-to-stay
 */
export function refuseForbiddenPlan(
  permissions: Permissions,
  snapshot: Snapshot,
  { object, writes, createdBeside = [] }: Plan,
  address: string,
): void {
  refuseEscalation(permissions, snapshot, writes)
  for (const created of createdBeside) {
    const isKindReached = permissions.mayReachKind(created.kind, undefined, 'write')
    if (isKindReached && permissions.mayReachObject(created, 'write')) continue
    throw forbidden(describe(created), 'write')
  }
  const { kind, path } = object
  const content = writes.find((write) => write.kind === kind && samePath(write.path, path))?.content
  const isReached =
    content === undefined || path.length > 1 || permissions.mayReachObject({ kind, path, content }, 'write')
  if (!isReached) throw forbidden(describe(object), 'write')
  refuseOwnExclusion(snapshot, writes, address)
}

function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}
