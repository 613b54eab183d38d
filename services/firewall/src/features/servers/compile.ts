import type { SnapshotServer } from '@palisade/proxy-protocol'
import { addedLater, byName, isOn, number, numberOr, text, textIfGiven } from '../../kinds/conversions.ts'
import { carriedFields, fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
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

/** Where a server is and whether it gets requests. `identifier` says which of address and hostname counts; without a port it is 80. */
export const serverReader = fieldReader(servers, {
  identifier: ['identifier', text],
  address: ['ip-address', textIfGiven],
  hostname: ['hostname', textIfGiven],
  port: ['port', (value: Value | undefined) => number(value) || httpPort],
  state: ['status', state],
  isBackup: ['backup-server', isOn],
})

/** The weight that stands on the server itself, which its behaviour carries over to the section. */
export const weightOfServer = carriedFields(servers, 'weight')

/** Its part of the requests, 1 unless it says otherwise. A server is a backup if either place says so. */
export const weightReader = sectionReader(servers, 'load-balancing', {
  isBackup: ['backup-server', isOn],
  weight: ['weight', numberOr(1)],
})

/** How connections to a server are opened and used. */
export const serverConnectionReader = sectionReader(servers, 'advanced-configuration', {
  /** Connections at once; 0 for any number. */
  connectionsMax: ['max-connections', number],
  /** Connections that are being opened at once, TLS included; any number when absent. */
  establishingMax: ['max-establishing-connections', addedLater(number)],
  /** Requests after which a connection is closed; 0 for any number. */
  requestsPerConnectionMax: ['max-keepalive-requests', number],
  /** Requests that wait for a connection at once; further ones are refused. Any number when 0 or absent. */
  waitingMax: ['max-requests', addedLater(number)],
  /** The address of the proxy's machine from which it is reached; undefined for any. */
  localAddress: ['source-ip-to-connect', textIfGiven],
  /** How long an answer is waited for, in milliseconds; 0 for any time. */
  responseTimeoutMs: ['timeout', number],
})

/** How long idle connections are kept, in milliseconds; undefined where none are. */
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

/** How connections to a server are opened and used. */
export type SnapshotServerConnections = Settings<typeof serverConnectionReader>
