import type { SnapshotLdapDirectory } from '@palisade/proxy-protocol'
import {
  AndFilter,
  type Client,
  type Entry,
  EqualityFilter,
  type Filter,
  FilterParser,
  OrFilter,
} from 'ldapts'

/** How many groups one login looks at, and how deep groups lie in each other. */
const groupsMax = 1_000
const depthMax = 10

/** How many members one question asks for. */
const membersAtOnce = 50

/** Classes of groups in the usual schemas. */
const usualGroups =
  '(|(objectClass=group)(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup))'

/** The names of the groups that a user is in, by `member`, `uniqueMember` (RFC 4519) and `memberUid` (RFC 2307). */
export async function groupsOf(
  user: Entry,
  directory: SnapshotLdapDirectory,
  client: Client,
): Promise<string[]> {
  const { groupFilter = usualGroups, groupNameAttribute, allowsNestedGroups } = directory
  const isGroup = filterOf(groupFilter)
  const dns = new Set<string>()
  const names = new Set<string>()
  let questions: Filter[] = [
    ...membersBy(user.dn),
    ...valuesOf(user, 'uid').map((value) => new EqualityFilter({ attribute: 'memberUid', value })),
  ]
  for (let depth = 0; questions.length > 0 && depth < depthMax; depth++) {
    const next: Filter[] = []
    while (questions.length > 0) {
      const filters = questions.splice(0, membersAtOnce)
      const { searchEntries } = await client.search(directory.baseDn, {
        scope: 'sub',
        filter: new AndFilter({ filters: [isGroup, new OrFilter({ filters })] }),
        attributes: [groupNameAttribute],
        sizeLimit: groupsMax,
      })
      for (const group of searchEntries) {
        const dn = group.dn.toLowerCase()
        if (dns.has(dn)) continue
        if (dns.size >= groupsMax) throw new Error(`a user is in more than ${groupsMax} groups`)
        dns.add(dn)
        for (const name of valuesOf(group, groupNameAttribute)) names.add(name)
        if (allowsNestedGroups) next.push(...membersBy(group.dn))
      }
    }
    questions = next
  }
  return [...names]
}

/** The values of an attribute, however the directory spells its name. */
export function valuesOf(entry: Entry, attribute: string): string[] {
  const [, value = []] =
    Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase()) ?? []
  return [value].flat().map(String)
}

function membersBy(dn: string): Filter[] {
  return ['member', 'uniqueMember'].map((attribute) => new EqualityFilter({ attribute, value: dn }))
}

function filterOf(text: string): Filter {
  const trimmed = text.trim()
  return FilterParser.parseString(trimmed.startsWith('(') ? trimmed : `(${trimmed})`)
}
