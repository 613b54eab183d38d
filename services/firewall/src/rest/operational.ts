import { FieldSet } from '../kinds/field-set.ts'
import { shownValue, type Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Fare } from '../publishing/fare.ts'
import type { OperationalView } from './query.ts'

/** The members by which an object tells how it fares, as `parameters` may name them beside its own. */
export const operationalFields = new FieldSet(
  {
    'operational-status': { type: 'string', readOnly: true },
    'status-reason': { type: 'string', readOnly: true },
  },
  'category=operational',
)

/** How an object fares, as its reply shows it with category=operational. */
interface OperationalMembers {
  readonly object: string
  readonly name: string
  readonly 'operational-status': string
  /** Why, where that is not plain. */
  readonly 'status-reason': string
}

/** Knows how objects fare in the traffic; undefined for those that traffic has nothing to do with. */
export type FareOf = (object: ConfigurationObject) => Fare | undefined

/** What is known of objects beside what they hold. */
export interface Observed {
  readonly fareOf: FareOf
  /** What is shown in the place of values of the object's own; undefined for nothing. */
  readonly valuesOf: (object: ConfigurationObject) => Values | undefined
}

/** What of operational states is shown. */
export interface OperationalQuestion {
  readonly view: OperationalView
  readonly fareOf: FareOf
  /** The names of the members that were asked for, configured ones among them; those that tell the state when undefined. */
  readonly shown: ReadonlySet<string> | undefined
}

/** The operational state of an object and of the objects inside it, as JSON. */
export function operationalText(object: ConfigurationObject, question: OperationalQuestion): string {
  const { view, fareOf, shown } = question
  const own = view.ownMembers ? JSON.stringify(membersOf(object, fareOf, shown)).slice(1, -1) : ''
  const inside = view.children.map((kind) =>
    object.listText(kind, (inner) => JSON.stringify(membersOf(inner, fareOf, shown))),
  )
  return `{${[own, ...inside].filter((text) => text !== '').join(',')}}`
}

function membersOf(
  object: ConfigurationObject,
  fareOf: FareOf,
  shown: ReadonlySet<string> | undefined,
): object {
  const members = operationalMembers(object, fareOf)
  if (shown === undefined) return members
  const { kind, content } = object
  const own = Array.from(
    kind.fields,
    ({ name, field }) => [name, shownValue(field, content.values[name])] as const,
  )
  return Object.fromEntries([...own, ...Object.entries(members)].filter(([name]) => shown.has(name)))
}

/** What was switched off does not run; how the rest fares is what those say who carry traffic. */
function operationalMembers(object: ConfigurationObject, fareOf: FareOf): OperationalMembers {
  const { kind, name, content } = object
  const { status } = content.values
  const isOff = kind.name === 'service' ? status === 'Off' : String(status).startsWith('Out of Service')
  const fare = isOff ? undefined : fareOf(object)
  return {
    object: kind.title,
    name,
    'operational-status': isOff ? String(status) : (fare?.status ?? 'Unknown'),
    'status-reason': isOff
      ? 'It is switched off.'
      : (fare?.reason ?? 'Nothing that carries traffic has reported.'),
  }
}
