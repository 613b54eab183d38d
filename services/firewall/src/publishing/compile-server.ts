import type { SnapshotServer } from '@palisade/proxy-protocol'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'

const states: Readonly<Record<string, SnapshotServer['state']>> = {
  'In Service': 'in-service',
  'Out of Service Maintenance': 'maintenance',
  // Nothing binds clients to servers yet, so no client is left to be served.
  'Out of Service Sticky': 'maintenance',
  'Out of Service All': 'off',
}

const httpPort = 80

/** A server as proxies are told; undefined when it does not say where it is. */
export function compileServer({ name, content }: ConfigurationObject): SnapshotServer | undefined {
  const { values } = content
  const host = values.identifier === 'Hostname' ? values.hostname : values['ip-address']
  if (host === undefined) return undefined
  const limits = valuesOf(content, 'advanced-configuration')
  const pooling = valuesOf(content, 'connection-pooling')
  const tls = valuesOf(content, 'ssl-policy')
  const keepsConnections = pooling['enable-connection-pooling'] === 'Yes'
  return {
    name,
    host: String(host),
    port: Number(values.port) || httpPort,
    state: states[String(values.status)] ?? 'in-service',
    isBackup: values['backup-server'] === 'Yes',
    ...(tls['enable-https'] === 'Yes'
      ? { tls: { validatesCertificate: tls['validate-certificate'] === 'Yes' } }
      : {}),
    connectionsMax: Number(limits['max-connections'] ?? 0),
    keepAliveMs: keepsConnections ? Number(pooling['keepalive-timeout'] ?? 0) : 0,
    responseTimeoutMs: Number(limits.timeout ?? 0),
  }
}
