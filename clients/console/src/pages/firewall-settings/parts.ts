import type { FirewallKind } from '@palisade/sdk'
import { type Members, membersOf } from './management.ts'
import { texts } from './texts.ts'
import type { Fields } from './values.ts'

/** A part of an object: its own fields, or a section. */
export interface Part {
  /** Empty for the object's own fields. */
  readonly segment: string
  readonly title: string
  readonly description: string
  readonly fields: Fields
  /** Whether what is set is ever shown. */
  readonly isReadable: boolean
  /** What replies show of it. */
  readonly shown: Members
}

/** The parts of an object, its own fields first; a part without fields is left out. */
export function partsOf(kind: FirewallKind, members: Members): readonly Part[] {
  const isChanged = kind.operations.includes('update')
  const own: Part = {
    segment: '',
    title: texts.object.own,
    description: '',
    fields: isChanged ? kind.fields : asDecided(kind.fields),
    isReadable: kind.operations.includes('read'),
    shown: members,
  }
  const sections = Object.entries(kind.sections).map(
    ([segment, { title, description, fields, operations }]): Part => ({
      segment,
      title,
      description,
      fields,
      isReadable: operations.includes('read'),
      shown: membersOf(members[title]),
    }),
  )
  return [own, ...sections].filter(({ fields }) => Object.keys(fields).length > 0)
}

/** The fields of objects that are not changed once they are there. */
function asDecided(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { ...field, isCreateOnly: true as const }]),
  )
}
