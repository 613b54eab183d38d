import type { SnapshotService, SnapshotUrlAcl } from '@palisade/proxy-protocol'
import { byMeantMethods } from '../conditions/meant-methods.ts'
import { type PlaceTest, placeTest } from '../conditions/place-test.ts'
import type { Answer } from '../exchange/answer.ts'
import type { Exchange, Violation } from '../exchange/exchange.ts'
import { isPlain, normalPaths } from '../paths/normal-path.ts'
import { DenialAnswer } from '../policy/denial-answer.ts'
import { followUp, followUpOf, nameOfFollowUp } from '../policy/follow-up.ts'
import { suspect } from '../policy/suspicion.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from './filter.ts'

/** What a rule that refuses finds. */
const deniedAttack = 'deny-acl-matched'

/** A rule that lets pass or redirects finds no attack; it is logged below attacks. */
const notice = 5

/** The rules of the service for its own URLs. */
export const serviceAcls: FilterDescriptor = {
  name: 'service-acls',
  stage: 'address',
  isShared: true,
  make: serviceAclsFilter,
}

function serviceAclsFilter({ checks }: SnapshotService): Filter | undefined {
  return checks && filterOf(checks.urlAcls, checks.ignoresCase)
}

/** The rules of the policy for the URLs of all its services. */
export const globalAcls: FilterDescriptor = {
  name: 'global-acls',
  stage: 'plain-request',
  isShared: false,
  make: globalAclsFilter,
}

function globalAclsFilter({ checks }: SnapshotService, { policy }: FilterDependencies): Filter | undefined {
  return filterOf(policy.snapshot?.globalAcls ?? [], checks?.ignoresCase ?? true)
}

/** A rule, ready to be tried. */
interface Acl {
  readonly rule: SnapshotUrlAcl
  readonly fits: PlaceTest
  readonly denial: DenialAnswer
}

function filterOf(rules: readonly SnapshotUrlAcl[], ignoresCase: boolean): Filter | undefined {
  if (rules.length === 0) return undefined
  const acls = rules.map((rule) => ({
    rule,
    fits: placeTest(rule, ignoresCase),
    denial: new DenialAnswer(rule.denial),
  }))
  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const paths = normalPaths(exchange.target)
      const exchanges = byMeantMethods(exchange)
      const acl = acls.find(({ rule, fits }) =>
        isLooser(rule)
          ? isPlain(exchange.target) && exchanges.every((one) => fits(one, paths))
          : exchanges.some((one) => fits(one, paths)),
      )
      return acl && follow(acl, exchange)
    },
  }
}

/**
 * Whether a rule lets pass, unseen or over other rules. What a server could take for another address, or an application for a request with
 * another method, is not let pass so.
 */
function isLooser({ does }: SnapshotUrlAcl): boolean {
  return does === 'allow' || does === 'process'
}

function follow({ rule, denial }: Acl, exchange: Exchange): Answer | undefined {
  const say = (violation: Omit<Violation, 'rule'>) => {
    if (rule.logs) exchange.violations.push({ category: 'Forceful Browsing', rule: rule.name, ...violation })
  }
  switch (rule.does) {
    case 'process':
      return undefined
    case 'allow':
      say({ attack: 'allow-acl-matched', detail: 'A rule lets it pass.', action: 'LOG', severity: notice })
      exchange.mode = 'off'
      return undefined
    case 'redirect':
      say({
        attack: 'redirect-acl-matched',
        detail: 'A rule redirects it.',
        action: 'REDIRECT',
        severity: notice,
      })
      return denial.answer(exchange, 'redirect-acl-matched')
    case 'answer':
      say({ attack: deniedAttack, detail: 'A rule answers it, whatever the mode.', action: 'DENY' })
      return denial.answer(exchange, deniedAttack)
    case 'deny': {
      const isDenied = exchange.mode === 'active' && exchange.judge.policy.actionFor(deniedAttack).denies
      const next = isDenied ? followUpOf(rule) : undefined
      say({
        attack: deniedAttack,
        detail: 'A rule refuses it.',
        action: isDenied ? 'DENY' : 'LOG',
        ...(next === undefined ? {} : { followUp: nameOfFollowUp(next) }),
      })
      if (next !== undefined) followUp(exchange, next)
      if (isDenied) suspect(exchange)
      return isDenied ? denial.answer(exchange, deniedAttack) : undefined
    }
  }
}
