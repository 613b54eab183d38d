/** Where traces go, and how many. */
export interface TracingSettings {
  /** The address to which spans are posted: `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string
  /** From 0 to 1: how many of the traces that begin here are recorded. */
  readonly sampleRatio: number
  /** What the collector wants to be told besides, such as its key. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether each query of a database is a span too, with its text. */
  readonly queries?: boolean
  /** What the program is called; its own name when left out. */
  readonly serviceName?: string
}

/** What a collector is told of the program. */
export interface TracedProgram {
  /** Such as `palisade-server`. */
  readonly name: string
  readonly version: string
}

/** A setting cannot be used; the message is a sentence without its point that names the setting, and has no secrets. */
export class TracingSettingsError extends Error {
  override readonly name = 'TracingSettingsError'
}

const tracesPath = '/v1/traces'

/** What a configuration file says of traces. */
export interface TracingConfiguration {
  /** The collector's address, which may have a path: `http://127.0.0.1:4318`. */
  readonly endpoint: string
  /** From 0 to 1. */
  readonly sampleRatio: number
  readonly headersFile?: string
  readonly queries?: boolean
}

/**
 * Reads what a configuration file says of traces, in its member `tracing`.
 *
 * @param readSecret reads the file that the second parameter names
 * @throws TracingSettingsError that names the member at fault, and whatever `readSecret` throws
 */
export function tracingIn(
  { endpoint, sampleRatio, headersFile, queries = false }: TracingConfiguration,
  readSecret: (path: string, named: string) => string,
): TracingSettings {
  const named = 'tracing.headersFile'
  return {
    url: tracesUrl(endpoint, 'tracing.endpoint'),
    sampleRatio,
    queries,
    headers: headersFile === undefined ? {} : readHeaders(readSecret(headersFile, named), named),
  }
}

/** The address of a collector's traces. */
function tracesUrl(base: string, named: string): string {
  const url = checkedUrl(base, named)
  url.pathname = url.pathname.replace(/\/+$/, '') + tracesPath
  return url.href
}

/** Reads headers that a collector wants, one a line or between commas: `api-key=secret`. They stand in no message. */
function readHeaders(text: string, named: string): Readonly<Record<string, string>> {
  const entries = text
    .split(/[,\r\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, name, value] = /^([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*[=:]\s*(\S.*)$/.exec(entry) ?? []
      const plain = value === undefined ? undefined : decoded(value)
      if (name === undefined || plain === undefined || !/^[\t\x20-\x7e]+$/.test(plain)) {
        throw new TracingSettingsError(`${named} must hold headers of the form name=value, one a line`)
      }
      return [name, plain] as const
    })
  return Object.fromEntries(entries)
}

/**
 * What the standard environment variables say (https://opentelemetry.io/docs/specs/otel/protocol/exporter/): traces are recorded where
 * `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` names a collector.
 *
 * @returns undefined when nothing is to be recorded
 * @throws TracingSettingsError
 */
export function tracingFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): TracingSettings | undefined {
  const read = (name: string) => environment[name]?.trim() || undefined
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT')
  const forTraces = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const exporter = read('OTEL_TRACES_EXPORTER') ?? 'otlp'
  const isDisabled = read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || exporter === 'none'
  if (isDisabled || (base === undefined && forTraces === undefined)) return undefined
  const protocolName = 'OTEL_EXPORTER_OTLP_PROTOCOL'
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? read(protocolName) ?? 'http/json'
  // JSON is what all collectors take that speak HTTP at all.
  if (exporter !== 'otlp') throw new TracingSettingsError('OTEL_TRACES_EXPORTER must be otlp or none')
  if (!protocol.startsWith('http/')) {
    throw new TracingSettingsError(
      `${protocolName} is "${protocol.slice(0, 32)}"; spans are sent as http/json only`,
    )
  }
  const headersName = 'OTEL_EXPORTER_OTLP_HEADERS'
  const headers = read('OTEL_EXPORTER_OTLP_TRACES_HEADERS') ?? read(headersName) ?? ''
  const serviceName = read('OTEL_SERVICE_NAME')
  return {
    url:
      forTraces === undefined
        ? tracesUrl(base ?? '', 'OTEL_EXPORTER_OTLP_ENDPOINT')
        : checkedUrl(forTraces, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT').href,
    sampleRatio: ratioIn(read('OTEL_TRACES_SAMPLER'), read('OTEL_TRACES_SAMPLER_ARG')),
    headers: readHeaders(headers, headersName),
    ...(serviceName === undefined ? {} : { serviceName }),
  }
}

function ratioIn(sampler = 'parentbased_always_on', argument = '1'): number {
  const kind = sampler.replace(/^parentbased_/, '')
  if (kind === 'always_on') return 1
  if (kind === 'always_off') return 0
  if (kind !== 'traceidratio') {
    throw new TracingSettingsError(
      'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, each also with parentbased_ before it',
    )
  }
  const ratio = Number(argument)
  if (ratio >= 0 && ratio <= 1) return ratio
  throw new TracingSettingsError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
}

function checkedUrl(text: string, named: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === undefined || !isHttp || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new TracingSettingsError(
      `${named} must be the address of a collector such as http://127.0.0.1:4318, without a user`,
    )
  }
  return url
}

/** Values of the environment may be percent-encoded, as those of W3C Baggage. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
