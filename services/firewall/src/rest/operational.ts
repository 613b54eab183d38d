import type { ConfigurationObject } from '../objects/configuration-object.ts'
import type { Fare } from '../publishing/fare.ts'

/** How an object fares, as its reply shows it with category=operational. */
export interface OperationalMembers {
  readonly object: string
  readonly name: string
  readonly 'operational-status': string
  /** Why, where that is not plain. */
  readonly 'status-reason': string
}

/** Knows how objects fare in the traffic; undefined for those that traffic has nothing to do with. */
export type FareOf = (object: ConfigurationObject) => Fare | undefined

/** What was switched off does not run; how the rest fares is what those say who carry traffic. */
export function operationalMembers(object: ConfigurationObject, fareOf: FareOf): OperationalMembers {
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
