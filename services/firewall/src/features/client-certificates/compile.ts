import type { SnapshotClientCertificates } from '@palisade/proxy-protocol'
import { isOn, text } from '../../kinds/conversions.ts'
import { type Settings, sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { contentRuleReader } from '../content-rules/compile.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'
import { foreignCertificates } from '../tls/certificates.ts'

const section = 'ssl-client-authentication'
const always = 'For Service'
const byRule = 'For Selected Rule(s)'

/** Whether clients of a service are asked for a certificate: all, or those of some content rules. */
export const clientCertificateReader = sectionReader(service, section, {
  authentication: ['client-authentication', text],
  /** Whether clients without one, or with one that is not trusted, are turned away. */
  areRequired: ['enforce-client-certificate', isOn],
})

/** The `trusted-ca-certificate` objects that the certificates of clients are checked against. */
export const clientCertificateAuthorities = sectionReferenceReader(service, section, 'trusted-certificates')

/** The content rules whose requests need a certificate. */
export const rulesWithCertificates = sectionReferenceReader(service, section, 'client-certificate-for-rule')

/**
 * Which certificates clients show; undefined where they are not asked for one. In a handshake nobody knows yet what will be asked for: where
 * rules want a certificate, everybody may show one.
 */
export function compileClientCertificates(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotClientCertificates | undefined {
  const { authentication, areRequired } = clientCertificateReader.of(object)
  if (authentication !== always && authentication !== byRule) return undefined
  const authorities = foreignCertificates(clientCertificateAuthorities.of(object, snapshot))
  return { areRequired: areRequired && authentication === always, authorities }
}

/** The names of the content rules of a service that let nobody in without a certificate. */
export function rulesThatNeedCertificates(object: ConfigurationObject): ReadonlySet<string> {
  const { authentication, areRequired } = clientCertificateReader.of(object)
  return new Set(authentication === byRule && areRequired ? namesOfRules(object) : [])
}

/** What comes to nothing of the rules that are to ask for certificates: sentences. */
export function rulesWithoutCertificates(object: ConfigurationObject): string[] {
  if (clientCertificateReader.of(object).authentication !== byRule) return []
  const names = namesOfRules(object)
  const isOn = new Set(
    childrenOf(object, ruleGroup.name).flatMap((rule) => (contentRuleReader.of(rule) ? rule.name : [])),
  )
  const off = names.filter((name) => !isOn.has(name))
  return [
    ...(names.length === 0
      ? [`No client needs a certificate: client-certificate-for-rule of ${section} names no content rule.`]
      : []),
    ...off.map((name) => `Nobody needs a certificate for the content rule ${name}: it is switched off.`),
  ]
}

function namesOfRules(object: ConfigurationObject): string[] {
  return rulesWithCertificates.referencesOf(object).map(({ name }) => name)
}

/** How clients show certificates. */
export type SnapshotClientCertificateSettings = Omit<
  Settings<typeof clientCertificateReader>,
  'authentication'
>
