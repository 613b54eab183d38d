import type { SnapshotCredentialChecks, SnapshotService, SnapshotUrlPolicy } from '@palisade/proxy-protocol'
import { fittingRules, type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import { CredentialKnowledge } from '../../credentials/credential-knowledge.ts'
import type { Answer } from '../../exchange/answer.ts'
import { hasBody } from '../../exchange/client-message.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import { ExceptionClients } from '../../slow-clients/exception-clients.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { basicCredentials, parameterCredentials, type SentCredentials } from './sent-credentials.ts'

/** A log-in has one user name and one password; whoever sends more of them has something in mind. */
const valuesMax = 8

/** A URL policy that looks at log-ins, ready to be asked. */
interface Watching {
  readonly policy: SnapshotUrlPolicy
  readonly checks: SnapshotCredentialChecks
  readonly fits: PlaceTest
  readonly exceptions: ExceptionClients
}

/** Refuses log-ins with stolen passwords (stuffing), and with one password that is tried for many user names (spraying). */
export const credentials: FilterDescriptor = {
  name: 'credentials',
  stage: 'plain-request',
  isShared: true,
  make: credentialsFilter,
}

function credentialsFilter(service: SnapshotService, deps: FilterDependencies): Filter | undefined {
  const ignoresCase = service.checks?.ignoresCase ?? true
  const all = (service.checks?.urlPolicies ?? []).map((policy) => ({
    policy,
    checks: policy.credentials,
    fits: placeTest(policy, ignoresCase),
    exceptions: new ExceptionClients(policy.credentials?.exceptions ?? []),
  }))
  if (!all.some(({ checks }) => checks)) return undefined
  const { memory, credentialKnowledge: knowledge = new CredentialKnowledge() } = deps
  /** By the address that was asked for, before it was rewritten. */
  const watched = new WeakMap<Exchange, readonly Watching[]>()

  const watchingsFor = (exchange: Exchange): readonly Watching[] =>
    fittingRules(all, exchange, normalPaths(exchange.target)).flatMap(({ checks, ...one }) =>
      checks && !one.exceptions.has(exchange.clientAddress) ? [{ ...one, checks }] : [],
    )

  /** Counts the user names that a password is tried for. @returns whether these are too many */
  const isSprayed = (exchange: Exchange, { policy, checks }: Watching, name: string, password: string) => {
    const now = exchange.runtime.now()
    const windowMs = checks.windowSeconds * 1000
    const pair = knowledge.tag(policy.name, 'pair', name.trim().toLowerCase(), password)
    const tries = memory.logIns.counter(knowledge.tag(policy.name, 'password', password), now, windowMs)
    if (memory.logIns.recall(pair, now) === undefined) {
      memory.logIns.remember(pair, now + windowMs)
      tries.add(1)
    }
    return tries.count > checks.attemptsMax
  }

  const findingIn = (exchange: Exchange, watching: Watching, sent: SentCredentials): string | undefined => {
    const { userNames, passwords } = sent
    if (Math.max(userNames.length, passwords.length) > valuesMax) {
      return 'It has more user names or passwords than a log-in has.'
    }
    const pairs = passwords.flatMap((password) =>
      (userNames.length > 0 ? userNames : ['']).map((name) => [name, password] as const),
    )
    if (watching.checks.against === 'stuffing') {
      const isStolen = pairs.some(([name, password]) => knowledge.isStolen(name, password))
      return isStolen ? 'Its password is one of those that were stolen somewhere.' : undefined
    }
    // All of them are counted, whatever is found.
    const sprayed = pairs.filter(([name, password]) => isSprayed(exchange, watching, name, password))
    const { attemptsMax, windowSeconds } = watching.checks
    return sprayed.length > 0
      ? `Its password was tried for more than ${attemptsMax} user names in ${windowSeconds} seconds.`
      : undefined
  }

  const judge = (
    exchange: Exchange,
    all: readonly Watching[],
    find: (watching: Watching) => string | undefined,
  ): Answer | undefined => {
    for (const watching of all) {
      const detail = find(watching)
      const answer = detail && refuse(exchange, watching, detail)
      if (answer) return answer
    }
    return undefined
  }

  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const watchings = watchingsFor(exchange)
      if (watchings.length === 0) return undefined
      const { target, headers } = exchange
      const withBody = hasBody(exchange.request)
      const later = withBody ? watchings.filter(({ checks }) => checks.sentAs !== 'basic') : []
      if (later.length > 0) watched.set(exchange, later)
      const now = watchings.filter((one) => !later.includes(one))
      return judge(exchange, now, (watching) => {
        const { checks } = watching
        const credentials =
          checks.sentAs === 'basic'
            ? basicCredentials(headers)
            : parameterCredentials(target, headers, undefined, checks)
        return findingIn(exchange, watching, credentials)
      })
    },
    wantsBody: (exchange) => watched.has(exchange),
    onBody: (exchange, { bytes, isWhole }) =>
      judge(exchange, watched.get(exchange) ?? [], (watching) => {
        if (!isWhole) return 'Its body is longer than what can be looked at.'
        const { target, headers } = exchange
        return findingIn(exchange, watching, parameterCredentials(target, headers, bytes, watching.checks))
      }),
  }
}

function refuse(exchange: Exchange, { policy, checks }: Watching, detail: string): Answer | undefined {
  const attack = checks.against === 'stuffing' ? 'credential-stuffing' : 'credential-spraying'
  return handleViolation(exchange, { attack, detail, rule: policy.name }, { isPassive: policy.isPassive })
}
