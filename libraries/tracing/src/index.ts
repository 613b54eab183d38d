export { requestIdOf } from './request-id-of.ts'
export {
  type TracingConfiguration,
  type TracingSettings,
  TracingSettingsError,
  tracingFromEnvironment,
  tracingIn,
} from './settings.ts'
export {
  type Attributes,
  beginChild,
  beginSpan,
  beginTrace,
  currentOrigin,
  currentTraceparent,
  inSpan,
  inTrace,
  isTracing,
  isTracingQueries,
  type Span,
  traceOf,
  type WorkOrigin,
  withSpan,
} from './spans.ts'
export { startTracing, type Tracing } from './start-tracing.ts'
export { readTraceparent } from './traceparent.ts'
