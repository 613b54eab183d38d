import type { SnapshotUrlProfile } from '@palisade/proxy-protocol'
import type { Argument } from '@palisade/seclang'
import type { Exchange } from '../../exchange/exchange.ts'
import type { FormEvidence, FormSeal, OfferedValues } from '../../exchange/form-evidence.ts'
import { isSafeMethod } from '../../exchange/safe-methods.ts'
import { type TextTest, wildcard } from '../../patterns/wildcard.ts'
import { parameterKey, valueDigest } from '../forms/form-seal.ts'
import { type Finding, shownParameter } from './value-checks.ts'

/** What a policy or a profile says of the pages from which requests come, and of what those offered. */
type Said = Partial<Pick<SnapshotUrlProfile, 'csrf' | 'hidden' | 'parameterProfiles'>>

/** A parameter whose value has to be one that a page has offered. */
interface SealedParameter {
  readonly fits: TextTest
  /** Undefined for one that anybody may set. */
  readonly attack: string | undefined
}

/** Whether requests come from pages of the application itself, and bring back what these have offered. */
export class FormChecks {
  readonly #csrf: Said['csrf']
  readonly #hidden: Said['hidden']
  readonly #parameters: readonly SealedParameter[]

  constructor({ csrf, hidden, parameterProfiles = [] }: Said) {
    this.#csrf = csrf
    this.#hidden = hidden
    this.#parameters = parameterProfiles.map(({ parameter, seals, isIgnored }) => ({
      fits: wildcard(parameterKey(parameter), true),
      attack: seals === undefined || isIgnored ? undefined : `${seals}-parameter-tampered`,
    }))
  }

  /** @param parameters those of the address and, where the body is a form, its own */
  *findings(exchange: Exchange, parameters: readonly Argument[]): Generator<Finding> {
    const evidence = exchange.formEvidence
    if (evidence === undefined) return
    const isChange = !isSafeMethod(exchange.request.method)
    const isMeant = (where: Said['csrf']) =>
      where !== undefined && (isChange || (where === 'forms-and-urls' && parameters.length > 0))
    if (isMeant(this.#csrf) && !evidence.isFromOwnPage && evidence.seals.length === 0) yield forged(evidence)
    const own = evidence.seals.filter(({ paths }) => paths.includes(evidence.path))
    // Of two forms together somebody could choose.
    const seal = own.length === 1 ? own[0] : undefined
    if (isMeant(this.#hidden)) yield* this.#hiddenFindings(parameters, seal)
    yield* this.#sealedFindings(parameters, seal)
  }

  *#hiddenFindings(parameters: readonly Argument[], seal: FormSeal | undefined): Generator<Finding> {
    if (seal === undefined) {
      const detail = 'Nothing shows which hidden parameters its page has, or it was shown too long ago.'
      yield finding('read-only-parameter-tampered', detail)
      return
    }
    const fixed = [...seal.values].filter(([, { isFixed }]) => isFixed)
    for (const parameter of parameters) {
      const key = parameterKey(parameter.name)
      if (this.#ruleFor(key) !== undefined) continue
      const [, offered] = fixed.find(([name]) => key === name || key.startsWith(`${name}[`)) ?? []
      if (offered !== undefined && !offers(offered, parameter)) {
        yield finding('read-only-parameter-tampered', changed(parameter))
      }
    }
  }

  *#sealedFindings(parameters: readonly Argument[], seal: FormSeal | undefined): Generator<Finding> {
    if (this.#parameters.length === 0) return
    for (const parameter of parameters) {
      const key = parameterKey(parameter.name)
      const [name = key] = key.split('[')
      const attack = (this.#ruleFor(key) ?? this.#ruleFor(name))?.attack
      if (attack === undefined) continue
      const offered = seal?.values.get(key) ?? seal?.values.get(name)
      if (offered === undefined || !offers(offered, parameter)) yield finding(attack, changed(parameter))
    }
  }

  #ruleFor(key: string): SealedParameter | undefined {
    return this.#parameters.find(({ fits }) => fits(key))
  }
}

function forged({ hasExpired }: FormEvidence): Finding {
  const detail = hasExpired
    ? 'Its page was shown too long ago, and its browser does not say that it comes from there.'
    : 'Nothing shows that it comes from a page of the application.'
  return finding('cross-site-request-forgery', detail)
}

function offers({ digests }: OfferedValues, { value }: Argument): boolean {
  return digests === 'any' || digests.includes(valueDigest(value))
}

function changed({ name }: Argument): string {
  return `${shownParameter(name)} has a value that its page did not offer.`
}

function finding(attack: string, detail: string): Finding {
  return { attack, detail, isPassive: false }
}
