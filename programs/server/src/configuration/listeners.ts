import type { Configuration } from './schema.ts'

/** Addresses that stand for all of a machine's. */
const everywhere = new Set(['0.0.0.0', '::', '[::]'])

interface Listener {
  /** "firewall.listen.https" */
  readonly name: string
  readonly host: string
  readonly port: number
}

/** Which listeners of the server are given where another one of its listeners is: sentences that name both members. */
export function problemsOfListeners({ firewall, services }: Configuration): string[] {
  const metrics = firewall.runProxy ? firewall.proxyMetrics : undefined
  const listeners: Listener[] = [
    { name: 'firewall.listen.http', host: firewall.listen.host, port: firewall.listen.http },
    { name: 'firewall.listen.https', host: firewall.listen.host, port: firewall.listen.https },
    { name: 'services.listen.http', host: services.listen.host, port: services.listen.http },
    { name: 'services.listen.https', host: services.listen.host, port: services.listen.https },
    ...(metrics ? [{ name: 'firewall.proxyMetrics.port', ...metrics }] : []),
  ]
  return listeners.flatMap((listener, index) => {
    const other = listeners.slice(0, index).find((one) => collide(one, listener))
    return other === undefined
      ? []
      : [`${listener.name} is ${listener.port}, which ${other.name} has already`]
  })
}

/** The system chooses another port for each 0. */
function collide(one: Listener, other: Listener): boolean {
  if (one.port === 0 || one.port !== other.port) return false
  return one.host === other.host || everywhere.has(one.host) || everywhere.has(other.host)
}
