import { isIPv4 } from 'node:net'
import type {
  SnapshotAccessLimits,
  SnapshotChecks,
  SnapshotHeaderAcl,
  SnapshotParameterProtection,
  SnapshotRequestPool,
  SnapshotSessionLimits,
  SnapshotSessionToken,
  SnapshotUrlPolicy,
} from '@palisade/proxy-protocol'
import { compilePlace, inOrder } from '../features/places/compile.ts'
import { compileRuleExceptions } from '../features/rule-exceptions/compile.ts'
import { compileSecondOpinions } from '../features/second-opinions/compile.ts'
import { compileUrlAcls } from '../features/url-acls/compile.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { compileJsonProfiles } from './compile-json-profiles.ts'
import { compileAttackTypes, spamPatterns } from './compile-patterns.ts'
import { compileProfiles } from './compile-profiles.ts'
import {
  byteString,
  childrenOf,
  isOn,
  kindNamedBy,
  numberIn,
  optional,
  rangesIn,
  referredBy,
  switchedOn,
  textIn,
  texts,
} from './reading.ts'

const bytesPerKilobyte = 1024

/** What the rest of the configuration gives to the checks of a service. */
export interface CheckSources {
  readonly snapshot: Snapshot
  /** That of the service's policy. */
  readonly protection: SnapshotParameterProtection | undefined
  /** The only object of its kind; undefined while nobody has changed it. */
  readonly blocklist: ConfigurationObject | undefined
  /** Whether the address of a client may come from a header at all, as the system says. */
  readonly believesClientHeaders: boolean
}

/** What a service says itself about the checks of its requests. */
export function compileChecks(service: ConfigurationObject, sources: CheckSources): SnapshotChecks {
  const { snapshot, protection } = sources
  const basic = valuesOf(service.content, 'basic-security')
  const header = sources.believesClientHeaders ? textIn(basic, 'client-ip-addr-header').toLowerCase() : ''
  const trusted = trustedClients(service, basic, snapshot)
  const profiles = compileProfiles(service, protection, snapshot)
  const sessions = sessionLimits(service, snapshot)
  const pool = requestPool(service, basic, snapshot)
  const spam = refererSpam(service, snapshot)
  const exceptions = compileRuleExceptions(service)
  return {
    ignoresCase: basic['ignore-case'] !== 'No',
    logLevel: Number.parseInt(textIn(basic, 'web-firewall-log-level'), 10) || 0,
    ...(header === '' ? {} : { clientAddressHeader: header }),
    ...(trusted ? { trusted } : {}),
    blockedClients: blockedClients(valuesOf(service.content, 'ip-reputation'), sources.blocklist),
    urlAcls: compileUrlAcls(service, snapshot),
    headerAcls: childrenOf(service, 'header-acl').flatMap((acl) => headerAcl(acl, snapshot) ?? []),
    ...(profiles ? { profiles } : {}),
    ...optional('jsonProfiles', compileJsonProfiles(service, protection, snapshot)),
    ...optional('ruleExceptions', exceptions),
    ...optional('secondOpinions', compileSecondOpinions(service, exceptions)),
    urlPolicies: inOrder(childrenOf(service, 'url-policy').flatMap((policy) => urlPolicy(policy) ?? [])),
    ...(sessions ? { sessions } : {}),
    ...(spam ? { refererSpam: spam } : {}),
    ...(pool ? { requestPool: pool } : {}),
  }
}

/** What ships with the firewall is always looked for. */
const ownSpamType = 'Spam URL List'

function refererSpam(service: ConfigurationObject, snapshot: Snapshot): SnapshotChecks['refererSpam'] {
  const section = 'referer-spam'
  const values = valuesOf(service.content, section)
  if (values.status !== 'On') return undefined
  const kind = kindNamedBy(service.kind, 'custom-blocked-patterns')
  const own = kind && snapshot.object(kind, [ownSpamType])
  const others = referredBy(service, section, 'custom-blocked-patterns', snapshot)
  return {
    patterns: [...new Set([...(own ? [own] : []), ...others])].flatMap(spamPatterns),
    exceptions: texts(values['exception-patterns']),
  }
}

function requestPool(
  service: ConfigurationObject,
  values: Values,
  snapshot: Snapshot,
): SnapshotRequestPool | undefined {
  const [pool] = referredBy(service, 'basic-security', 'rate-control-pool', snapshot)
  if (pool === undefined || values['rate-control-status'] !== 'On') return undefined
  const limit = (member: string) => numberIn(pool.content.values, member) ?? Number.MAX_SAFE_INTEGER
  return {
    name: pool.name,
    activeMax: limit('max-active-requests'),
    backlogMax: limit('max-per-client-backlog'),
    clientsMax: limit('max-unconfigured-clients'),
    preferred: switchedOn(pool, 'preferred-client').map(({ content }) => ({
      clients: rangesIn(content.values['ip-range']),
      weight: numberIn(content.values, 'weight') ?? 1,
    })),
  }
}

function trustedClients(
  service: ConfigurationObject,
  values: Values,
  snapshot: Snapshot,
): SnapshotChecks['trusted'] {
  const [group] = referredBy(service, 'basic-security', 'trusted-hosts-group', snapshot)
  const action = textIn(values, 'trusted-hosts-action')
  if (group === undefined || (action !== 'Allow' && action !== 'Passive')) return undefined
  return {
    does: action === 'Allow' ? 'allow' : 'passive',
    clients: networksOf(group),
  }
}

