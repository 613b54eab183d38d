import type { SnapshotCaptcha, SnapshotKey, SnapshotPolicy, SnapshotUrlAcl } from '@palisade/proxy-protocol'
import { byName, numberOr, oneOf, ranges, text } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader } from '../../kinds/field-reader.ts'
import type { Values } from '../../kinds/values.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf } from '../../objects/reading.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { ruleGroup } from '../content-rules/rule-group.ts'
import { inOrder, placeMembers } from '../places/compile.ts'
import { pageNamed } from '../response-pages/compile.ts'
import { service } from '../services/service.ts'
import { ddosPolicy } from './ddos-policy.ts'

/** Where clients have to show that they are no programs, and how often they may fail. */
export const ddosPolicyReader = fieldReader(ddosPolicy, {
  ...placeMembers,
  /** Of whom it is asked; `suspicious`: of clients one of whose requests was refused a while ago. */
  asks: [
    'enforce-captcha',
    byName({ 'All clients': 'all', 'Suspicious clients only': 'suspicious' }, 'none'),
  ],
  /** Wrong answers after which a client is refused. */
  triesMax: ['num-captcha-tries', numberOr(3)],
  /** Unanswered challenges after which a client is refused. */
  unansweredMax: ['num-unanswered-captcha', numberOr(10)],
  /** How long a client that has answered may be idle before it is asked again. */
  idleSeconds: ['expiry-time', numberOr(900)],
})

/** Clients that no policy asks for anything: addresses, ranges with "-" and networks with "/". */
export const ddosExceptions = sectionReader(service, 'advanced-configuration', {
  exceptions: ['ddos-exception-list', ranges],
})

/** There is one sort of challenge, which is made here: those of a provider are not shown, whatever is chosen. */
export const captchaTypes = [
  sectionReader(service, 'captcha-settings', { type: ['recaptcha-type', oneOf('CAPTCHA')] }),
  sectionReader(ruleGroup, 'rg-captcha-settings', { type: ['recaptcha-type', oneOf('CAPTCHA')] }),
]

/** What the system says of challenges, for all services. */
export interface CaptchaSystemSettings {
  readonly expirySeconds: number
  readonly showsSuccess: boolean
  readonly suspicionSeconds: number
}

/** @param advanced the section `advanced-settings` of the system; empty while nobody has changed it */
export function captchaSystemSettings(advanced: Values): CaptchaSystemSettings {
  return {
    expirySeconds: numberOr(300)(advanced['captcha-expiry-time']),
    showsSuccess: text(advanced['captcha-success-action']).startsWith('Respond'),
    suspicionSeconds: numberOr(900)(advanced['suspicious-clients-track-interval']),
  }
}

/**
 * How the clients of a service show that they are no programs.
 *
 * @param sources.rules the access rules of the service
 * @param sources.policies those that its requests may be judged by
 * @param sources.keys with which proxies sign challenges
 * @returns undefined where nothing asks for it
 */
export function compileCaptcha(
  object: ConfigurationObject,
  sources: {
    readonly snapshot: Snapshot
    readonly rules: readonly SnapshotUrlAcl[]
    readonly policies: readonly SnapshotPolicy[]
    readonly keys: readonly SnapshotKey[]
    readonly system: CaptchaSystemSettings
  },
): SnapshotCaptcha | undefined {
  const { snapshot, rules, policies: judging, keys, system } = sources
  const policies = inOrder(
    childrenOf(object, ddosPolicy.name).map((one) => ({ name: one.name, ...ddosPolicyReader.of(one) })),
  )
  const followedUp = [
    ...rules,
    ...judging.flatMap(({ actions, globalAcls }) => [...Object.values(actions), ...globalAcls]),
  ].some(({ captchaSeconds }) => captchaSeconds !== undefined)
  if (!followedUp && policies.every(({ asks }) => asks === 'none')) return undefined
  return {
    keys,
    ...system,
    ...ddosExceptions.of(object),
    policies,
    pages: {
      challenge: pageNamed('default-captcha-response-page', object, snapshot),
      tooManyTries: pageNamed('default-captcha-tries-error-page', object, snapshot),
      tooManyUnanswered: pageNamed('default-captcha-sessions-error-page', object, snapshot),
    },
  }
}

/** What a policy against floods says itself. */
export type SnapshotDdosPolicySettings = Omit<Settings<typeof ddosPolicyReader>, keyof typeof placeMembers>
