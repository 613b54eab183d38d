import { X509Certificate } from 'node:crypto'
import { certificateNoticeMs, expiryOf, type ServiceWarning } from '@palisade/platform'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { keptCertificate } from '../objects/kept-certificate.ts'
import { childrenOf } from '../objects/reading.ts'
import { referencesOf, referredObject } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'

const dayMs = 86_400_000

/** The kinds whose objects are certificates that proxies show or trust. */
const certificateKinds = new Set(['signed-certificate', 'self-signed-certificate', 'trusted-ca-certificate'])

/**
 * What the certificates of a service and its servers are to be replaced for: sentences.
 *
 * @param now in milliseconds since 1970
 */
export function expiringCertificates(
  service: ConfigurationObject,
  snapshot: Snapshot,
  now: number,
): string[] {
  return [...certificatesOf(service, snapshot)].flatMap((certificate) => expiry(certificate, now) ?? [])
}

/**
 * What the operator is told of certificates, wherever he asks: no names, since anybody may ask whether the server is ready.
 *
 * @param now in milliseconds since 1970
 */
export function expiryWarnings(
  services: readonly ConfigurationObject[],
  snapshot: Snapshot,
  now: number,
): ServiceWarning[] {
  const affected = services.filter(
    (service) =>
      service.content.values.status === 'On' && expiringCertificates(service, snapshot, now).length > 0,
  )
  if (affected.length === 0) return []
  const message = `Certificates of ${affected.length} firewall services have expired or will within ${certificateNoticeMs / dayMs} days: their status names them.`
  return [{ condition: 'certificate-expiry', message }]
}

function certificatesOf(service: ConfigurationObject, snapshot: Snapshot): Set<ConfigurationObject> {
  const rules = childrenOf(service, 'rule-group')
  const servers = [
    ...childrenOf(service, 'server'),
    ...rules.flatMap((rule) => childrenOf(rule, 'rule-group-server')),
  ]
  const named = [service, ...servers]
    .flatMap(referencesOf)
    .flatMap((reference) => referredObject(reference, snapshot) ?? [])
  return new Set(named.filter(({ kind }) => certificateKinds.has(kind.name)))
}

function expiry(certificate: ConfigurationObject, now: number): string | undefined {
  const end = endOf(certificate)
  const told = end && expiryOf(end, now)
  return told && `The certificate ${certificate.name} ${told}: replace it.`
}

const ends = new WeakMap<ConfigurationObject, Date>()

/** Read once for each object, since all of them are asked for whenever the operator asks; undefined where it holds no certificate. */
function endOf(object: ConfigurationObject): Date | undefined {
  const known = ends.get(object)
  const kept = known === undefined ? keptCertificate(object) : undefined
  if (kept === undefined) return known
  const end = new X509Certificate(kept.certificate).validToDate
  ends.set(object, end)
  return end
}
