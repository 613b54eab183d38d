import type { Session } from './session.ts'

/** What operators have grants for. */
const services = ['firewall', 'awareness', 'backup', 'email'] as const
type Service = (typeof services)[number]
type Operator = Pick<Session, 'grants'>

/**
 * Whether an operator may change something, so that nobody is shown a button that would be refused. The server decides; this
 * only says the same (see the roles in the README of the administration).
 *
 * @param area a service, or channels and routes
 * @param account of backup or email; without one the question is about what belongs to no account
 */
export function mayChange({ grants }: Operator, area: Service | 'notifications', account?: string): boolean {
  return grants.some(
    (grant) =>
      grant.role === 'owner' ||
      (grant.role === 'operator' &&
        (grant.service ?? area) === area &&
        (grant.account === undefined || grant.account === account)),
  )
}

/** Whether an operator may change operators, their sessions and tokens. */
export function isOwner({ grants }: Operator): boolean {
  return grants.some(({ role }) => role === 'owner')
}

/** Whether an operator may see what is of all services: people, notifications, the audit log, the system. */
export function mayReadAll({ grants }: Operator): boolean {
  return grants.some(({ service }) => service === undefined)
}

/** Whether an operator may see a service, or an account of it. */
export function mayRead({ grants }: Operator, service: Service): boolean {
  return grants.some((grant) => (grant.service ?? service) === service)
}

/** Whether an operator may see what belongs to no account of a service. */
export function mayReadService({ grants }: Operator, service: Service): boolean {
  return grants.some((grant) => (grant.service ?? service) === service && grant.account === undefined)
}

/** Whether an operator is told what needs attention: of all services, or of those that he may see as a whole. */
export function mayReadAttention(operator: Operator): boolean {
  return services.some((service) => mayReadService(operator, service))
}

/** Who may see a page, by how its address begins; the first that fits counts. Everybody sees the others. */
const readers: readonly (readonly [path: string, maySee: (operator: Operator) => boolean])[] = [
  // Step by step through changes.
  ['/firewall/protect', (operator) => mayChange(operator, 'firewall')],
  ['/firewall/', (operator) => mayRead(operator, 'firewall')],
  ['/backup/', (operator) => mayRead(operator, 'backup')],
  ['/email/api-clients', (operator) => mayReadService(operator, 'email')],
  ['/email/', (operator) => mayRead(operator, 'email')],
  ['/awareness/', (operator) => mayRead(operator, 'awareness')],
  ['/operators', mayReadAll],
  ['/notifications', mayReadAll],
  ['/audit', mayReadAll],
  ['/system', mayReadAll],
]

/** Whether an operator may see a page. @param path below /console */
export function maySee(operator: Operator, path: string): boolean {
  const [, isReader = () => true] = readers.find(([start]) => path.startsWith(start)) ?? []
  return isReader(operator)
}
