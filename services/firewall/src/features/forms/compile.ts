import type { SnapshotForms, SnapshotKey, SnapshotPolicy, SnapshotService } from '@palisade/proxy-protocol'
import { byName, secondsOfMinutes, textOr } from '../../kinds/conversions.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { valuesOf } from '../../objects/content.ts'

/** Where something is put that other sites cannot know; undefined for nowhere. */
export const whereSealed = byName<'forms' | 'forms-and-urls' | undefined>(
  { Forms: 'forms', 'Forms and URLs': 'forms-and-urls' },
  undefined,
)

/** What the system says of the fields that forms get. */
export type FormSettings = Required<Omit<SnapshotForms, 'keys'>>

const parameterOf = textOr('__ncforminfo')

const honeypotOf = textOr('contact_homepage')

const minutesDefault = 60

/** @param system the only object of its kind; undefined while nobody has changed it */
export function formSettings(system: ConfigurationObject | undefined): FormSettings {
  const names = system ? valuesOf(system.content, 'cookies-and-parameters') : {}
  const times = system ? valuesOf(system.content, 'advanced-settings') : {}
  return {
    parameter: parameterOf(names['secure-form-tracking-parameter']),
    honeypot: honeypotOf(names['form-honeypot-parameter']),
    validitySeconds: secondsOfMinutes(times['csrf-token-validity'] ?? minutesDefault),
  }
}

/**
 * How the forms of a service are sealed; undefined where nothing asks for it.
 *
 * @param policies that of the service and those of its content rules
 */
export function compileForms(
  { checks, contentRules }: Pick<SnapshotService, 'checks' | 'contentRules'>,
  policies: readonly SnapshotPolicy[],
  keys: readonly SnapshotKey[],
  { honeypot, ...settings }: FormSettings,
): SnapshotForms | undefined {
  const profiles = [checks?.profiles, ...contentRules.map((rule) => rule.checks?.own?.profiles)]
  const isAsked =
    checks?.formSpam !== undefined ||
    policies.some(({ urlProtection }) => urlProtection?.csrf !== undefined) ||
    profiles
      .flatMap((one) => one?.urls ?? [])
      .some(
        ({ csrf, hidden, parameterProfiles }) =>
          csrf !== undefined ||
          hidden !== undefined ||
          parameterProfiles.some(({ seals }) => seals !== undefined),
      )
  if (!isAsked) return undefined
  return { keys, ...settings, ...(checks?.formSpam?.hasHoneypot ? { honeypot } : {}) }
}
