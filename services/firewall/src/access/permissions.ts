import type { CompiledKind, CompiledSection } from '../kinds/compiled-kind.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Snapshot } from '../objects/snapshot.ts'

/** Writing includes reading. */
export type Access = 'read' | 'write'

/** The entry of a role that stands for all there is. */
const all = '_ALL_'

/** Which member of a role says which of a kind's objects it reaches; of other kinds it reaches all or none. */
const memberByKind: Readonly<Record<string, string>> = {
  vsite: 'vsites',
  service: 'services',
  'security-policy': 'security-policies',
  'ldap-authentication-service': 'authentication-services',
  'radius-authentication-service': 'authentication-services',
  'rsa-securid-authentication-service': 'authentication-services',
  'kerberos-authentication-service': 'authentication-services',
  'saml-authentication-service': 'authentication-services',
  'oidc-authentication-service': 'authentication-services',
  'local-user': 'authentication-services',
  'local-group': 'authentication-services',
}

/** The members of a role that name objects. */
const placeMembers = [...new Set([...Object.values(memberByKind), 'service-groups'])]

/** The operations that read logs. */
const logOperations = ['get-logs', 'view-aps-logs', 'view-audit-logs', 'view-traffic-logs']

/** What the authentication-services of a role call the users and groups that the system keeps itself. */
const internal = 'internal'
const internalKinds = ['local-user', 'local-group']

/**
 * What one administrator role allows. Its members hold entries like `services:write`; to write includes to read.
 *
 * - `objects` names kinds by the last segment of their address (`url-acls`), those of one place by its first one
 *   (`certificates`), and sections after their kind's (`services/caching`). Who reaches a kind reaches what lies inside its objects, and their sections.
 * - `services`, `vsites`, `service-groups`, `security-policies` and `authentication-services` name objects. A
 *   service is reached by its own name, by its vsite or by its group. What lies in an object is reached with it.
 *   The local users and groups are the authentication service `internal`.
 * - `operations` names what is done without an object.
 *
 * Nothing is allowed that is not named.
 */
