import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { fetchesKeys, isValidatedHere, keysOf, tokenProfilesOf, tokenValidatorReader } from './compile.ts'

/** What the profiles for tokens of a service do not do although they are switched on, or do more of than was meant: sentences. */
export function ineffectiveTokenProfiles(service: ConfigurationObject, snapshot: Snapshot): string[] {
  return tokenProfilesOf(service, snapshot).flatMap(({ object, validator }) => {
    const problem = problemOf(validator, snapshot)
    return problem === undefined ? [] : `The profile ${object.name} of jwt-url-profiles ${problem}`
  })
}

function problemOf(validator: ConfigurationObject, snapshot: Snapshot): string | undefined {
  const { name } = validator
  if (tokenValidatorReader.of(validator).type !== 'Internal') {
    return `asks for no token: its validator ${name} is External, and endpoints are not asked.`
  }
  const toldOfKeys = 'keys are not fetched from verify-jwks-uri; give them in verify-public-keys.'
  if (!isValidatedHere(validator, snapshot))
    return `asks for no token: of its validator ${name}, ${toldOfKeys}`
  if (fetchesKeys(validator)) return `knows the given keys alone: of its validator ${name}, ${toldOfKeys}`
  return keysOf(validator, snapshot).length === 0
    ? `takes no token for a good one: its validator ${name} has no key.`
    : undefined
}
