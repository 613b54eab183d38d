import type { StatedObject } from './documents.ts'
import { type Kinds, namesOfPath, type PlacedKind } from './kinds.ts'
import { type Management, membersOf, objectsOf } from './management.ts'
import type { Members } from './members.ts'

/** The administrators of the firewall, who are no part of configuration documents: they are changed one by one. */
export const administratorKind = 'user'

/**
 * The whole configuration as it differs from a fresh installation, with its secrets sealed, and the administrators.
 *
 * @throws ApiError when the administrator may not export
 */
export async function readConfiguration(management: Management, kinds: Kinds): Promise<StatedObject[]> {
  const { data } = await management.call('POST', 'ops/export-configuration', {
    body: { 'backup-type': 'full' },
  })
  const objects = Object.entries(membersOf(membersOf(data).objects)).flatMap(([name, entries]) => {
    const kind = kinds.named(name)
    return Array.isArray(entries) ? entries.map((entry) => stated(kind, membersOf(entry))) : []
  })
  return [...objects, ...(await administrators(management, kinds.named(administratorKind)))]
}

function stated(kind: PlacedKind, { path, members, sections }: Members): StatedObject {
  const names = Array.isArray(path) ? path.map(String) : []
  return {
    kind,
    names: namesOfPath(kind, names),
    fields: membersOf(members),
    sections: Object.fromEntries(
      Object.entries(membersOf(sections)).map(([segment, inside]) => [segment, membersOf(inside)]),
    ),
  }
}

async function administrators(management: Management, kind: PlacedKind): Promise<StatedObject[]> {
  return objectsOf(await management.call('GET', kind.path)).map(([name, shown]) => {
    const fields = Object.entries(shown).filter(
      ([field]) => field in kind.fields && field !== kind.identifiedBy,
    )
    return { kind, names: [name], fields: Object.fromEntries(fields), sections: {} }
  })
}

/**
 * Whether objects of a kind are made of what a request brings, such as keys, and then stay as they are: certificates, which tell when
 * they expire.
 */
export function isMadeOnce({ fields }: PlacedKind): boolean {
  return fields.expiry?.isReadOnly ?? false
}

/** One text for each object: its kind and its names. */
export function keyOf({ kind, names }: Pick<StatedObject, 'kind' | 'names'>): string {
  return JSON.stringify([kind.name, ...names])
}
