import type { SnapshotClientCertificates } from '@palisade/proxy-protocol'
import { isOn, oneOf } from '../../kinds/conversions.ts'
import { sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { service } from '../services/service.ts'
import { foreignCertificates } from '../tls/certificates.ts'

const section = 'ssl-client-authentication'
const always = 'For Service'

export const clientCertificateReader = sectionReader(service, section, {
  authentication: ['client-authentication', oneOf('Disable', always)],
  areRequired: ['enforce-client-certificate', isOn],
})

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
