import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tracingFromEnvironment, tracingIn } from './settings.ts'

const endpoint = 'http://collector:4318'

test('without an address of a collector nothing is recorded', () => {
  const off = [
    {},
    { OTEL_SERVICE_NAME: 'x' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' },
  ]
  for (const environment of off) assert.equal(tracingFromEnvironment(environment), undefined)
})

test('reads the standard environment variables', () => {
  assert.deepEqual(tracingFromEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }), {
    url: `${endpoint}/v1/traces`,
    sampleRatio: 1,
    headers: {},
  })
  assert.deepEqual(
    tracingFromEnvironment({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/otlp',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, x-tenant=one',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_SERVICE_NAME: 'edge',
    }),
    {
      url: 'https://traces.example/otlp',
      sampleRatio: 0.25,
      headers: { 'api-key': 'a b', 'x-tenant': 'one' },
      serviceName: 'edge',
    },
  )
})

test('names the setting that is wrong, and shows no secret', () => {
  const at = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }
  const wrong = [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT/],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://me:s3cret@collector' }, /TRACES_ENDPOINT/],
    [{ ...at, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /OTEL_TRACES_SAMPLER/],
    [{ ...at, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, /SAMPLER_ARG/],
    [{ ...at, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL/],
    [{ ...at, OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER/],
    [{ ...at, OTEL_EXPORTER_OTLP_HEADERS: 's3cret' }, /OTEL_EXPORTER_OTLP_HEADERS/],
  ] as const
  for (const [environment, message] of wrong) {
    assert.throws(
      () => tracingFromEnvironment(environment),
      (error: Error) => message.test(error.message) && !error.message.includes('s3cret'),
    )
  }
})

test('reads the member of a configuration file, with headers one a line', () => {
  const reading = (text: string) => () => text
  const configuration = { endpoint: 'http://collector/base/', sampleRatio: 0.5, headersFile: '/etc/headers' }
  assert.deepEqual(tracingIn(configuration, reading('api-key: s3cret\n\nx-tenant=one\n')), {
    url: 'http://collector/base/v1/traces',
    sampleRatio: 0.5,
    queries: false,
    headers: { 'api-key': 's3cret', 'x-tenant': 'one' },
  })
  const withQueries = { endpoint: 'http://collector/', sampleRatio: 1, queries: true }
  assert.equal(tracingIn(withQueries, reading(''))?.queries, true)
  assert.throws(
    () => tracingIn(configuration, reading('a=\u0001b')),
    /^TracingSettingsError: tracing\.headersFile/,
  )
  assert.throws(() => tracingIn({ endpoint: 'ftp://x', sampleRatio: 1 }, reading('')), /tracing\.endpoint/)
})
