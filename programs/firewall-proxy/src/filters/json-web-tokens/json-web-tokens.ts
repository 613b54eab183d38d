import type { SnapshotService, SnapshotTokenProfile } from '@palisade/proxy-protocol'
import { fittingRules, type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValues } from '../../exchange/headers.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'
import { TokenKeys } from './token-keys.ts'
import { VerifiedTokens } from './verified-tokens.ts'

/** What policies call a request without a good token. */
const attack = 'jwt-validation-failed'

/** One token, as RFC 6750, section 2.1, has it; the scheme in any case. */
const bearer = /^bearer +([^ ,]+)$/i

interface Profile {
  readonly name: string
  readonly fits: PlaceTest
  readonly tokens: VerifiedTokens
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
      for (const { name, tokens } of fittingRules(profiles, exchange, normalPaths(exchange.target))) {
        const detail = problemOf(exchange, tokens)
        const answer = detail && handleViolation(exchange, { attack, detail, rule: name })
        if (answer) return answer
      }
      return undefined
    },
  }
}

function prepared(profile: SnapshotTokenProfile, ignoresCase: boolean): Profile {
  const { name, keys } = profile
  return { name, fits: placeTest(profile, ignoresCase), tokens: new VerifiedTokens(new TokenKeys(keys)) }
}

/** A sentence; undefined for a request whose token is good. A token that stands elsewhere than in `Authorization` is none. */
function problemOf({ headers, runtime }: Exchange, tokens: VerifiedTokens): string | undefined {
  const [credentials, ...more] = headerValues(headers, 'authorization')
  if (credentials === undefined) return 'There is no Authorization, and so no token.'
  // Nobody knows which one the server takes.
  if (more.length > 0) return 'There are several Authorization headers.'
  const [, token] = bearer.exec(credentials) ?? []
  if (token === undefined) return 'Its Authorization is not one bearer token.'
  const problem = tokens.problemOf(token, runtime.now())
  return problem && `Its token ${problem}.`
}
