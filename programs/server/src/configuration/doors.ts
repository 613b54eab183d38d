import type { Configuration } from './schema.ts'

/** Addresses that stand for all of a machine's. */
const everywhere = new Set(['0.0.0.0', '::', '[::]'])

interface Door {
  /** "firewall.listen.https" */
  readonly name: string
  readonly host: string
  readonly port: number
}

/** Which doors of the server are given where another one of its doors is: sentences that name both members. */
export function problemsOfDoors({ firewall, services }: Configuration): string[] {
  const metrics = firewall.runProxy ? firewall.proxyMetrics : undefined
  const doors: Door[] = [
    { name: 'firewall.listen.http', host: firewall.listen.host, port: firewall.listen.http },
    { name: 'firewall.listen.https', host: firewall.listen.host, port: firewall.listen.https },
    { name: 'services.listen.http', host: services.listen.host, port: services.listen.http },
    { name: 'services.listen.https', host: services.listen.host, port: services.listen.https },
    ...(metrics ? [{ name: 'firewall.proxyMetrics.port', ...metrics }] : []),
  ]
  return doors.flatMap((door, index) => {
    const other = doors.slice(0, index).find((one) => collide(one, door))
    return other === undefined ? [] : [`${door.name} is ${door.port}, which ${other.name} has already`]
  })
}

/** The system chooses another port for each 0. */
function collide(one: Door, other: Door): boolean {
  if (one.port === 0 || one.port !== other.port) return false
  return one.host === other.host || everywhere.has(one.host) || everywhere.has(other.host)
}