export class Permissions {
  readonly #entries: ReadonlyMap<string, ReadonlySet<string>>
  /** What was found out of kinds and their sections; undefined stands for the kind itself. */
  readonly #reached = {
    read: new Map<CompiledKind, Map<CompiledSection | undefined, boolean>>(),
    write: new Map<CompiledKind, Map<CompiledSection | undefined, boolean>>(),
  }
  readonly mayLogIn: boolean

  constructor(role: Values) {
    this.#entries = new Map(
      Object.entries(role).flatMap(([member, value]) =>
        Array.isArray(value) ? [[member, new Set(value.map(String))]] : [],
      ),
    )
    this.mayLogIn = role['api-privilege'] === 'Yes'
  }

  /** Whether everything may be changed: whoever has this can also give it to others. */
  get isUnlimited(): boolean {
    return this.mayLogIn && this.#grants('objects', all, 'write')
  }

  /** Whether all services may be read, so that none has to be looked at. */
  get readsEveryService(): boolean {
    return this.#grants('services', all, 'read') || this.#grants('vsites', all, 'read')
  }

  /** Whether particular objects are named where all of them could be: a role for one service, one vsite, one policy. */
  get isConfined(): boolean {
    return placeMembers.some((member) => {
      const isNamed = (this.#entries.get(member)?.size ?? 0) > 0
      return isNamed && !this.#grants(member, all, 'read')
    })
  }

  /** Whether what belongs to no object, such as the log of the system, may be read as far as places go. */
  get seesWholeSystem(): boolean {
    return this.readsEveryService || !this.isConfined
  }

  /** The names that a member of the role has, _ALL_ left out. */
  namesIn(member: string): string[] {
    const entries = Array.from(this.#entries.get(member) ?? [], (entry) =>
      entry.replace(/:(?:read|write)$/, ''),
    )
    return entries.filter((name) => name !== all)
  }

  /** Whether objects of the kind, or one of their sections, may be reached at all. */
  mayReachKind(kind: CompiledKind, section: CompiledSection | undefined, access: Access): boolean {
    const isReached = this.#reached[access].get(kind)
    const isKnown = isReached?.get(section)
    if (isKnown !== undefined) return isKnown
    const names = [
      all,
      ...kind.lineage.flatMap(namesOf),
      ...(section ? [`${kind.segments.at(-1)}/${section.segment}`] : []),
    ]
    const is = names.some((name) => this.#grants('objects', name, access))
    if (isReached) isReached.set(section, is)
    else this.#reached[access].set(kind, new Map([[section, is]]))
    return is
  }

  /** Whether all objects of the kind are reached, so that none has to be looked at. */
  mayReachAll(kind: CompiledKind, access: Access): boolean {
    const member = memberByKind[kind.lineage[0]?.name ?? '']
    return member === undefined || this.#grants(member, all, access)
  }

  /**
   * Whether the object is reached; its kind has to be besides.
   *
   * @param outermost the outermost object around it, which may be itself
   */
  mayReachObject(outermost: Pick<ConfigurationObject, 'kind' | 'path' | 'content'>, access: Access): boolean {
    const { kind, content } = outermost
    if (this.mayReachAll(kind, access)) return true
    if (this.#isNamed(outermost, access)) return true
    return kind.name === 'service' && this.mayPlaceIn(content.values, access)
  }

  /** Whether services are reached by the vsite, or by the group, that a service's values name. */
  mayPlaceIn({ vsite, group }: Values, access: Access = 'write'): boolean {
    return (
      this.#grants('vsites', all, access) ||
      this.#grants('vsites', String(vsite ?? ''), access) ||
      this.#grants('service-groups', String(group ?? ''), access)
    )
  }

  /**
   * Whether other objects may be made to name objects of the kind: what can be read, and what the role names.
   *
   * @param outermost the outermost object around the named one, which may be itself; undefined when it is not there
   */
  mayRefer(kind: CompiledKind, outermost: ConfigurationObject | undefined): boolean {
    const member = memberByKind[kind.lineage[0]?.name ?? '']
    const reachesSome = member !== undefined && (this.#entries.get(member)?.size ?? 0) > 0
    if (!reachesSome && !this.mayReachKind(kind, undefined, 'read')) return false
    return outermost === undefined || this.mayReachObject(outermost, 'read')
  }

  /** Whether everything that the other permissions allow is allowed here, too. */
  covers(other: Permissions): boolean {
    if (this.isUnlimited) return true
    // A role that names no places reads the audit log and that of the system whole: leaving places out would be more.
    if (this.isConfined && !other.isConfined && logOperations.some((one) => other.mayPerform(one)))
      return false
    return [...other.#entries].every(([member, entries]) =>
      [...entries].every((entry) => this.#coversEntry(member, entry)),
    )
  }

  #coversEntry(member: string, entry: string): boolean {
    if (this.#entries.get(member)?.has(entry)) return true
    const [, name, access] = /^(.*):(read|write)$/s.exec(entry) ?? []
    if (name === undefined) return false
    const names = [all, name, ...(member === 'objects' ? name.split('/').slice(0, 1) : [])]
    return names.some((one) => this.#grants(member, one, access === 'write' ? 'write' : 'read'))
  }

  #isNamed({ kind, path }: Pick<ConfigurationObject, 'kind' | 'path'>, access: Access): boolean {
    const name = internalKinds.includes(kind.name) ? internal : (path[0] ?? '')
    return this.#grants(memberByKind[kind.name] ?? '', name, access)
  }

  mayPerform(operation: string): boolean {
    return this.#entries.get('operations')?.has(operation) ?? false
  }

  #grants(member: string, name: string, access: Access): boolean {
    const entries = this.#entries.get(member)
    if (!entries) return false
    return entries.has(`${name}:write`) || (access === 'read' && entries.has(`${name}:read`))
  }
}

/** The names by which roles call a kind: the last segment of its address, the first one, and the whole of it. */
function namesOf({ segments }: CompiledKind): string[] {
  const [first = '', ...more] = segments
  return more.length > 0 ? [more.at(-1) ?? '', first, segments.join('/')] : [first]
}

/** The outermost object on the way to a path. */
export function outermostObject(
  snapshot: Snapshot,
  kind: CompiledKind,
  path: readonly string[],
): ConfigurationObject | undefined {
  const [outermostKind] = kind.lineage
  return outermostKind && path.length > 0 ? snapshot.object(outermostKind, path.slice(0, 1)) : undefined
}
