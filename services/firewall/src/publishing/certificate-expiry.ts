import { X509Certificate } from 'node:crypto'
import type { ServiceWarning } from '@palisade/platform'
import { keptCertificate } from '../behaviours/certificates/kept-certificate.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { referencesOf } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { childrenOf, referredObject } from './reading.ts'

const dayMs = 86_400_000

/** How long before its end a certificate is spoken of. */
const noticeMs = 21 * dayMs

/** The kinds whose objects are certificates that proxies show or trust. */
const certificateKinds = new Set(['signed-certificate', 'self-signed-certificate', 'trusted-ca-certificate'])

const ends = new WeakMap<ConfigurationObject, number>()

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
  const message = `Certificates of ${affected.length} firewall services have expired or will within ${noticeMs / dayMs} days: their status names them.`
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
  if (end === undefined || end - now > noticeMs) return undefined
  const verb = end <= now ? 'has expired' : 'expires'
  return `The certificate ${certificate.name} ${verb} on ${new Date(end).toISOString().slice(0, 10)}: replace it.`
}

/** In milliseconds since 1970; undefined where the object holds no certificate. */
function endOf(object: ConfigurationObject): number | undefined {
  const known = ends.get(object)
  if (known !== undefined) return known
  const kept = keptCertificate(object)
  if (kept === undefined) return undefined
  const end = new X509Certificate(kept.certificate).validToDate.getTime()
  ends.set(object, end)
  return end
}
