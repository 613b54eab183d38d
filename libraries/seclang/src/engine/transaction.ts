import { processorForEveryType } from '../bodies/every-body.ts'
import { faultsOfParts } from '../bodies/multipart/multipart-flags.ts'
import { Inspection, type InspectionContext } from '../inspection/inspection.ts'
import type { Allowance, Interruption, RuleMatch } from '../inspection/outcome.ts'
import type { Phase } from '../inspection/phase.ts'
import type { RuleExclusions } from '../inspection/rule-exclusions.ts'
import type { RequestHead, ResponseHead } from '../request/messages.ts'
import { parseBody, processorFor } from './body-processing.ts'
import { type PhaseRules, runPhase } from './run-phase.ts'

/** What a transaction is started with. */
export type TransactionContext = InspectionContext & {
  readonly rules: ReadonlyMap<Phase, PhaseRules>
  /** Whether rules of phase 5 may read the body of the response, which is forgotten before otherwise. */
  readonly readsResponseBodyAtEnd: boolean
}

/**
 * One request and its response on their way through the rules. The caller steps through the phases in order, each at most
 * once: `requestHeaders`, `requestBody`, `responseHeaders`, `responseBody`, `finish`. Each gives the interruption, if a rule
 * wants one; then the next step is `finish`, which is called in any case. All steps are synchronous.
 */
export class Transaction {
  readonly #inspection: Inspection
  readonly #rules: ReadonlyMap<Phase, PhaseRules>
  readonly #readsResponseBodyAtEnd: boolean
  #allowance: Allowance | undefined
  #isFinished = false

  constructor(context: TransactionContext) {
    this.#inspection = new Inspection(context)
    this.#rules = context.rules
    this.#readsResponseBodyAtEnd = context.readsResponseBodyAtEnd
  }

  /** Phase 1. */
  requestHeaders(request: RequestHead): Interruption | undefined {
    const inspection = this.#inspection
    inspection.request = request
    const contentType = inspection.requestHeader('content-type')
    inspection.bodyProcessor = inspection.settings.readsEveryBody
      ? processorForEveryType(contentType)
      : processorFor(contentType)
    return this.#run(1)
  }

  /** Leaves out something else than what the transaction began with, from the next phase on. */
  leaveOut(exclusions: RuleExclusions): void {
    this.#inspection.exclusions.give(exclusions)
  }

  /** Whether the rules want to see the request's body. To be asked after phase 1. */
  get wantsRequestBody(): boolean {
    return this.#inspection.requestBodyAccess && this.#inspection.ruleEngine !== 'off'
  }

  /** Bytes of a request body that are looked at; more of it need not be kept. */
  get requestBodyLimitBytes(): number {
    return this.#inspection.requestBodyLimitBytes
  }

  /** Bytes of a request body that are looked at, not counting files in it. */
  get requestBodyWithoutFilesLimitBytes(): number {
    return this.#inspection.settings.requestBodyNoFilesLimitBytes
  }

  /**
   * Phase 2.
   *
   * @param body the whole body without transfer coding, or its beginning of more than {@link requestBodyLimitBytes}; undefined
   *   when there is none
   */
  requestBody(body: Uint8Array | undefined): Interruption | undefined {
    if (body !== undefined && body.length > 0 && this.wantsRequestBody) {
      const refusal = this.#takeRequestBody(body)
      if (refusal !== undefined) return refusal
    }
    const interruption = this.#run(2)
    this.#inspection.forgetBodyParts()
    return interruption
  }

  /**
   * Why the request's body cannot be judged for certain; a sentence each. To be asked after phase 2. Only rule sets that read every
   * body tell.
   */
  get bodyFaults(): readonly string[] {
    const { settings, body, hasTooManyArguments } = this.#inspection
    if (!settings.readsEveryBody) return []
    return [
      ...(body.error === undefined ? [] : [`${body.error.replace(/\.?$/, '')}.`]),
      ...(hasTooManyArguments ? ['It has more arguments than allowed.'] : []),
      ...(body.multipart === undefined ? [] : faultsOfParts(body.multipart)),
      ...(body.faults ?? []),
    ]
  }

  /** Phase 3. */
  responseHeaders(response: ResponseHead): Interruption | undefined {
    this.#inspection.response = response
    return this.#run(3)
  }

