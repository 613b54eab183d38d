import type { ConfigurationObject } from '../objects/configuration-object.ts'

/** How an object fares, as its reply shows it with category=operational. */
export interface OperationalMembers {
  readonly object: string
  readonly name: string
  readonly 'operational-status': string
  /** Why, where that is not plain. */
  readonly 'status-reason': string
}

/**
 * Whoever carries traffic reports how services, servers and interfaces fare. As long as nobody does, what is
 * switched on does not run, and of the rest nothing is known.
 */
export function operationalMembers({ kind, name, content }: ConfigurationObject): OperationalMembers {
  const { status } = content.values
  const isService = kind.name === 'service'
  const isOff = isService ? status === 'Off' : String(status).startsWith('Out of Service')
  return {
    object: kind.title,
    name,
    'operational-status': isOff ? String(status) : isService ? 'Down' : 'Unknown',
    'status-reason': isOff ? 'It is switched off.' : 'Nothing that carries traffic has reported.',
  }
}