/** The addresses and networks of a group of trusted hosts. */
export function networksOf(group: ConfigurationObject): string[] {
  return childrenOf(group, 'trusted-host').flatMap(({ content }) => networkOf(content.values) ?? [])
}

/** An address with the length of its prefix. */
function networkOf(values: Values): string | undefined {
  const isVersion6 = values.version === 'IPv6'
  const address = textIn(values, isVersion6 ? 'ipv6-address' : 'ip-address')
  const mask = textIn(values, isVersion6 ? 'ipv6-mask' : 'mask')
  if (address === '') return undefined
  return mask === '' ? address : `${address}/${prefixLength(mask)}`
}

/** "255.255.255.0" is 24, "ffff:ffff::" is 32, "64" is 64. */
function prefixLength(mask: string): number {
  if (isIPv4(mask)) return onesIn(mask.split('.').map(Number))
  return mask.includes(':')
    ? onesIn(mask.split(':').map((group) => Number.parseInt(group || '0', 16)))
    : Number(mask)
}

function onesIn(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number.toString(2).replaceAll('0', '').length, 0)
}

/** Those of the list that is kept here; lists are not fetched. */
function blockedClients(values: Values, blocklist: ConfigurationObject | undefined): readonly string[] {
  const list = blocklist?.content.values ?? {}
  return wantsBlocklist(values) && list['custom-ip-list'] !== 'Download'
    ? rangesIn(list['blacklisted-ips'])
    : []
}

/** Whether a service blocks the clients of the list. @param values of its section `ip-reputation` */
export function wantsBlocklist(values: Values): boolean {
  return values['enable-ip-reputation-filter'] === 'On' && values['custom-blacklisted-ip-status'] === 'Block'
}

function headerAcl(object: ConfigurationObject, snapshot: Snapshot): SnapshotHeaderAcl | undefined {
  const { values } = object.content
  if (values.status === 'Off') return undefined
  const valueBytes = numberIn(values, 'max-header-value-length')
  return {
    name: object.name,
    header: textIn(values, 'header-name').toLowerCase(),
    isPassive: values.mode !== 'Active',
    ...(valueBytes === undefined ? {} : { valueBytes }),
    deniedCharacters: byteString(textIn(values, 'denied-metachars')),
    attackTypes: compileAttackTypes(object, undefined, snapshot, { usesRules: false }),
  }
}

/** Undefined for one that is switched off, or asks for nothing that is done. */
function urlPolicy({ name, content: { values } }: ConfigurationObject): SnapshotUrlPolicy | undefined {
  const protectsData = isOn(values['enable-data-theft-protection'])
  const limits = isOn(values['enable-bruteforce-prevention']) ? accessLimits(values) : undefined
  if (values.status === 'Off' || !(protectsData || limits)) return undefined
  return {
    name,
    ...compilePlace(values),
    isPassive: values.mode !== 'Active',
    protectsData,
    ...(limits ? { accessLimits: limits } : {}),
  }
}

function accessLimits(values: Values): SnapshotAccessLimits {
  const isAll = values['counting-criterion'] === 'All Sources'
  const limit = (what: string) =>
    numberIn(values, `max-${what}-${isAll ? 'from-all-sources' : 'per-ip'}`) ?? 0
  const text = textIn(values, 'count-auth-resp-text-to-match')
  const isByText = values['count-auth-resp-identifier'] === 'Response Page Text' && text !== ''
  return {
    windowSeconds: numberIn(values, 'count-window') ?? 60,
    counts: isAll ? 'all-clients' : 'each-client',
    accesses: limit('allowed-accesses'),
    failures: isOn(values['enable-count-auth-resp-code']) ? limit('failed-accesses') : 0,
    bandwidthBytes: limit('bandwidth') * bytesPerKilobyte,
    ...(isByText ? { failureText: text } : {}),
    exceptions: rangesIn(values['exception-clients']),
  }
}

function sessionLimits(service: ConfigurationObject, snapshot: Snapshot): SnapshotSessionLimits | undefined {
  const section = 'session-tracking'
  const values = valuesOf(service.content, section)
  const sessions = numberIn(values, 'max-sessions-per-ip')
  if (values.status !== 'On' || sessions === undefined) return undefined
  return {
    windowSeconds: numberIn(values, 'max-interval') ?? 60,
    sessions,
    tokens: identifiers(service, section, snapshot).map(({ content }) => tokenOf(content.values)),
    exceptions: rangesIn(values['exception-clients']),
  }
}

/** Those that the list names. The words that it knows itself are names of objects of the factory. */
function identifiers(
  service: ConfigurationObject,
  section: string,
  snapshot: Snapshot,
): ConfigurationObject[] {
  const kind = service.kind.references.find((by) => by.section === section && by.fieldName === 'identifiers')
    ?.targets[0]
  const names = texts(valuesOf(service.content, section).identifiers)
  return names.flatMap((name) => (kind && snapshot.object(kind, [name])) ?? [])
}

function tokenOf(values: Values): SnapshotSessionToken {
  const type = textIn(values, 'token-type')
  return {
    in: type.startsWith('Cookie') ? 'cookie' : type.startsWith('Parameter') ? 'parameter' : 'path',
    by: type.endsWith('Prefix') ? 'prefix' : type.endsWith('Suffix') ? 'suffix' : 'whole',
    name: textIn(values, 'token-name'),
    startDelimiter: textIn(values, 'start-delimiter'),
    endDelimiter: textIn(values, 'end-delimiter'),
  }
}
