import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import {
  type Span as ApiSpan,
  SpanKind as ApiSpanKind,
  type Context,
  ROOT_CONTEXT,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Log } from '@palisade/log'
import { currentRequestId } from '@palisade/log/request-id'
import { ExportQueue } from './export-queue.ts'
import type { TracedProgram, TracingSettings } from './settings.ts'
import type { Recorder, Span, SpanKind, SpanOptions } from './spans.ts'
import { isTraceId, type Traceparent, writeTraceparent } from './traceparent.ts'

/** Of an attribute, in characters: a query that inserts many rows is long. */
const valueMax = 2_048

/**
 * A collector that takes longer for a batch, with what is tried again, has not taken it, in milliseconds. A program that ends while one is on
 * its way may end so much later.
 */
const exportMaxMs = 3_000
/** Traces that callers ask for in one second, beyond which chance alone picks them: what anybody can send has a bound. */
const askedPerSecondMax = 100

const kinds = {
  server: ApiSpanKind.SERVER,
  client: ApiSpanKind.CLIENT,
  internal: ApiSpanKind.INTERNAL,
} as const satisfies Record<SpanKind, ApiSpanKind>

/** A span of OpenTelemetry behind our interface. */
class RecordedSpan implements Span {
  readonly traceparent: string
  readonly context: Context
  readonly #span: ApiSpan

  constructor(span: ApiSpan) {
    const { traceId, spanId } = span.spanContext()
    this.#span = span
    this.context = trace.setSpan(ROOT_CONTEXT, span)
    this.traceparent = writeTraceparent({ traceId, spanId, isSampled: true })
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  set(attributes: Parameters<Span['set']>[0]): void {
    this.#span.setAttributes({ ...attributes })
  }

  fail(error?: unknown): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR })
    // Messages may repeat what somebody has sent.
    if (error instanceof Error) this.#span.setAttribute('error.type', error.name)
  }

  end(): void {
    this.#span.end()
  }
}

/** Makes what records spans and brings them to the collector. */
export function openExport(
  settings: TracingSettings,
  program: TracedProgram,
  log: Log,
): { readonly recorder: Recorder; readonly queue: ExportQueue } {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: exportMaxMs,
  })
  const queue = new ExportQueue(exporter, log)
  /** That of the span that begins now; the library asks for it in the same turn. */
  let nextTraceId: string | undefined
  const provider = new TracerProvider({
    // Who begins a span has decided.
    sampler: new AlwaysOnSampler(),
    resource: resourceFromAttributes({
      'service.name': settings.serviceName ?? program.name,
      'service.version': program.version,
      'host.name': hostname(),
      'process.pid': process.pid,
    }),
    spanProcessors: [queue],
    spanLimits: { attributeCountLimit: 32, attributeValueLengthLimit: valueMax },
    idGenerator: {
      generateTraceId: () => nextTraceId ?? randomBytes(16).toString('hex'),
      generateSpanId: () => randomBytes(8).toString('hex'),
    },
  })
  const tracer = provider.getTracer('palisade', program.version)
  const begin = (
    name: string,
    { kind = 'internal', attributes = {} }: SpanOptions,
    parent: Traceparent | Span | undefined,
    traceId: string | undefined,
  ): Span => {
    const requestId = currentRequestId()
    const isFirst = !(parent instanceof RecordedSpan)
    const own = isFirst && requestId !== undefined ? { 'palisade.request_id': requestId } : {}
    const options = { kind: kinds[kind], attributes: { ...own, ...attributes } }
    nextTraceId = [traceId, requestId].find((id) => id !== undefined && isTraceId(id))
    return new RecordedSpan(tracer.startSpan(name, options, contextOf(parent)))
  }
  const picked = { second: 0, count: 0 }
  return {
    recorder: {
      begin,
      isPicked: () => Math.random() < settings.sampleRatio,
      isAllowed: () => {
        const second = Math.floor(performance.now() / 1000)
        if (second !== picked.second) Object.assign(picked, { second, count: 0 })
        return ++picked.count <= askedPerSecondMax
      },
    },
    queue,
  }
}

function contextOf(parent: Traceparent | Span | undefined): Context {
  if (parent instanceof RecordedSpan) return parent.context
  if (parent === undefined || !('traceId' in parent)) return ROOT_CONTEXT
  const { traceId, spanId } = parent
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
}
