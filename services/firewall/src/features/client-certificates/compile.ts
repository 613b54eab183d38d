import type {
  SnapshotClientCertificates,
  SnapshotRevocationList,
  SnapshotStatusResponder,
} from '@palisade/proxy-protocol'
import { byName, isNotOff, isOn, numberOr, text } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { Value } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, optional } from '../../objects/reading.ts'
import { sectionReferenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { contentRuleReader } from '../content-rules/compile.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { service } from '../services/service.ts'
import { foreignCertificates } from '../tls/certificates.ts'
import { clientCertificateCrl } from './client-certificate-crl.ts'

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

/** Who is asked whether the certificate of a client was revoked; undefined where nobody is. */
export const statusResponderReader = whenOn(
  sectionReader(service, 'ssl-ocsp', {
    isOn: ['enable', isOn],
    /** Of HTTP or HTTPS; empty for the one that the certificate names. */
    url: ['responder-url', text],
  }),
)

/** Whose key signs the answers about certificates. */
export const statusSigner = sectionReferenceReader(service, 'ssl-ocsp', 'certificate')

function statusResponder(
  object: ConfigurationObject,
  snapshot: Snapshot,
): SnapshotStatusResponder | undefined {
  const read = statusResponderReader.of(object)
  return read && { ...read, signers: foreignCertificates(statusSigner.of(object, snapshot)) }
}

/** How often a download is tried again where nobody has said so. */
const defaultRetries = 3

/** Where a list of revoked certificates comes from, and when; undefined where it is not obeyed. */
export const revocationListReader = whenOn(
  fieldReader(clientCertificateCrl, {
    isOn: ['enable', isNotOff],
    /** Of HTTP or HTTPS; a name and a password in it are sent by HTTP's Basic authentication. */
    url: ['url', text],
    /** Whether it is downloaded again while the one that is there counts. */
    isUpdated: ['auto-update', isNotOff],
    /** How often it is updated. */
    interval: ['auto-update-type', byName({ Weekly: 'week', Monthly: 'month' }, 'day')],
    /** From 1 to 31, for monthly updates; in a month that is shorter, its last day is meant. */
    dayOfMonth: ['date-of-month', numberOr(1)],
    /** For weekly updates, 0 for Sunday. */
    dayOfWeek: ['day-of-week', dayOfWeek],
    /** When updates begin, in seconds since midnight, UTC. */
    secondOfDay: ['time-of-day', secondOfDay],
    /** How often an update that failed is tried again. */
    retriesMax: ['number-of-retries', numberOr(defaultRetries)],
  }),
)

function dayOfWeek(value: Value | undefined): number {
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  return Math.max(0, days.indexOf(text(value)))
}

/** Of a time such as 14:30, 14:30:15 or 2:30 PM; midnight for none. */
function secondOfDay(value: Value | undefined): number {
  const [, hour = '0', minute = '0', second = '0', half = ''] =
    /^(\d+):(\d+)(?::(\d+))? ?([ap]m)?$/i.exec(text(value)) ?? []
  // 12 AM is midnight, and 12 PM is noon.
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
  return (hours * 60 + Number(minute)) * 60 + Number(second)
}

/** The lists of revoked certificates of a service; undefined where it obeys none. */
function revocationLists(object: ConfigurationObject): SnapshotRevocationList[] | undefined {
  const lists = childrenOf(object, clientCertificateCrl.name).flatMap((list) => {
    const read = revocationListReader.of(list)
    return read === undefined ? [] : [{ name: list.name, ...read }]
  })
  return lists.length === 0 ? undefined : lists
}

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
  return {
    areRequired: areRequired && authentication === always,
    authorities,
    ...optional('revocationLists', revocationLists(object)),
    ...optional('statusResponder', statusResponder(object, snapshot)),
  }
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

/** What a list of revoked certificates says itself. */
export type SnapshotRevocationListSettings = Settings<typeof revocationListReader>

/** Who says whether certificates were revoked. */
export type SnapshotStatusResponderSettings = Settings<typeof statusResponderReader>

/** How clients show certificates. */
export type SnapshotClientCertificateSettings = Omit<
  Settings<typeof clientCertificateReader>,
  'authentication'
>
