export { requestIdOf } from './request-id-of.ts'
export {
  type TracingConfiguration,
  type TracingSettings,
  TracingSettingsError,
  tracingFromEnvironment,
  tracingIn,
} from './settings.ts'
export {
  beginChild,
  beginSpan,
  beginTrace,
  currentOrigin,
  currentTraceparent,
  inSpan,
  inTrace,
  isTracing,
  type Span,
  type SpanOptions,
  traceOf,
  type WorkOrigin,
  withSpan,
} from './spans.ts'
export { type DropReason, startTracing, type TracedProgram, type Tracing } from './start-tracing.ts'
export { readTraceparent } from './traceparent.ts'
