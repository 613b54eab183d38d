import { NotFound } from '@palisade/sdk'
import { createObject } from './create-object.ts'
import { addressOf, type NamePath, type PlacedKind } from './kinds.ts'
import { type Management, membersOf, objectOf } from './management.ts'
import type { Members } from './members.ts'

/** Creates an object, or changes what differs of one that is there. */
export async function ensureObject(
  management: Management,
  kind: PlacedKind,
  names: NamePath,
  fields: Members,
  sections: Readonly<Record<string, Members>> = {},
): Promise<void> {
  const address = addressOf(kind, names)
  const present = await objectAt(management, address)
  if (present === undefined) {
    await createObject(management, { kind, names, fields, sections })
    return
  }
  // A section before the object's own fields: a service comes by HTTPS only with a certificate.
  for (const [segment, members] of Object.entries(sections)) {
    const different = differing(members, membersOf(present[kind.sections[segment]?.title ?? '']))
    if (different) await management.call('PUT', `${address}/${segment}`, { body: different })
  }
  const different = differing(fields, present)
  if (different) await management.call('PUT', address, { body: different })
}

function differing(target: Members, present: Members): Members | undefined {
  const different = Object.entries(target).filter(
    ([field, value]) => String(present[field]) !== String(value),
  )
  return different.length > 0 ? Object.fromEntries(different) : undefined
}

/** The object at an address of the management; undefined where there is none. */
export async function objectAt(management: Management, address: string): Promise<Members | undefined> {
  try {
    return objectOf(await management.call('GET', address))
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}
