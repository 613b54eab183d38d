import type { LiveConfiguration } from '../changes/live-configuration.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Administrator } from './administrators.ts'
import { Permissions } from './permissions.ts'

/** What the administrator roles of the configuration allow. */
export class Roles {
  readonly #configuration: LiveConfiguration
  /** A role object never changes, so what it allows is worked out once. */
  readonly #permissions = new WeakMap<ConfigurationObject, Permissions>()

  constructor(configuration: LiveConfiguration) {
    this.#configuration = configuration
  }

  /** What the administrator may do now; nothing when his role is not there any more, or may not use the API. */
  permissionsOf({ role }: Pick<Administrator, 'role'>): Permissions {
    const { snapshot } = this.#configuration
    const object = snapshot.object(this.#configuration.kind('administrator-role'), [role])
    if (!object) return nothing
    const cached = this.#permissions.get(object)
    if (cached) return cached
    const created = new Permissions(object.content.values)
    const permissions = created.mayLogIn ? created : nothing
    this.#permissions.set(object, permissions)
    return permissions
  }
}

const nothing = new Permissions({})
