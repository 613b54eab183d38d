import type { SnapshotNormalization, SnapshotService } from '@palisade/proxy-protocol'
import { pathOf } from '../../exchange/address.ts'
import type { Answer } from '../../exchange/answer.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { decodePercent, narrowFullWidth } from '../../paths/lenient-decoding.ts'
import { resolveDotSegments } from '../../paths/path-readings.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { isInCharset } from './charset.ts'

/** What an address without anything to be normalised looks like; nearly all are. */
const plain = /^(?=\/)(?!.*(?:%|\\|\/\/|\/\.|\/~|[^\x21-\x7e]))/

/** Two steps up with dots or slashes encoded: browsers resolve such dots themselves, and encode no slash of a path. */
const encodedStepsUp =
  /(?:(?:\.|%2e){2}%2f){2}|(?:\.|%2e){2}(?:%5c|\\)|(?:(?:\.%2e|%2e\.|%2e%2e)\/){2}|(?:%2f|%5c)(?:\.|%2e){2}\/?$/i

/**
 * Brings addresses into one form before anything else looks at them. What is found wrong is refused as the policy says; what is
 * changed is changed for rules and server alike.
 */
export const urlNormalization: FilterDescriptor = {
  name: 'url-normalization',
  stage: 'normalisation',
  isShared: false,
  make: urlNormalizationFilter,
}

function urlNormalizationFilter(_: SnapshotService, { policy }: FilterDependencies): Filter | undefined {
  const normalization = policy.snapshot?.normalization
  return (
    normalization && {
      onRequest: (exchange) => {
        if (exchange.mode === 'off' || plain.test(exchange.target)) return undefined
        return normalise(exchange, normalization)
      },
    }
  )
}

function normalise(exchange: Exchange, normalization: SnapshotNormalization): Answer | undefined {
  let target = pathOf(exchange.target)
  if (normalization.decodesTwice) target = withoutSecondEncoding(target)
  if (normalization.narrowsCharacters) target = narrowFullWidth(target)
  const queryAt = target.indexOf('?')
  const [path, query] = queryAt < 0 ? [target, ''] : [target.slice(0, queryAt), target.slice(queryAt)]
  const decodedPath = decodePercent(path)
  for (const violation of violationsIn(target, decodedPath, normalization)) {
    const answer = handleViolation(exchange, violation)
    if (answer) return answer
  }
  if (target !== pathOf(exchange.target) || hasDotSegments(decodedPath)) {
    exchange.target = `${hasDotSegments(decodedPath) ? encodedPath(resolveDotSegments(decodedPath).path) : path}${query}`
  }
  return undefined
}

function* violationsIn(target: string, path: string, { charset }: SnapshotNormalization) {
  if (/%(?![0-9a-f]{2})/i.test(target)) {
    yield {
      attack: 'invalid-url-encoding',
      detail: 'A percent sign is not followed by two hexadecimal digits.',
    }
  }
  if (charset !== undefined && !isInCharset(decodePercent(target), charset)) {
    yield { attack: 'invalid-url-character-set', detail: `The address is no text in ${charset}.` }
  }
  if (resolveDotSegments(path).leavesRoot) {
    yield { attack: 'directory-traversal-beyond-root', detail: 'The path leads beyond the root.' }
  } else if (encodedStepsUp.test(target.split('?', 1)[0] ?? '')) {
    yield { attack: 'directory-traversal-beyond-root', detail: 'The path has encoded steps up.' }
  }
  // The folder of RFC 8615 is meant to be asked for.
  if (/\/\.(?!\.?(?:\/|$))(?!well-known(?:\/|$))/i.test(path)) {
    yield { attack: 'slash-dot-in-url-path', detail: 'The path names something hidden.' }
  }
  if (path.includes('/~')) yield { attack: 'tilde-in-url-path', detail: 'The path names a home directory.' }
}

function hasDotSegments(path: string): boolean {
  return /(?:^|[/\\])\.\.?(?:[/\\]|$)/.test(path)
}

/** A path of bytes as addresses have it. */
function encodedPath(path: string): string {
  return path.replace(
    /[^\w!$&'()*+,\-./:;=@~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
}

/** An address in which what was encoded twice is encoded once: `%252e` becomes `%2e`. */
function withoutSecondEncoding(target: string): string {
  return target.replace(/%25(?=[0-9a-f]{2})/gi, '%')
}
