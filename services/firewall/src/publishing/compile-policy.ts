import { createHash } from 'node:crypto'
import type {
  SnapshotNormalization,
  SnapshotPolicy,
  SnapshotProtectedData,
  SnapshotRequestLimits,
  SnapshotTarpit,
} from '@palisade/proxy-protocol'
import { compileActions } from '../features/action-policies/compile.ts'
import { pageOf, pageOfDenial } from '../features/denials/compile.ts'
import { compileParameterProtection } from '../features/parameter-protection/compile.ts'
import { identityPatterns } from '../features/patterns/compile.ts'
import { pageNamed } from '../features/response-pages/compile.ts'
import { compileGlobalAcls } from '../features/url-acls/compile.ts'
import { compileUrlProtection } from '../features/url-protection/compile.ts'
import type { Values } from '../kinds/values.ts'
import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'
import type { Snapshot } from '../objects/snapshot.ts'
import { childrenOf, isOn, kindNamedBy, numberIn, optional, referredBy, textIn, texts } from './reading.ts'

/** Labels of the Encoding Standard. What is not here is taken as any bytes. */
const charsets: Readonly<Record<string, string>> = {
  ASCII: 'ascii',
  BIG5: 'big5',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  GB2312: 'gbk',
  GBK: 'gbk',
  'ISO-2022-JP': 'iso-2022-jp',
  'Shift-JIS': 'shift_jis',
  'UTF-8': 'utf-8',
}

/** A policy with the digest under which a snapshot has it. */
interface CompiledPolicy {
  readonly policy: SnapshotPolicy
  readonly digest: string
}

/** The policies of a snapshot, each compiled once however many services name it. */
export class PolicyLibrary {
  readonly #snapshot: Snapshot
  readonly #compiled = new Map<ConfigurationObject, CompiledPolicy>()

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  /** A policy, made once. */
  compiled(object: ConfigurationObject): CompiledPolicy {
    const known = this.#compiled.get(object)
    if (known !== undefined) return known
    const policy = compilePolicy(object, this.#snapshot)
    const digest = createHash('sha256').update(JSON.stringify(policy)).digest('base64url')
    const compiled = { policy, digest }
    this.#compiled.set(object, compiled)
    return compiled
  }

  /** Those that were asked for, by digest. */
  get policies(): Readonly<Record<string, SnapshotPolicy>> {
    return Object.fromEntries(Array.from(this.#compiled.values(), ({ digest, policy }) => [digest, policy]))
  }
}

/** A security policy as proxies are told. */
export function compilePolicy(policy: ConfigurationObject, snapshot: Snapshot): SnapshotPolicy {
  const { content, name } = policy
  const cloaking = valuesOf(content, 'cloaking')
  return {
    name,
    ...compileActions(policy, snapshot),
    ...optional('requestLimits', requestLimits(valuesOf(content, 'request-limits'))),
    normalization: normalization(valuesOf(content, 'url-normalization')),
    globalAcls: compileGlobalAcls(policy, snapshot),
    ...optional('urlProtection', compileUrlProtection(policy, snapshot)),
    ...optional('parameterProtection', compileParameterProtection(policy, snapshot)),
    hiddenHeaders: isOn(cloaking['filter-response-header'])
      ? texts(cloaking['headers-to-filter']).map((header) => header.toLowerCase())
      : [],
    ...optional('hiddenErrors', hiddenErrors(policy, cloaking, snapshot)),
    tarpit: tarpit(valuesOf(content, 'tarpit-profile')),
    protectedData: childrenOf(policy, 'data-theft-protection').flatMap(
      (object) => protectedData(object, snapshot) ?? [],
    ),
  }
}

function requestLimits(values: Values): SnapshotRequestLimits | undefined {
  if (!isOn(values.enable)) return undefined
  const limit = (member: string) => numberIn(values, member) ?? Number.MAX_SAFE_INTEGER
  return {
    headBytes: limit('max-request-length'),
    requestLineBytes: limit('max-request-line-length'),
    urlBytes: limit('max-url-length'),
    queryBytes: limit('max-query-length'),
    headers: limit('max-number-of-headers'),
    headerNameBytes: limit('max-header-name-length'),
    headerValueBytes: limit('max-header-value-length'),
    cookies: limit('max-number-of-cookies'),
    cookieNameBytes: limit('max-cookie-name-length'),
    cookieValueBytes: limit('max-cookie-value-length'),
  }
}

function tarpit(values: Values): SnapshotTarpit {
  return {
    delaySeconds: numberIn(values, 'tarpit-delay-interval') ?? 0,
    backlogMax: numberIn(values, 'backlog-requests-limit') ?? 0,
    silenceSeconds: numberIn(values, 'tarpit-inactivity-timeout') ?? 0,
  }
}

function normalization(values: Values): SnapshotNormalization {
  const separators = textIn(values, 'parameter-separators')
  return {
    ...optional('charset', charsets[textIn(values, 'default-charset')]),
    decodesTwice: isOn(values['apply-double-decoding']),
    narrowsCharacters: isOn(values['normalize-special-chars']),
    parameterSeparators:
      `${separators.includes('Ampersand') ? '&' : ''}${separators.includes('Semicolon') ? ';' : ''}` || '&',
  }
}

/** The page is that of the action for suppressed errors; the one of the factory for errors where that is none in particular. */
function hiddenErrors(
  policy: ConfigurationObject,
  values: Values,
  snapshot: Snapshot,
): SnapshotPolicy['hiddenErrors'] {
  if (!isOn(values['suppress-return-code'])) return undefined
  const action = childrenOf(policy, 'action-policy').find(({ name }) => name === 'error-response-suppressed')
  if (action === undefined) return undefined
  const isChosen = pageOfDenial.referencesOf(action)[0]?.name !== 'default'
  return {
    exceptStatuses: texts(values['return-codes-to-exempt']).map(Number),
    page: isChosen ? pageOf(action, snapshot) : pageNamed('default-error-resp', action, snapshot),
  }
}

function protectedData(object: ConfigurationObject, snapshot: Snapshot): SnapshotProtectedData | undefined {
  const { values } = object.content
  if (!isOn(values.enable)) return undefined
  const type = textIn(values, 'identity-theft-type')
  const kind = kindNamedBy(object.kind, 'custom-identity-theft-type')
  const found =
    type === 'CUSTOM'
      ? referredBy(object, undefined, 'custom-identity-theft-type', snapshot)[0]
      : kind && snapshot.object(kind, [type])
  if (found === undefined) return undefined
  return {
    name: object.name,
    does: values.action === 'Cloak' ? 'cloak' : 'block',
    keepsInitial: numberIn(values, 'initial-characters-to-keep') ?? 0,
    keepsTrailing: numberIn(values, 'trailing-characters-to-keep') ?? 0,
    patterns: identityPatterns(found),
  }
}
