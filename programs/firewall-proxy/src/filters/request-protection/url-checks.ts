import type { SnapshotPattern, SnapshotUrlProtection } from '@palisade/proxy-protocol'
import { hasBody } from '../../exchange/client-message.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { headerValue } from '../../exchange/headers.ts'
import { overridingMethods } from '../../exchange/overriding-methods.ts'
import { shownName } from '../../logs/shown-name.ts'
import type { Paths } from '../../paths/path-readings.ts'
import { type TextTest, wildcard } from '../../patterns/wildcard.ts'
import { attackOfPattern, PatternSearch } from '../../policy/attack-patterns.ts'
import { contentTypeOf } from './request-parts.ts'
import { type Finding, shownParameter } from './value-checks.ts'

/** What requests for some URLs may look like, ready to be asked. */
export class UrlChecks {
  readonly #checks: SnapshotUrlProtection
  readonly #methods: ReadonlySet<string>
  readonly #contentTypes: readonly TextTest[]
  readonly #patterns: PatternSearch

  constructor(checks: SnapshotUrlProtection) {
    this.#checks = checks
    this.#methods = new Set(checks.methods)
    this.#contentTypes = checks.contentTypes.map((type) => wildcard(type))
    this.#patterns = new PatternSearch(checks.attackTypes.patterns)
  }

  /** What the head of a request shows. @param paths all that servers may take its address for */
  *findings({ request, headers, target }: Exchange, paths: Paths): Generator<Finding> {
    const method = this.#methods.size > 0 ? this.#deniedMethod(request.method ?? '', headers) : undefined
    if (method !== undefined) {
      yield finding('method-not-allowed', `The method ${shownName(method)} is not allowed here.`)
    }
    if (!this.#checks.allowsQuery && target.includes('?')) {
      yield finding('query-string-not-allowed', 'There is a query where none is allowed.')
    }
    const length = Number(headerValue(headers, 'content-length') ?? 0)
    if (hasBody(request)) yield* this.#bodyFindings(headers, length)
    if (this.#patterns.isEmpty) return
    const pattern = firstOf(paths.flatMap((path) => this.#patterns.firstIn(path) ?? []))
    if (pattern !== undefined) {
      const detail = `The URL has what the pattern ${pattern.name} looks for.`
      yield { attack: attackOfPattern(pattern, 'url'), detail, isPassive: pattern.isPassive }
    }
  }

  /** Methods are told apart by case (RFC 9110, section 9.1), but not by the applications that let headers override them. */
  #deniedMethod(method: string, headers: readonly string[]): string | undefined {
    if (!this.#methods.has(method)) return method
    return overridingMethods(headers).find((one) => !this.#methods.has(one.toUpperCase()))
  }

  *#bodyFindings(headers: readonly string[], length: number): Generator<Finding> {
    const type = contentTypeOf(headers)
    const isChunked = headerValue(headers, 'content-length') === undefined
    const isAllowed = this.#contentTypes.length === 0 || this.#contentTypes.some((fits) => fits(type))
    if (!isAllowed && (length > 0 || isChunked)) {
      yield finding('unknown-content-type', 'The content type of the body is not allowed here.')
    }
    if (type !== 'multipart/form-data') yield* this.contentFindings(length)
  }

  /** @param bytes of the body, without its files */
  *contentFindings(bytes: number): Generator<Finding> {
    const { contentBytes } = this.#checks
    if (contentBytes > 0 && bytes > contentBytes) {
      yield finding(
        'content-length-exceeded',
        `The body has ${bytes} bytes or more; ${contentBytes} are allowed.`,
      )
    }
  }

  *parameterFindings(names: readonly string[]): Generator<Finding> {
    const { parameters, parameterNameCharacters } = this.#checks
    if (parameters !== undefined && names.length > parameters) {
      yield finding('too-many-parameters', `There are ${names.length} parameters; ${parameters} are allowed.`)
    }
    const long = names.find((name) => name.length > parameterNameCharacters)
    if (parameterNameCharacters > 0 && long !== undefined) {
      const detail = `${shownParameter(long)} has a name of ${long.length} characters; ${parameterNameCharacters} are allowed.`
      yield finding('parameter-name-length-exceeded', detail)
    }
  }

  *fileFindings(count: number): Generator<Finding> {
    const { files } = this.#checks
    if (count > files)
      yield finding('too-many-uploaded-files', `There are ${count} files; ${files} are allowed.`)
  }
}

/** One that blocks before one that only logs. */
function firstOf(patterns: readonly SnapshotPattern[]): SnapshotPattern | undefined {
  return patterns.find(({ isPassive }) => !isPassive) ?? patterns[0]
}

function finding(attack: string, detail: string): Finding {
  return { attack, detail, isPassive: false }
}
