import type { Permissions } from '../../access/permissions.ts'
import type { Roles } from '../../access/roles.ts'
import type { Author } from '../../changes/author.ts'
import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import type { CompiledCatalogue, CompiledKind } from '../../kinds/compiled-kind.ts'
import type { EntryLimit } from '../../logs/conditions.ts'
import type { LogName } from '../../logs/log-types.ts'
import { objectOrDeleted } from '../called-service.ts'

/** What decides who may read which entries. */
export interface LimitDependencies {
  readonly configuration: LiveConfiguration
  readonly catalogue: CompiledCatalogue
  readonly roles: Roles
}

/**
 * Which entries of a log the author may read; undefined when he may read all of them. Who is not allowed the log at all
 * has been refused before.
 *
 * - Of the traffic: those of the services that his role reaches.
 * - Of the audit log, for a role that names particular objects: what he did himself, and what was done to objects that he can read.
 */
export function entryLimit(deps: LimitDependencies, author: Author, log: LogName): EntryLimit | undefined {
  const permissions = deps.roles.permissionsOf(author)
  switch (log) {
    case 'access':
    case 'web-firewall':
      return permissions.readsEveryService ? undefined : ofReachedServices(deps, permissions)
    case 'audit':
      return permissions.isConfined ? ofReadableObjects(deps, permissions, author) : undefined
    case 'network-firewall':
    case 'system':
      return undefined
  }
}

/** Whether the permissions extend to a log that belongs to no object, as far as places go. */
export function mayReadLogOfSystem(permissions: Permissions, log: LogName): boolean {
  return (log !== 'network-firewall' && log !== 'system') || permissions.seesWholeSystem
}

/** Whether the permissions reach the service of that name; one that is gone is reached by its name. */
export function reachedServices(
  { configuration, catalogue }: LimitDependencies,
  permissions: Permissions,
): (name: string) => boolean {
  const kind = catalogue.get('service')
  return oncePerText(
    (name) =>
      kind !== undefined &&
      permissions.mayReachObject(objectOrDeleted(configuration.snapshot, kind, name), 'read'),
  )
}

function ofReachedServices(deps: LimitDependencies, permissions: Permissions): EntryLimit {
  const isReached = reachedServices(deps, permissions)
  return {
    columns: ['document'],
    allows: ({ document }) => isReached(String(JSON.parse(String(document))['service-name'] ?? '')),
  }
}

function ofReadableObjects(
  { configuration, catalogue }: LimitDependencies,
  permissions: Permissions,
  { username }: Author,
): EntryLimit {
  const kindsByTitle = Map.groupBy(catalogue.values(), ({ title }) => title)
  const mayRead = (kind: CompiledKind, name: string) => {
    const [outermost = kind] = kind.lineage
    // No name of an object that roles name has a slash; where it is the only one of its kind, all of the kind are reached.
    const object = objectOrDeleted(configuration.snapshot, outermost, name.split('/')[0] ?? '')
    return permissions.mayReachKind(kind, undefined, 'read') && permissions.mayReachObject(object, 'read')
  }
  const isReadable = oncePerText((typeAndName) => {
    const [type, name]: [string, string] = JSON.parse(typeAndName)
    const kinds = kindsByTitle.get(type) ?? []
    return kinds.length > 0 && kinds.every((kind) => mayRead(kind, name))
  })
  return {
    columns: ['admin', 'object_type', 'object_name'],
    allows: ({ admin, object_type, object_name }) =>
      admin === username || isReadable(JSON.stringify([object_type, object_name])),
  }
}

/** Asks once for each of the texts of a request, of which many are the same. */
function oncePerText(ask: (text: string) => boolean): (text: string) => boolean {
  const verdicts = new Map<string, boolean>()
  return (text) => {
    const answer = verdicts.get(text) ?? ask(text)
    verdicts.set(text, answer)
    return answer
  }
}
