import type {
  SnapshotAccessLimits,
  SnapshotCredentialChecks,
  SnapshotUrlPolicy,
} from '@palisade/proxy-protocol'
import {
  byName,
  bytesOfKilobytes,
  isNotOff,
  isOn,
  isPassive,
  number,
  numberOr,
  ranges,
  text,
} from '../../kinds/conversions.ts'
import { fieldReader, type Settings, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, optional } from '../../objects/reading.ts'
import { inOrder, placeMembers } from '../places/compile.ts'
import { urlPolicy } from './fields.ts'

/** The place of a URL policy, and what is checked there; undefined where it is switched off. */
export const urlPolicyReader = whenOn(
  fieldReader(urlPolicy, {
    isOn: ['status', isNotOff],
    ...placeMembers,
    isPassive: ['mode', isPassive],
    protectsData: ['enable-data-theft-protection', isOn],
  }),
)

/** How accesses to a URL are counted; undefined where they are not. The limits themselves depend on `counts`. */
export const accessLimitReader = whenOn(
  fieldReader(urlPolicy, {
    isOn: ['enable-bruteforce-prevention', isOn],
    windowSeconds: ['count-window', numberOr(60)],
    counts: ['counting-criterion', byName({ 'All Sources': 'all-clients' }, 'each-client')],
    countsFailures: ['enable-count-auth-resp-code', isOn],
    failuresBy: ['count-auth-resp-identifier', text],
    failureText: ['count-auth-resp-text-to-match', text],
    /** Clients that are not counted. */
    exceptions: ['exception-clients', ranges],
  }),
)

/** Against what log-ins are protected. */
export const credentialProtectionReader = fieldReader(urlPolicy, {
  against: [
    'credential-protection-type',
    byName(
      { 'Credential Stuffing Protection': 'stuffing', 'Credential Spraying Protection': 'spraying' },
      undefined,
    ),
  ],
})

/** Where log-ins have their user names and passwords, and how often one password may be tried. */
export const credentialReader = fieldReader(urlPolicy, {
  sentAs: [
    'credential-authentication-type',
    byName({ 'HTTP Basic Authentication': 'basic', 'JSON/AJAX Request': 'json' }, 'form'),
  ],
  /** Names of parameters or keys; those of JSON may be paths with dots. */
  userNameField: ['credential-stuffing-username-field', text],
  passwordField: ['credential-stuffing-password-field', text],
  /** For how many user names one password may be tried in the window. */
  attemptsMax: ['credential-spraying-blocking-threshold', numberOr(10)],
  windowSeconds: ['count-window', numberOr(60)],
  /** Clients whose log-ins are not looked at. */
  exceptions: ['exception-clients', ranges],
})

/** Limits for each client; a third point of view would be the client's fingerprint. */
export const limitsOfEachClient = fieldReader(urlPolicy, {
  accesses: ['max-allowed-accesses-per-ip', number],
  failures: ['max-failed-accesses-per-ip', number],
  /** In bytes of answers. */
  bandwidthBytes: ['max-bandwidth-per-ip', bytesOfKilobytes],
})

/** Limits for all clients together, in the place of those for each one; 0 for any number. */
export const limitsOfAllClients = fieldReader(urlPolicy, {
  accesses: ['max-allowed-accesses-from-all-sources', number],
  failures: ['max-failed-accesses-from-all-sources', number],
  bandwidthBytes: ['max-bandwidth-from-all-sources', bytesOfKilobytes],
})

/** The URL policies of a service, but for those that are switched off, or ask for nothing that is done. */
export function compileUrlPolicies(service: ConfigurationObject): SnapshotUrlPolicy[] {
  const policies = childrenOf(service, urlPolicy.name).flatMap((object) => {
    const read = urlPolicyReader.of(object)
    const limits = accessLimits(object)
    const credentials = credentialChecks(object)
    if (read === undefined || !(read.protectsData || limits || credentials)) return []
    return {
      name: object.name,
      ...read,
      ...optional('accessLimits', limits),
      ...optional('credentials', credentials),
    }
  })
  return inOrder(policies)
}

function credentialChecks(object: ConfigurationObject): SnapshotCredentialChecks | undefined {
  const { against } = credentialProtectionReader.of(object)
  const checks = credentialReader.of(object)
  return against === undefined || isWithoutPassword(checks) ? undefined : { against, ...checks }
}

function isWithoutPassword({ sentAs, passwordField }: Settings<typeof credentialReader>): boolean {
  return sentAs !== 'basic' && passwordField === ''
}

/** What comes to nothing of the protection of log-ins: sentences. */
export function ineffectiveCredentialChecks(service: ConfigurationObject): string[] {
  return activePolicies(service)
    .filter(
      (object) =>
        credentialProtectionReader.of(object).against !== undefined &&
        isWithoutPassword(credentialReader.of(object)),
    )
    .map(
      ({ name }) =>
        `The URL policy ${name} looks at no log-in: it has no credential-stuffing-password-field.`,
    )
}

/** The names of parameters that hold passwords, of which no log may show the values. */
export function passwordParameters(service: ConfigurationObject): string[] {
  return activePolicies(service).flatMap((object) => {
    const checks = credentialChecks(object)
    return checks === undefined || checks.sentAs === 'basic' ? [] : [checks.passwordField]
  })
}

function activePolicies(service: ConfigurationObject): ConfigurationObject[] {
  return childrenOf(service, urlPolicy.name).filter((object) => urlPolicyReader.of(object) !== undefined)
}

function accessLimits(object: ConfigurationObject): SnapshotAccessLimits | undefined {
  const read = accessLimitReader.of(object)
  if (read === undefined) return undefined
  const { countsFailures, failuresBy, failureText, ...rest } = read
  const limits = (read.counts === 'all-clients' ? limitsOfAllClients : limitsOfEachClient).of(object)
  const isByText = failuresBy === 'Response Page Text' && failureText !== ''
  return {
    ...rest,
    ...limits,
    failures: countsFailures ? limits.failures : 0,
    ...(isByText ? { failureText } : {}),
  }
}

/** What a URL policy says itself. */
export type SnapshotUrlPolicySettings = Omit<Settings<typeof urlPolicyReader>, keyof typeof placeMembers>

/** How often a URL may be asked for in the window; 0 for any number. */
export type SnapshotAccessMaxima = Settings<typeof limitsOfEachClient>

/** How accesses to a URL are counted. */
export type SnapshotAccessCounting = Omit<
  Settings<typeof accessLimitReader>,
  'countsFailures' | 'failuresBy' | 'failureText'
>

/** How log-ins are told, and how often one password may be tried. */
export type SnapshotCredentialSettings = Settings<typeof credentialReader>
