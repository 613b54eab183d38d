import type { SnapshotClientCertificates } from '@palisade/proxy-protocol'
import { isOn, oneOf } from '../../kinds/conversions.ts'
import { type Settings, sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { foreignCertificates } from '../tls/certificates.ts'

const section = 'ssl-client-authentication'
const always = 'For Service'

/** Whether all clients of a service are asked for a certificate. "For Selected Rule(s)" is not enforced. */
export const clientCertificateReader = sectionReader(service, section, {
  authentication: ['client-authentication', oneOf('Disable', always)],
  /** Whether clients without one, or with one that is not trusted, are turned away. */
  areRequired: ['enforce-client-certificate', isOn],
})

/** The `trusted-ca-certificate` objects that the certificates of clients are checked against. */
export const clientCertificateAuthorities = sectionReferenceReader(service, section, 'trusted-certificates')

/** Which certificates clients show; undefined where they are not asked for one. */
export function compileClientCertificates(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotClientCertificates | undefined {
  const { authentication, areRequired } = clientCertificateReader.of(object)
  if (authentication !== always) return undefined
  const authorities = foreignCertificates(clientCertificateAuthorities.of(object, snapshot))
  return { areRequired, authorities }
}

/** How clients show certificates. */
export type SnapshotClientCertificateSettings = Omit<
  Settings<typeof clientCertificateReader>,
  'authentication'
>
