import { AsyncLocalStorage } from 'node:async_hooks'
import { currentRequestId } from '@palisade/log/request-id'
import { readTraceparent, type Traceparent } from './traceparent.ts'

/** What is told of a span beside its name and times. It holds no secrets, and nothing that a user has typed. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Whose work a span is: of a request that came, of a request that was sent, or of this process alone. */
export type SpanKind = 'server' | 'client' | 'internal'

/** A piece of work that has begun, and is recorded. */
export interface Span {
  /** What others are told, so that their spans become its children: a header `traceparent`. */
  readonly traceparent: string
  rename(name: string): void
  set(attributes: Attributes): void
  /** The work has failed. Nothing is told of an error but the name of its class. */
  fail(error?: unknown): void
  /** The work has ended; nothing may be said of it afterwards. */
  end(): void
}

/** How a span begins. */
export interface SpanOptions {
  readonly kind?: SpanKind
  readonly attributes?: Attributes
}

/** What records spans. */
export interface Recorder {
  /** @param parent another process's, or a span of {@link Recorder.begin}; undefined for the first of a trace */
  begin(
    name: string,
    options: SpanOptions,
    parent: Traceparent | Span | undefined,
    traceId: string | undefined,
  ): Span
  /** Whether chance picks a trace that nobody has begun to record. */
  isPicked(): boolean
  /** Whether one more trace is recorded because a caller asks for it; there is a bound to that. */
  isAllowed(): boolean
}

/**
 * The recorder is the process's, as its log is: what makes spans need not be given it. Without one, which is the rule, a span costs the look
 * whether there is one.
 */
let recorder: Recorder | undefined
let hasQueries = false
const current = new AsyncLocalStorage<Span>()

/** Has spans recorded from now on; none when undefined. @param queries whether those of single queries of a database are wanted */
export function recordSpans(next: Recorder | undefined, queries = false): void {
  recorder = next
  hasQueries = next !== undefined && queries
}

/** Whether each query of a database is a span. */
export function isTracingQueries(): boolean {
  return hasQueries
}

/** Whether this process records traces. */
export function isTracing(): boolean {
  return recorder !== undefined
}

/** Where a trace comes from that begins in this process, or goes on in it. */
export interface TraceOrigin {
  /** What the caller says of its own, where it says anything. */
  readonly caller?: Traceparent | undefined
  /** Whether the trace is recorded when the caller records it; else chance alone says so. */
  readonly trustsCaller: boolean
  /** The id of the trace where the caller has named none. */
  readonly traceId?: string | undefined
}

/** Begins the first span of this process in a trace; undefined where the trace is not recorded. */
export function beginTrace(name: string, options: SpanOptions, origin: TraceOrigin): Span | undefined {
  if (recorder === undefined) return undefined
  const { caller, trustsCaller, traceId } = origin
  const isAsked = trustsCaller && caller?.isSampled === true && recorder.isAllowed()
  if (!isAsked && !recorder.isPicked()) return undefined
  return recorder.begin(name, options, caller, traceId)
}

/** Begins a child of a span. */
export function beginChild(name: string, options: SpanOptions, parent: Span): Span | undefined {
  return recorder?.begin(name, options, parent, undefined)
}

/** Begins a child of the span that is worked in; undefined where there is none. Whoever begins it ends it. */
export function beginSpan(name: string, options: SpanOptions = {}): Span | undefined {
  if (recorder === undefined) return undefined
  const parent = current.getStore()
  return parent && recorder.begin(name, options, parent, undefined)
}

/** Does work in a span that others have begun and will end. */
export function withSpan<Result>(span: Span | undefined, work: () => Result): Result {
  return span === undefined ? work() : current.run(span, work)
}

/** Does work in a child of the span that is worked in, which ends with it; just does it where there is none. */
export async function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return endingWith(beginSpan(name, options), work)
}

/** Does work in the first span of this process in a trace; just does it where that is not recorded. */
export async function inTrace<Result>(
  name: string,
  options: SpanOptions,
  origin: TraceOrigin,
  work: () => Promise<Result>,
): Promise<Result> {
  return endingWith(beginTrace(name, options, origin), work)
}

async function endingWith<Result>(span: Span | undefined, work: () => Promise<Result>): Promise<Result> {
  if (span === undefined) return work()
  try {
    return await current.run(span, work)
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

/** The header `traceparent` for what is sent now; undefined where nothing is recorded. */
export function currentTraceparent(): string | undefined {
  return recorder === undefined ? undefined : current.getStore()?.traceparent
}

/** The request that work comes of, as other programs are told. */
export interface WorkOrigin {
  readonly requestId: string
  /** Only where the trace is recorded. */
  readonly traceparent?: string
}

/** What work comes of that is begun now; undefined outside of any request. */
export function currentOrigin(): WorkOrigin | undefined {
  const requestId = currentRequestId()
  if (requestId === undefined) return undefined
  const traceparent = currentTraceparent()
  return traceparent === undefined ? { requestId } : { requestId, traceparent }
}

/** The trace that an origin names, and which this process takes part in where it records traces. */
export function traceOf(origin: WorkOrigin | undefined): TraceOrigin {
  return { caller: readTraceparent(origin?.traceparent), trustsCaller: true }
}
