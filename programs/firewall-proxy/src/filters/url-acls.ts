import type { SnapshotService, SnapshotUrlAcl } from '@palisade/proxy-protocol'
import { byMeantMethods, methodsInParameters } from '../conditions/meant-methods.ts'
import { type PlaceTest, placeTest } from '../conditions/place-test.ts'
import type { Answer, RequestBody } from '../exchange/answer.ts'
import { hasBody } from '../exchange/client-message.ts'
import type { Exchange, Violation } from '../exchange/exchange.ts'
import { isPlain, normalPaths } from '../paths/normal-path.ts'
import type { Paths } from '../paths/path-readings.ts'
import { DenialAnswer } from '../policy/denial-answer.ts'
import { followUp, followUpOf, nameOfFollowUp } from '../policy/follow-up.ts'
import { suspect } from '../policy/suspicion.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from './filter.ts'
import { contentTypeOf, formParts, isForm } from './request-protection/request-parts.ts'

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

/** Methods that the rest of a body could ask for that is too long to be read. */
const methodsOfBodies = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What was decided of a request by its head, where its body may ask for another method. */
interface Decided {
  readonly paths: Paths
  readonly isPlain: boolean
  readonly acl: Acl | undefined
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
  const goByMethods = rules.some(({ extendedMatch }) => /method/i.test(extendedMatch))
  const decided = new WeakMap<Exchange, Decided>()
  const ruleFor = (exchange: Exchange, address: Omit<Decided, 'acl'>, inBody: readonly string[]) => {
    const meant = byMeantMethods(exchange, inBody)
    return acls.find(({ rule, fits }) =>
      isLooser(rule)
        ? address.isPlain && meant.every((one) => fits(one, address.paths))
        : meant.some((one) => fits(one, address.paths)),
    )
  }
  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off') return undefined
      const address = { paths: normalPaths(exchange.target), isPlain: isPlain(exchange.target) }
      const acl = ruleFor(exchange, address, [])
      if (goByMethods && mayAskInBody(exchange)) decided.set(exchange, { ...address, acl })
      return acl && follow(acl, exchange)
    },
    wantsBody: (exchange) => exchange.mode !== 'off' && decided.has(exchange),
    onBody: (exchange, body) => {
      const before = decided.get(exchange)
      if (before === undefined) return undefined
      const methods = body.isWhole ? methodsIn(exchange, body) : methodsOfBodies
      const others = methods.map((method) => ruleFor(exchange, before, [method]))
      const acl = others.find((one) => one !== undefined && one !== before.acl)
      return acl && follow(acl, exchange)
    },
  }
}

/**
 * Whether a body may ask an application to take a request for one with another method: frameworks look for that in forms of POST, and Laravel in
 * JSON as well.
 */
function mayAskInBody({ request, headers }: Exchange): boolean {
  const type = contentTypeOf(headers)
  return request.method === 'POST' && hasBody(request) && (isForm(type) || isJson(type))
}

function isJson(contentType: string): boolean {
  return /[/+]json$/.test(contentType)
}

function methodsIn({ headers }: Exchange, { bytes }: RequestBody): string[] {
  if (!isJson(contentTypeOf(headers)))
    return methodsInParameters(formParts(bytes, headers, '&', bytes.length).parameters)
  const text = bytes.toString('utf8')
  // The name may be escaped.
  if (!/_method|\\u/i.test(text)) return []
  try {
    const { _method: method } = Object(JSON.parse(text))
    return typeof method === 'string' ? [method] : []
  } catch {
    // No framework reads it either.
    return []
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
