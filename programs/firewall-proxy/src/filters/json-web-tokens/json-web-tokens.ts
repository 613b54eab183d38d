import type { SnapshotService, SnapshotTokenProfile } from '@palisade/proxy-protocol'
import { rulesByMeantMethods } from '../../conditions/meant-methods.ts'
import { type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import type { Answer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValues } from '../../exchange/headers.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'
import { fetchedKeysOf } from './fetched-keys.ts'
import { IntrospectionEndpoint } from './introspection-endpoint.ts'
import { TokenKeys } from './token-keys.ts'
import type { TokenValidator } from './token-validator.ts'
import { VerifiedTokens } from './verified-tokens.ts'

/** What policies call a request without a good token. */
const attack = 'jwt-validation-failed'

/** One token, as RFC 6750, section 2.1, has it; the scheme in any case. */
const bearer = /^bearer +([^ ,]+)$/i

interface Profile {
  readonly name: string
  readonly fits: PlaceTest
  readonly validator: TokenValidator
}

/** Lets requests for some addresses pass only with a JSON Web Token whose signature and times are right. */
export const jsonWebTokens: FilterDescriptor = {
  name: 'json-web-tokens',
  stage: 'plain-request',
  isShared: true,
  make: jsonWebTokensFilter,
}

function jsonWebTokensFilter({ checks }: SnapshotService): Filter | undefined {
  if (checks?.tokenProfiles === undefined) return undefined
  const profiles = checks.tokenProfiles.map((given) => prepared(given, checks.ignoresCase))
  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      // Where servers could take the address for those of several profiles, each of them has to be content.
      for (const profile of rulesByMeantMethods(profiles, exchange, normalPaths(exchange.target))) {
        const detail = problemOf(exchange, profile.validator)
        const refusal = (sentence: string | undefined) =>
          sentence === undefined
            ? undefined
            : handleViolation(exchange, { attack, detail: sentence, rule: profile.name })
        if (detail instanceof Promise) waitFor(exchange, async () => refusal(await detail))
        else {
          const answer = refusal(detail)
          if (answer) return answer
        }
      }
      return undefined
    },
  }
}

/** Has the request wait for one thing more, after what it waits for already. */
function waitFor(exchange: Exchange, more: () => Promise<Answer | undefined>): void {
  const { waiting } = exchange
  exchange.waiting = async (read) => (await waiting?.(read)) ?? (await more())
}

function prepared(profile: SnapshotTokenProfile, ignoresCase: boolean): Profile {
  const { name, introspection } = profile
  const validator =
    introspection === undefined ? signedTokens(profile) : new IntrospectionEndpoint(introspection)
  return { name, fits: placeTest(profile, ignoresCase), validator }
}

function signedTokens({ keys, fetchedKeys }: SnapshotTokenProfile): VerifiedTokens {
  if (fetchedKeys === undefined) return new VerifiedTokens(new TokenKeys(keys))
  const { url, forbidden } = fetchedKeys
  return new VerifiedTokens(new TokenKeys(keys, fetchedKeysOf(url, forbidden)))
}

/** A sentence; undefined for a request whose token is good. A token that stands elsewhere than in `Authorization` is none. */
function problemOf(
  { headers, runtime }: Exchange,
  validator: TokenValidator,
): string | undefined | Promise<string | undefined> {
  const [credentials, ...more] = headerValues(headers, 'authorization')
  if (credentials === undefined) return 'There is no Authorization, and so no token.'
  // Nobody knows which one the server takes.
  if (more.length > 0) return 'There are several Authorization headers.'
  const [, token] = bearer.exec(credentials) ?? []
  if (token === undefined) return 'Its Authorization is not one bearer token.'
  const problem = validator.problemOf(token, runtime.now())
  return problem instanceof Promise ? problem.then(sentenceOf) : sentenceOf(problem)
}

function sentenceOf(problem: string | undefined): string | undefined {
  return problem && `Its token ${problem}.`
}
