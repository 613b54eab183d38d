import { FieldSet } from '../kinds/field-set.ts'
import { shownValue, type Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { OperationalView } from './query.ts'

/** The members by which an object tells how it fares, as `parameters` may name them beside its own. */
export const operationalFields = new FieldSet(
  {
    'operational-status': { type: 'string', readOnly: true },
    'status-reason': { type: 'string', readOnly: true },
  },
  'category=operational',
)

/** How an object fares in the traffic. */
export interface Health {
  readonly status: 'Up' | 'Down' | 'Unknown'
  /** Sentences; empty when there is nothing to say. */
  readonly reason: string
}

/** How an object fares, as its reply shows it with category=operational. */
interface OperationalMembers {
  readonly object: string
  readonly name: string
  readonly 'operational-status': string
  /** Why, where that is not plain. */
  readonly 'status-reason': string
}

/** Knows how objects fare in the traffic; undefined for those that traffic has nothing to do with. */
export type HealthOf = (object: ConfigurationObject) => Health | undefined

/** What is known of objects beside what they hold. */
export interface Observed {
  readonly healthOf: HealthOf
  /** What is shown in the place of values of the object's own; undefined for nothing. */
  readonly valuesOf: (object: ConfigurationObject) => Values | undefined
}

/** What of operational states is shown. */
export interface OperationalQuestion {
  readonly view: OperationalView
  readonly healthOf: HealthOf
  /** The names of the members that were asked for, configured ones among them; those that tell the state when undefined. */
  readonly shown: ReadonlySet<string> | undefined
}

/** The operational state of an object and of the objects inside it, as JSON. */
export function operationalText(object: ConfigurationObject, question: OperationalQuestion): string {
  const { view, healthOf, shown } = question
  const own = view.ownMembers ? JSON.stringify(membersOf(object, healthOf, shown)).slice(1, -1) : ''
  const inside = view.children.map((kind) =>
    object.listText(kind, (inner) => JSON.stringify(membersOf(inner, healthOf, shown))),
  )
  return `{${[own, ...inside].filter((text) => text !== '').join(',')}}`
}

function membersOf(
  object: ConfigurationObject,
  healthOf: HealthOf,
  shown: ReadonlySet<string> | undefined,
): object {
  const members = operationalMembers(object, healthOf)
  if (shown === undefined) return members
  const { kind, content } = object
  const own = Array.from(
    kind.fields,
    ({ name, field }) => [name, shownValue(field, content.values[name])] as const,
  )
  return Object.fromEntries([...own, ...Object.entries(members)].filter(([name]) => shown.has(name)))
}

/** What was switched off does not run; how the rest fares is what those say who carry traffic. */
function operationalMembers(object: ConfigurationObject, healthOf: HealthOf): OperationalMembers {
  const { kind, name, content } = object
  const { status } = content.values
  const isOff = kind.name === 'service' ? status === 'Off' : String(status).startsWith('Out of Service')
  const health = isOff ? undefined : healthOf(object)
  return {
    object: kind.title,
    name,
    'operational-status': isOff ? String(status) : (health?.status ?? 'Unknown'),
    'status-reason': isOff
      ? 'It is switched off.'
      : (health?.reason ?? 'Nothing that carries traffic has reported.'),
  }
}
