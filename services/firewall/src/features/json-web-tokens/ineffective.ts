import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { isOverTls, isValidatedHere, keysOf, tokenProfilesOf, tokenValidatorReader } from './compile.ts'

/** What the profiles for tokens of a service do not do although they are switched on, or do more of than was meant: sentences. */
export function ineffectiveTokenProfiles(service: ConfigurationObject, snapshot: Snapshot): string[] {
  return tokenProfilesOf(service, snapshot).flatMap(({ object, validator }) => {
    const problem = problemOf(validator, snapshot)
    return problem === undefined ? [] : `The profile ${object.name} of jwt-url-profiles ${problem}`
  })
}

function problemOf(validator: ConfigurationObject, snapshot: Snapshot): string | undefined {
  const { name } = validator
  const { type, endpoint, keysUrl } = tokenValidatorReader.of(validator)
  if (type === 'External') {
    if (isOverTls(endpoint)) return undefined
    return `asks for no token: the endpoint of its validator ${name} is ${endpoint === undefined ? 'not given' : 'not asked, since its address does not begin with https://'}.`
  }
  const notFetched = 'keys are not fetched from verify-jwks-uri, since that does not begin with https://.'
  if (!isValidatedHere(validator, snapshot))
    return `asks for no token: of its validator ${name}, ${notFetched}`
  if (keysUrl !== undefined)
    return isOverTls(keysUrl)
      ? undefined
      : `knows the given keys alone: of its validator ${name}, ${notFetched}`
  return keysOf(validator, snapshot).length === 0
    ? `takes no token for a good one: its validator ${name} has no key.`
    : undefined
}
