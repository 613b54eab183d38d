import type { SnapshotService } from '@palisade/proxy-protocol'
import type { Argument } from '@palisade/seclang'
import { type Answer, firstAnswer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { wildcard } from '../../patterns/wildcard.ts'
import { PatternSearch } from '../../policy/attack-patterns.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { contentTypeOf, formParts, isForm, queryParameters } from '../request-protection/request-parts.ts'
import { shownParameter } from '../request-protection/value-checks.ts'

const attack = 'spam-url-in-parameter'

/** Refuses requests that have links and words of advertisers in the parameters that are for comments. */
export const commentSpam: FilterDescriptor = {
  name: 'comment-spam',
  stage: 'plain-request',
  isShared: false,
  make: commentSpamFilter,
}

function commentSpamFilter({ checks }: SnapshotService, { policy }: FilterDependencies): Filter | undefined {
  const spam = checks?.commentSpam
  if (spam === undefined) return undefined
  const patterns = new PatternSearch(spam.patterns)
  const names = spam.parameters.map((name) => wildcard(name, checks?.ignoresCase ?? true))
  const separators = policy.snapshot?.normalization.parameterSeparators ?? '&'
  const refusalOf = (exchange: Exchange, { name, value }: Argument): Answer | undefined => {
    const [ownName = name] = name.split('[')
    if (!names.some((fits) => fits(name) || fits(ownName))) return undefined
    const pattern = patterns.firstIn(value)
    if (pattern === undefined) return undefined
    const detail = `${shownParameter(name)} has what the pattern ${pattern.name} looks for.`
    return handleViolation(exchange, { attack, detail }, { isPassive: pattern.isPassive })
  }
  return {
    onRequest: (exchange) =>
      exchange.mode === 'off'
        ? undefined
        : firstAnswer(queryParameters(exchange.target, separators), (parameter) =>
            refusalOf(exchange, parameter),
          ),
    wantsBody: ({ mode, headers }) => mode !== 'off' && isForm(contentTypeOf(headers)),
    onBody: (exchange, { bytes }) =>
      firstAnswer(
        formParts(
          bytes,
          exchange.headers,
          separators,
          exchange.transaction?.requestBodyWithoutFilesLimitBytes,
        ).parameters,
        (parameter) => refusalOf(exchange, parameter),
      ),
  }
}
