import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { referencesOf } from '../objects/references.ts'
import type { Snapshot, Write } from '../objects/snapshot.ts'
import { forbidden } from './forbidden.ts'
import { Permissions } from './permissions.ts'

const roleKindName = 'administrator-role'
const logReceiverKindName = 'syslog-server'

/**
 * Refuses changes by which an administrator would come to more than his own role allows: giving a role such rights,
 * giving anybody such a role, or taking over (a password, a name) whoever has one; and by which logs of
 * what he does not reach would be sent to where he says.
 *
 * @param writes what the change writes, planned on the snapshot
 * @throws RequestRefused forbidden
 */
export function refuseEscalation(
  permissions: Permissions,
  snapshot: Snapshot,
  writes: readonly Write[],
): void {
  if (!permissions.seesWholeSystem && writes.some(({ kind }) => kind.name === logReceiverKindName)) {
    throw forbidden('syslog-server, which is sent the logs of all services', 'write')
  }
  const concerned = writes.filter(({ kind }) => kind.name === roleKindName || givesRoles(kind))
  if (concerned.length === 0 || permissions.isUnlimited) return
  const after = snapshot.with(writes, snapshot.version + 1)
  for (const { kind, path } of concerned) {
    for (const moment of [snapshot, after]) {
      for (const role of rolesBehind(moment.object(kind, path), moment)) {
        if (permissions.covers(new Permissions(role.content.values))) continue
        throw forbidden(
          `administrator-role ${JSON.stringify(role.name)}, which allows more than yours`,
          'write',
        )
      }
    }
  }
}

function givesRoles({ references }: Write['kind']): boolean {
  return references.some(({ targets }) => targets.some(({ name }) => name === roleKindName))
}

/** The role that the object is, or those that it names. */
function rolesBehind(object: ConfigurationObject | undefined, snapshot: Snapshot): ConfigurationObject[] {
  if (object === undefined) return []
  if (object.kind.name === roleKindName) return [object]
  return referencesOf(object)
    .flatMap(({ places }) => places)
    .filter(({ kind }) => kind.name === roleKindName)
    .flatMap(({ kind, path }) => snapshot.object(kind, path) ?? [])
}
