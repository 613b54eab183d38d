import { X509Certificate } from 'node:crypto'
import { certificateNoticeMs, expiryOf, type ServiceWarning } from '@palisade/platform'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { childrenOf } from '../objects/reading.ts'
import { type Reference, referencesOf, referredObject } from '../objects/references.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { isRenewedByItself, readStoredCertificate } from '../objects/stored-certificate.ts'

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

/**
 * When the first certificate ends that services which are on present or trust, or that their servers do.
 *
 * @returns undefined where they have none
 */
export function soonestExpiry(
  services: readonly ConfigurationObject[],
  snapshot: Snapshot,
): Date | undefined {
  const certificates = services
    .filter(({ content }) => content.values.status === 'On')
    .flatMap((service) => [...certificatesOf(service, snapshot)])
  const ends = certificates.flatMap((certificate) => lifeOf(certificate)?.end ?? [])
  return ends.reduce<Date | undefined>(
    (soonest, end) => (soonest && soonest < end ? soonest : end),
    undefined,
  )
}

function certificatesOf(service: ConfigurationObject, snapshot: Snapshot): Set<ConfigurationObject> {
  const named = referencesToCertificates(service).flatMap(
    (reference) => referredObject(reference, snapshot) ?? [],
  )
  return new Set(named.filter(({ kind }) => certificateKinds.has(kind.name)))
}

const references = new WeakMap<ConfigurationObject, readonly Reference[]>()

/** Read once for each service, since those of all services are asked for every minute. */
function referencesToCertificates(service: ConfigurationObject): readonly Reference[] {
  const read = references.get(service)
  if (read !== undefined) return read
  const rules = childrenOf(service, 'rule-group')
  const servers = [
    ...childrenOf(service, 'server'),
    ...rules.flatMap((rule) => childrenOf(rule, 'rule-group-server')),
  ]
  const named = [service, ...servers]
    .flatMap(referencesOf)
    .filter(({ places }) => places.some(({ kind }) => certificateKinds.has(kind.name)))
  references.set(service, named)
  return named
}

/** Of one that is renewed by itself nothing is said before that is late: in the last quarter of a life that may be days. */
function expiry(certificate: ConfigurationObject, now: number): string | undefined {
  const life = lifeOf(certificate)
  if (life === undefined) return undefined
  const { begin, end } = life
  const isLate = end.getTime() - now < (end.getTime() - begin.getTime()) / 4
  const expiry = isLate || !isRenewedByItself(certificate) ? expiryOf(end, now) : undefined
  return expiry && `The certificate ${certificate.name} ${expiry}: replace it.`
}

interface Life {
  readonly begin: Date
  readonly end: Date
}

const lives = new WeakMap<ConfigurationObject, Life>()

/** Read once for each object, since all of them are asked for whenever the operator asks; undefined where it holds no certificate. */
function lifeOf(object: ConfigurationObject): Life | undefined {
  const lifetime = lives.get(object)
  const stored = lifetime === undefined ? readStoredCertificate(object) : undefined
  if (stored === undefined) return lifetime
  const { validFromDate: begin, validToDate: end } = new X509Certificate(stored.certificate)
  const life = { begin, end }
  lives.set(object, life)
  return life
}
