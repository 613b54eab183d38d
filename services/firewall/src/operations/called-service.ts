import { forbidden } from '../access/forbidden.ts'
import type { Access } from '../access/permissions.ts'
import type { Roles } from '../access/roles.ts'
import type { Author } from '../changes/author.ts'
import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { describe } from '../changes/plan.ts'
import { ConfigurationRefused } from '../failure.ts'
import type { CompiledCatalogue, CompiledKind } from '../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import type { Call } from '../rest/special-operation.ts'

/** What services are found with, and who reaches them. */
export interface ServiceDependencies {
  readonly configuration: LiveConfiguration
  readonly catalogue: CompiledCatalogue
  readonly roles: Roles
}

/** The outermost object of that name, or what stands for it when it is gone: then it is reached by its name alone. */
export function objectOrDeleted(
  snapshot: Snapshot,
  kind: CompiledKind,
  name: string,
): Pick<ConfigurationObject, 'kind' | 'path' | 'content'> {
  return snapshot.object(kind, [name]) ?? { kind, path: [name], content: { values: {}, sections: {} } }
}

/**
 * The service that a call names in its path as `{service}`.
 *
 * @param access what is going to be done with it
 * @throws ConfigurationRefused when it is not there, or RequestRefused when its caller may not reach it
 */
export function calledService(
  deps: ServiceDependencies,
  { names, author }: Pick<Call, 'names' | 'author'>,
  access: Access,
): ConfigurationObject {
  return serviceNamed(deps, names.service ?? '', author, access)
}

/**
 * The service of that name.
 *
 * @param access what the author is going to do with it
 * @throws ConfigurationRefused when it is not there, or RequestRefused when the author may not reach it
 */
export function serviceNamed(
  { configuration, catalogue, roles }: ServiceDependencies,
  name: string,
  author: Author,
  access: Access,
): ConfigurationObject {
  const kind = catalogue.get('service')
  const service = kind && configuration.snapshot.object(kind, [name])
  if (!service) throw new ConfigurationRefused({ code: 'not-found', what: `service ${JSON.stringify(name)}` })
  if (!roles.permissionsOf(author).mayReachObject(service, access)) throw forbidden(describe(service), access)
  return service
}
