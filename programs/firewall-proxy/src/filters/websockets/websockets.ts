import type { SnapshotService, SnapshotWebSocketPolicy } from '@palisade/proxy-protocol'
import { fittingRules, type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import { withoutQuery } from '../../exchange/address.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { withoutHeader } from '../../exchange/headers.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { JsonChecks } from '../json-profiles/json-checks.ts'
import { MessageChecks } from './message-checks.ts'
import { originTest } from './origins.ts'
import { SocketChecks } from './socket-checks.ts'

interface Policy {
  readonly settings: SnapshotWebSocketPolicy
  readonly fits: PlaceTest
  readonly mayOpen: (exchange: Exchange) => boolean
}

/** Which pages may open WebSockets, and what may go over them. */
export const webSockets: FilterDescriptor = {
  name: 'websockets',
  stage: 'plain-request',
  isShared: false,
  make: webSocketsFilter,
}

function webSocketsFilter({ checks }: SnapshotService, { policy }: FilterDependencies): Filter | undefined {
  if (checks?.webSocketPolicies === undefined) return undefined
  const { ignoresCase, webSocketPolicies, jsonProfiles = [] } = checks
  const policies = webSocketPolicies.map((settings) => prepared(settings, ignoresCase))
  const messages = new MessageChecks(
    policy.snapshot?.parameterProtection?.attackTypes ?? { ofRules: [], patterns: [], exceptRules: [] },
  )
  const profiles = jsonProfiles.map((profile) => ({
    profile,
    fits: placeTest(profile, ignoresCase),
    checks: new JsonChecks(profile),
  }))
  const sockets = new WeakMap<Exchange, SocketChecks>()
  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off' || exchange.upgrade === undefined) return undefined
      const paths = normalPaths(exchange.target)
      // Where servers could take the address for those of several policies, each of them counts.
      const fitting = fittingRules(policies, exchange, paths)
      if (fitting.length === 0) return undefined
      for (const { settings, mayOpen } of fitting) {
        const answer = mayOpen(exchange) ? undefined : refuseOrigin(exchange, settings)
        if (answer) return answer
      }
      // Nobody could look at what an extension has compressed.
      exchange.headers = withoutHeader(exchange.headers, 'sec-websocket-extensions')
      const jsonProfilesHere = fittingRules(profiles, exchange, paths)
      const here = fitting.map(({ settings }) => ({ settings, jsonProfiles: jsonProfilesHere }))
      sockets.set(exchange, new SocketChecks(exchange, here, messages, withoutQuery(exchange.target)))
      return undefined
    },
    onTunnel: (exchange) => sockets.get(exchange),
  }
}

function prepared(settings: SnapshotWebSocketPolicy, ignoresCase: boolean): Policy {
  return { settings, fits: placeTest(settings, ignoresCase), mayOpen: originTest(settings) }
}

function refuseOrigin(exchange: Exchange, { name, isPassive }: SnapshotWebSocketPolicy) {
  const attack = 'websocket-origin-not-allowed'
  const detail = 'A page of an origin that is not allowed opens a WebSocket.'
  return handleViolation(exchange, { attack, detail, rule: name }, { isPassive })
}