  /** Whether the rules want to see the response's body. To be asked after phase 3. */
  get wantsResponseBody(): boolean {
    return this.looksAtAnswersOf(this.#inspection.responseHeader('content-type'))
  }

  /** Whether the rules want to see the bodies of responses with this content type, as far as that is known. */
  looksAtAnswersOf(contentType: string | undefined): boolean {
    const { responseBodyAccess, settings, ruleEngine } = this.#inspection
    if (!responseBodyAccess || ruleEngine === 'off') return false
    const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
    return settings.responseBodyMimeTypes.includes(type ?? '(null)')
  }

  /** Bytes of a response body that are looked at. */
  get responseBodyLimitBytes(): number {
    return this.#inspection.responseBodyLimitBytes
  }

  /** Phase 4. @param body without transfer and content coding; undefined when there is none or it is not wanted */
  responseBody(body: Uint8Array | undefined): Interruption | undefined {
    const inspection = this.#inspection
    if (body !== undefined && this.wantsResponseBody) {
      const limit = inspection.responseBodyLimitBytes
      if (body.length > limit) {
        inspection.hasOutboundDataError = true
        const refusal = this.#refuse(
          inspection.settings.responseBodyLimitAction,
          500,
          4,
          'the response body is too large',
        )
        if (refusal !== undefined) return refusal
      }
      inspection.responseBody = byteString(body.subarray(0, limit))
      inspection.responseBodyLength = inspection.responseBody.length
    }
    const interruption = this.#run(4)
    // The answer may take long to reach its client, and many are on their way at once.
    if (!this.#readsResponseBodyAtEnd) inspection.responseBody = undefined
    return interruption
  }

  /** Phase 5, which runs whatever happened before, and the end: stored collections are handed to their storage. */
  finish(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    const inspection = this.#inspection
    const { interruption } = inspection
    inspection.interruption = undefined
    const rules = this.#rules.get(5)
    if (rules !== undefined) runPhase(rules, inspection)
    // It is too late for rules of phase 5 to interrupt.
    inspection.interruption = interruption
    inspection.saveStored()
  }

  /** The rules that matched and want to be logged, in the order in which they matched. */
  get matches(): readonly RuleMatch[] {
    return this.#inspection.matches
  }

  get interruption(): Interruption | undefined {
    return this.#inspection.interruption
  }

  /** `UNIQUE_ID`, for logs. */
  get uniqueId(): string {
    return this.#inspection.uniqueId
  }

  /** A variable of TX, as rules left it: `anomaly_score`. @param key without case */
  tx(key: string): string | undefined {
    return this.#inspection.tx.get(key.toLowerCase())
  }

  /** Whether a target's value must not appear in logs. @param targetName as in {@link RuleMatch.targetName} */
  isSanitised(targetName: string): boolean {
    return this.#inspection.sanitisedNames.has(targetName.toLowerCase())
  }

  #run(phase: Exclude<Phase, 5>): Interruption | undefined {
    const inspection = this.#inspection
    if (inspection.interruption !== undefined) return inspection.interruption
    if (this.#isAllowed(phase)) return undefined
    const rules = this.#rules.get(phase)
    if (rules === undefined) return undefined
    this.#allowance = runPhase(rules, inspection) ?? this.#allowance
    return inspection.interruption
  }

  #isAllowed(phase: Exclude<Phase, 5>): boolean {
    return this.#allowance === 'transaction' || (this.#allowance === 'request' && phase <= 2)
  }

  #takeRequestBody(body: Uint8Array): Interruption | undefined {
    const inspection = this.#inspection
    const limit = inspection.requestBodyLimitBytes
    if (body.length > limit) {
      inspection.hasInboundDataError = true
      const action = inspection.settings.requestBodyLimitAction
      const refusal = this.#refuse(action, 413, 2, 'the request body is too large')
      if (refusal !== undefined) return refusal
    }
    // Nothing else has files, so that it need not be read to know what it is without them.
    const mayHaveFiles =
      inspection.bodyProcessor === 'MULTIPART' ||
      (inspection.settings.readsEveryBody && /^(?:JSON)?$/.test(inspection.bodyProcessor))
    const withoutFilesMax = this.requestBodyWithoutFilesLimitBytes
    if (!mayHaveFiles && Math.min(body.length, limit) > withoutFilesMax) {
      const refusal = this.#refuseWithoutFiles()
      if (refusal !== undefined) return refusal
    }
    const text = byteString(body.subarray(0, mayHaveFiles ? limit : Math.min(limit, withoutFilesMax)))
    inspection.requestBody = text
    inspection.body = parseBody(text, inspection)
    const { files = [], unreadBytes = 0 } = inspection.body
    const withoutFiles =
      text.length - unreadBytes - files.reduce((size, { content }) => size + content.length, 0)
    return withoutFiles > withoutFilesMax ? this.#refuseWithoutFiles() : undefined
  }

  #refuseWithoutFiles(): Interruption | undefined {
    this.#inspection.hasInboundDataError = true
    return this.#refuse(
      this.#inspection.settings.requestBodyLimitAction,
      413,
      2,
      'the request body without its files is too large',
    )
  }

  /** Limits interrupt as rules do: only where the engine is on. */
  #refuse(
    action: 'reject' | 'process-partial',
    status: number,
    phase: Phase,
    message: string,
  ): Interruption | undefined {
    const inspection = this.#inspection
    if (action !== 'reject' || inspection.ruleEngine !== 'on') return undefined
    inspection.interruption = { action: 'deny', status, ruleId: undefined, phase, message }
    return inspection.interruption
  }
}

function byteString(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
