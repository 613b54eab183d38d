import type { ConfigurationObject } from '../objects/configuration-object.ts'
import { valuesOf } from '../objects/content.ts'

/** The rules of the system's section "Password Policy". */
export interface PasswordPolicy {
  readonly charactersMin: number
  readonly classes: readonly CharacterClass[]
  /** How many earlier passwords may not be used again. */
  readonly earlierPasswords: number
}

interface CharacterClass {
  readonly meaning: string
  readonly expression: RegExp
}

const dayMs = 86_400_000

/** By the values of the section's member "contains". */
const characterClasses: Readonly<Record<string, CharacterClass>> = {
  'Atleast One Digit': { meaning: 'a digit', expression: /\d/ },
  'Atleast One Lower Case Character': { meaning: 'a lower-case letter', expression: /\p{Ll}/u },
  'Atleast One Upper Case Character': { meaning: 'an upper-case letter', expression: /\p{Lu}/u },
  'Atleast One Special Character': { meaning: 'a special character', expression: /[^\p{L}\p{N}\s]/u },
}

/** In days, by the values of the section's member "expiry-time". */
const expiryDays: Readonly<Record<string, number>> = { '3 Months': 91, '6 Months': 182, '1 Year': 365 }

/** The policy of the moment. Unless it says "Custom", only its least number of characters holds. */
export function passwordPolicy(system: ConfigurationObject): PasswordPolicy {
  const values = valuesOf(system.content, 'password-policy')
  const isCustom = values.policy === 'Custom'
  const contains = isCustom ? [values.contains ?? []].flat() : []
  return {
    charactersMin: Number(values['minimum-characters'] ?? 8),
    classes: contains.flatMap((name) => characterClasses[String(name)] ?? []),
    earlierPasswords: isCustom ? Number(values['number-of-passwords-to-lookup'] ?? 0) : 0,
  }
}

/** What a password lacks, as it continues "must have …"; empty when nothing. */
export function lackingIn(password: string, { charactersMin, classes }: PasswordPolicy): string[] {
  return [
    ...(password.length < charactersMin ? [`at least ${charactersMin} characters`] : []),
    ...classes.filter(({ expression }) => !expression.test(password)).map(({ meaning }) => meaning),
  ]
}

/** @param changedAt when the password was set, and now, both in milliseconds since 1970 */
export function passwordHasExpired(system: ConfigurationObject, changedAt: number, now: number): boolean {
  const values = valuesOf(system.content, 'password-policy')
  const expiry = String(values['expiry-time'] ?? 'Never')
  const days = expiry === 'Other' ? Number(values['other-expiry-time'] ?? 0) : expiryDays[expiry]
  return values.policy === 'Custom' && days !== undefined && days > 0 && now - changedAt > days * dayMs
}
