import type { SnapshotService } from '@palisade/proxy-protocol'
import { fittingRules, type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import { type Answer, firstAnswer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { normalPaths } from '../../paths/normal-path.ts'
import { addressOf, urlTest } from '../../paths/url-test.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDescriptor } from '../filter.ts'
import { contentTypeOf, isForm } from '../request-protection/request-parts.ts'

const attack = 'form-spam'

/** People take so long at least for a form of which nothing is said. */
const fillSecondsDefault = 1

/** What is said of a form. */
interface FormRule {
  /** Undefined for all forms that nobody has listed: of these nobody knows whether a request is for one. */
  readonly name?: string
  readonly fillSeconds: number
  readonly isPassive: boolean
}

/** Refuses forms that programs have filled in: sooner than people do, without having seen the page, or with what people do not see. */
export const formSpam: FilterDescriptor = {
  name: 'form-spam',
  stage: 'plain-request',
  isShared: true,
  make: formSpamFilter,
}

function formSpamFilter(service: SnapshotService): Filter | undefined {
  const { checks, forms } = service
  if (checks?.formSpam === undefined || forms === undefined) return undefined
  const rulesFor = formRules(service, checks.formSpam)
  return {
    wantsBody: (exchange) => exchange.mode !== 'off' && isSentForm(exchange),
    onBody: (exchange) => firstAnswer(rulesFor(exchange), (rule) => refusal(exchange, rule)),
  }
}

/** Forms that are sent by GET only ask for something. */
function isSentForm({ request, headers }: Exchange): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && isForm(contentTypeOf(headers))
}

function formRules(
  { checks }: SnapshotService,
  { forms, coversAll }: NonNullable<NonNullable<SnapshotService['checks']>['formSpam']>,
): (exchange: Exchange) => readonly FormRule[] {
  const ignoresCase = checks?.ignoresCase ?? true
  const listed = forms.map((form) => ({ ...form, fits: urlTest(form.url, ignoresCase) }))
  const profiles: readonly (FormRule & { readonly fits: PlaceTest })[] = (checks?.profiles?.urls ?? [])
    .filter(({ fillSeconds }) => fillSeconds !== undefined)
    .map((profile) => ({
      name: profile.name,
      fillSeconds: profile.fillSeconds ?? fillSecondsDefault,
      isPassive: profile.isPassive,
      fits: placeTest(profile, ignoresCase),
    }))
  const others = coversAll ? [{ fillSeconds: fillSecondsDefault, isPassive: false }] : []
  return (exchange) => {
    const address = addressOf(exchange.target)
    const own = listed.filter(({ fits }) => fits(address))
    if (own.length > 0) return own
    const ofProfiles = fittingRules(profiles, exchange, normalPaths(exchange.target))
    return ofProfiles.length > 0 ? ofProfiles : others
  }
}

function refusal(exchange: Exchange, { name, fillSeconds, isPassive }: FormRule): Answer | undefined {
  const problem = problemOf(exchange, fillSeconds, name !== undefined)
  if (problem === undefined) return undefined
  const rule = name === undefined ? {} : { rule: name }
  return handleViolation(exchange, { attack, detail: problem, ...rule }, { isPassive })
}

/** @param isKnown whether the request can be for nothing but a form of a page */
function problemOf(exchange: Exchange, fillSeconds: number, isKnown: boolean): string | undefined {
  const { formEvidence } = exchange
  if (formEvidence === undefined) return undefined
  const { seals, hasExpired, isHoneypotFilled } = formEvidence
  if (isHoneypotFilled) return 'The form was filled in where people see nothing.'
  const shownAt = seals.reduce((latest, seal) => Math.max(latest, seal.shownAt), 0)
  if (seals.length === 0) {
    if (!isKnown) return undefined
    return hasExpired
      ? 'The form was shown too long ago.'
      : 'The form does not come from a page that was shown.'
  }
  if (exchange.runtime.now() - shownAt >= fillSeconds * 1000) return undefined
  return `The form was filled in sooner than in ${fillSeconds} seconds.`
}
