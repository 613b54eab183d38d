import { isIP } from 'node:net'
import type {
  SnapshotBalancing,
  SnapshotContentRule,
  SnapshotPersistence,
  SnapshotServer,
} from '@palisade/proxy-protocol'
import { cachingOfContentRule } from '../features/caching/compile.ts'
import { compressionOfContentRule } from '../features/compression/compile.ts'
import { accessLogOfContentRule } from '../features/logging/compile.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { inOrder } from './compile-denials.ts'
import { compileServer } from './compile-server.ts'
import { childrenOf, optional } from './reading.ts'

const algorithms: Readonly<Record<string, SnapshotBalancing['algorithm']>> = {
  'Round Robin': 'round-robin',
  'Weighted Round Robin': 'weighted-round-robin',
  'Least Requests': 'least-requests',
}

const secondsPerMinute = 60

/** The servers inside an object, each as proxies are told. */
export function compileServers(
  object: ConfigurationObject,
  kindName: 'server' | 'rule-group-server',
  snapshot: Snapshot,
): SnapshotServer[] {
  return childrenOf(object, kindName).flatMap((server) => compileServer(server, snapshot) ?? [])
}

/**
 * The content rules of a service that are switched on, in the order in which they are tried.
 *
 * @param given.checksOf what the requests of a rule are judged by; undefined where the service says it
 * @param given.persistenceKey by which cookies name servers
 */
export function compileContentRules(
  service: ConfigurationObject,
  snapshot: Snapshot,
  given: {
    readonly checksOf: (rule: ConfigurationObject) => SnapshotContentRule['checks']
    readonly persistenceKey: string
  },
): SnapshotContentRule[] {
  const rules = childrenOf(service, 'rule-group')
    .filter(({ content }) => content.values.status === 'On')
    .map((rule) => ({
      name: rule.name,
      host: String(rule.content.values['host-match']),
      url: String(rule.content.values['url-match']),
      extendedMatch: String(rule.content.values['extended-match'] ?? '*'),
      sequence: Number(rule.content.values['extended-match-sequence'] ?? 0),
      servers: compileServers(rule, 'rule-group-server', snapshot),
      balancing: compileBalancing(valuesOf(rule.content, 'load-balancing'), given.persistenceKey),
      ...accessLogOfContentRule.of(rule),
      ...optional('checks', given.checksOf(rule)),
      ...optional('compression', compressionOfContentRule.of(rule)),
      ...optional('caching', cachingOfContentRule.of(rule)),
    }))
  return inOrder(rules)
}

/** The section `load-balancing` of a service or content rule. @param key by which cookies name servers */
export function compileBalancing(values: Values, key: string): SnapshotBalancing {
  const persistence = persistenceOf(values, key)
  return {
    algorithm: algorithms[String(values.algorithm ?? values['lb-algorithm'])] ?? 'round-robin',
    ...(persistence ? { persistence } : {}),
    whenServerFails: values['failover-method'] === 'Error' ? 'error' : 'another',
  }
}

function persistenceOf(values: Values, key: string): SnapshotPersistence | undefined {
  const text = (member: string) => String(values[member] ?? '')
  const idleSeconds = Number(values['persistence-idle-timeout'] ?? 0)
  const name = text('persistence-cookie-name') || 'persistence'
  switch (values['persistence-method']) {
    case 'Source IP':
      return { by: 'source-address', prefixLength: prefixLength(text('source-ip-netmask')) }
    case 'Cookie Insert': {
      const [domain, age] = [text('persistence-cookie-domain'), text('cookie-age')]
      return {
        by: 'cookie-insert',
        name,
        key,
        path: text('persistence-cookie-path') || '/',
        ...(domain === '' ? {} : { domain }),
        ...(age === '' ? {} : { maxAgeSeconds: Number(age) * secondsPerMinute }),
        idleSeconds,
      }
    }
    case 'Cookie Passive':
      return { by: 'cookie-passive', name, idleSeconds }
    case 'HTTP Header':
      return text('header-name') === '' ? undefined : { by: 'header', name: text('header-name') }
    case 'URL Parameter':
      return text('parameter-name') === '' ? undefined : { by: 'parameter', name: text('parameter-name') }
    default:
      return undefined
  }
}

/** "255.255.255.0" and "24" are both 24; what is neither is a mask for single addresses. */
function prefixLength(mask: string): number {
  if (isIP(mask) === 4) {
    const bits = mask.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
    return bits.join('').replace(/0.*$/, '').length
  }
  const length = Number(mask)
  return Number.isInteger(length) && length >= 1 && length <= 32 ? length : 32
}
