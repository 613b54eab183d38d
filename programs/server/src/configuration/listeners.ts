import { type Problem, problemAt } from '@palisade/platform'
import type { Configuration } from './schema.ts'

/** Addresses that stand for all of a machine's. */
const everywhere = new Set(['0.0.0.0', '::', '[::]'])

interface Listener {
  readonly path: readonly string[]
  readonly host: string
  readonly port: number
}

/** Which listeners of the server are given where another one of its listeners is; the sentences name both members. */
export function problemsOfListeners({
  firewall,
  services,
}: Pick<Configuration, 'firewall' | 'services'>): Problem[] {
  const metrics = firewall.runProxy ? firewall.proxyMetrics : undefined
  const answering = firewall.acme?.challengeListener
  const listeners: Listener[] = [
    ...doorsOf('firewall', firewall.listen),
    ...doorsOf('services', services.listen),
    ...(answering ? [{ path: ['firewall', 'acme', 'challengeListener', 'port'], ...answering }] : []),
    ...(metrics ? [{ path: ['firewall', 'proxyMetrics', 'port'], ...metrics }] : []),
  ]
  return listeners.flatMap((listener, index) => {
    const other = listeners.slice(0, index).find((one) => collide(one, listener))
    if (other === undefined) return []
    const says = `is ${listener.port}, which ${other.path.join('.')} has already`
    return [{ ...problemAt(listener.path, says), otherPath: other.path }]
  })
}

function doorsOf(
  part: 'firewall' | 'services',
  { host, http, https }: Configuration['services']['listen'],
): Listener[] {
  return [
    { path: [part, 'listen', 'http'], host, port: http },
    { path: [part, 'listen', 'https'], host, port: https },
  ]
}

/** The system chooses another port for each 0. */
function collide(one: Listener, other: Listener): boolean {
  if (one.port === 0 || one.port !== other.port) return false
  return one.host === other.host || everywhere.has(one.host) || everywhere.has(other.host)
}
