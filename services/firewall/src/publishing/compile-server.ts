import type {
  SnapshotHealth,
  SnapshotProbe,
  SnapshotServer,
  SnapshotServerTls,
} from '@palisade/proxy-protocol'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import { referencesIn } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { enabledVersions } from './compile-tls.ts'
import { ownCertificate } from './own-certificates.ts'
import { isOn } from './reading.ts'

const states: Readonly<Record<string, SnapshotServer['state']>> = {
  'In Service': 'in-service',
  'Out of Service Maintenance': 'maintenance',
  'Out of Service Sticky': 'sticky',
  'Out of Service All': 'off',
}

const httpPort = 80

/** A server of a service or content rule as proxies are told; undefined when it does not say where it is. */
export function compileServer(server: ConfigurationObject, snapshot: Snapshot): SnapshotServer | undefined {
  const { name, content } = server
  const { values } = content
  const host = values.identifier === 'Hostname' ? values.hostname : values['ip-address']
  if (host === undefined || host === '') return undefined
  const limits = valuesOf(content, 'advanced-configuration')
  const pooling = valuesOf(content, 'connection-pooling')
  const balancing = valuesOf(content, 'load-balancing')
  const policy = valuesOf(content, 'ssl-policy')
  const localAddress = String(limits['source-ip-to-connect'] ?? '')
  return {
    name,
    host: String(host),
    port: Number(values.port) || httpPort,
    state: states[String(values.status)] ?? 'in-service',
    isBackup: values['backup-server'] === 'Yes' || balancing['backup-server'] === 'Yes',
    weight: Number(balancing.weight ?? 1),
    ...(isOn(policy['enable-https']) ? { tls: tlsOf(server, policy, snapshot) } : {}),
    offersHttp2: isOn(policy['enable-https']) && policy['enable-http2-server'] === 'Yes',
    connectionsMax: Number(limits['max-connections'] ?? 0),
    requestsPerConnectionMax: Number(limits['max-keepalive-requests'] ?? 0),
    ...(localAddress === '' ? {} : { localAddress }),
    keepAliveMs:
      pooling['enable-connection-pooling'] === 'Yes' ? Number(pooling['keepalive-timeout'] ?? 0) : 0,
    responseTimeoutMs: Number(limits.timeout ?? 0),
    health: healthOf(server),
  }
}

function tlsOf(server: ConfigurationObject, policy: Values, snapshot: Snapshot): SnapshotServerTls {
  const certificate = ownCertificate(referencesIn(server, 'ssl-policy', 'client-certificate')[0], snapshot)
  return {
    validatesCertificate: policy['validate-certificate'] === 'Yes',
    ...(enabledVersions(policy) ?? { oldestVersion: 'TLSv1.2', newestVersion: 'TLSv1.3' }),
    ...(certificate ? { certificate } : {}),
  }
}

function healthOf({ content }: ConfigurationObject): SnapshotHealth {
  const counted = valuesOf(content, 'in-band-health-checks')
  const asked = valuesOf(content, 'out-of-band-health-checks')
  const isAsked = isOn(asked['enable-oob-health-checks'])
  return {
    refusedMax: Number(counted['max-refused'] ?? 0),
    timeoutsMax: Number(counted['max-timeout-failure'] ?? 0),
    httpErrorsMax: Number(counted['max-http-errors'] ?? 0),
    otherFailuresMax: Number(counted['max-other-failure'] ?? 0),
    ...(isAsked
      ? { probe: probeOf(valuesOf(content, 'application-layer-health-checks'), Number(asked.interval ?? 10)) }
      : {}),
  }
}

function probeOf(values: Values, everySeconds: number): SnapshotProbe {
  const text = (member: string) => String(values[member] ?? '')
  if (text('url') === '') return { everySeconds }
  return {
    everySeconds,
    request: {
      method: text('method'),
      path: text('url'),
      ...(text('domain') === '' ? {} : { host: text('domain') }),
      headers: [values['additional-headers'] ?? []].flat().flatMap((line) => headerOf(String(line))),
      status: Number(values['status-code'] ?? 200),
      ...(text('match-content-string') === '' ? {} : { contains: text('match-content-string') }),
    },
  }
}

/** "Name: value" as name and value; nothing where it is something else. */
function headerOf(line: string): string[] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([\x20-\x7e\x80-\xff]*)$/.exec(line) ?? []
  return name === undefined || value === undefined ? [] : [name, value]
}
