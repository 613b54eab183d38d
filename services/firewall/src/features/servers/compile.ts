import type { SnapshotServer } from '@palisade/proxy-protocol'
import { byName, isOn, number, numberOr, text, textIfGiven } from '../../kinds/conversions.ts'
import { carriedFields, fieldReader, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { ruleGroupServer } from '../content-rules/rule-group-server.ts'
import { compileHealth } from '../server-health/compile.ts'
import { compileServerTls } from '../server-tls/compile.ts'
import { server } from './server.ts'

const servers = [server, ruleGroupServer] as const

const httpPort = 80

const state = byName<SnapshotServer['state']>(
  {
    'In Service': 'in-service',
    'Out of Service Maintenance': 'maintenance',
    'Out of Service Sticky': 'sticky',
    'Out of Service All': 'off',
  },
  'in-service',
)

export const serverReader = fieldReader(servers, {
  identifier: ['identifier', text],
  address: ['ip-address', textIfGiven],
  hostname: ['hostname', textIfGiven],
  port: ['port', (value: Value | undefined) => number(value) || httpPort],
  state: ['status', state],
  isBackup: ['backup-server', isOn],
})

export const weightOfServer = carriedFields(servers, 'weight')

export const weightReader = sectionReader(servers, 'load-balancing', {
  isBackup: ['backup-server', isOn],
  weight: ['weight', numberOr(1)],
})

export const serverConnectionReader = sectionReader(servers, 'advanced-configuration', {
  connectionsMax: ['max-connections', number],
  requestsPerConnectionMax: ['max-keepalive-requests', number],
  localAddress: ['source-ip-to-connect', textIfGiven],
  responseTimeoutMs: ['timeout', number],
})

export const poolingReader = whenOn(
  sectionReader(servers, 'connection-pooling', {
    isOn: ['enable-connection-pooling', isOn],
    keepAliveMs: ['keepalive-timeout', number],
  }),
)

/** The servers inside a service or content rule, each as proxies are told. */
export function compileServers(
  object: ConfigurationObject,
  kind: typeof server | typeof ruleGroupServer,
  snapshot: Snapshot,
): SnapshotServer[] {
  return childrenOf(object, kind.name).flatMap((one) => compileServer(one, snapshot) ?? [])
}

/** A server as proxies are told; undefined when it does not say where it is. */
function compileServer(object: ConfigurationObject, snapshot: Snapshot): SnapshotServer | undefined {
  const { identifier, address, hostname, port, state, isBackup } = serverReader.of(object)
  const host = identifier === 'Hostname' ? hostname : address
  if (host === undefined) return undefined
  const balancing = weightReader.of(object)
  return {
    name: object.name,
    host,
    port,
    state,
    isBackup: isBackup || balancing.isBackup,
    weight: balancing.weight,
    ...compileServerTls(object, snapshot),
    ...serverConnectionReader.of(object),
    keepAliveMs: poolingReader.of(object)?.keepAliveMs ?? 0,
    health: compileHealth(object),
  }
}
