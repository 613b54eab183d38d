import type { Section } from '../../kinds/kind.ts'
import { hostAndPort, oneLine, urlMatch } from '../../kinds/patterns.ts'

/** A server without a URL here is not asked. */
export const applicationLayerHealthChecks = {
  title: 'Application Layer Health Checks',
  description: 'A request that a healthy server answers as described.',
  fields: {
    url: { type: 'string', lengthMin: 1, lengthMax: 950, pattern: urlMatch },
    method: { type: 'choice', values: ['GET', 'POST', 'HEAD'], default: 'GET' },
    domain: {
      type: 'string',
      lengthMax: 253,
      pattern: hostAndPort,
      description: 'The host that is asked for.',
    },
    'additional-headers': {
      type: 'list',
      of: { type: 'string', lengthMax: 1024, pattern: oneLine },
    },
    'status-code': { type: 'integer', min: 100, max: 999, default: 200 },
    'match-content-string': {
      type: 'string',
      lengthMin: 1,
      lengthMax: 255,
      description: "Text that is in the answer's body.",
    },
  },
} as const satisfies Section

/** The traffic itself shows how a server fares. Errors that are not watched for have 0. */
export const inBandHealthChecks = {
  title: 'In Band Health Checks',
  description: 'How many errors in the traffic take a server out of service.',
  fields: {
    'max-http-errors': { type: 'integer', min: 0, max: 1024, default: 0 },
    'max-refused': {
      type: 'integer',
      min: 0,
      max: 1024,
      default: 10,
      description: 'Connections that the server refused.',
    },
    'max-timeout-failure': {
      type: 'integer',
      min: 0,
      max: 1024,
      default: 10,
      description: 'Connections that were not answered in time.',
    },
    'max-other-failure': { type: 'integer', min: 0, max: 1024, default: 10 },
  },
} as const satisfies Section

/** What is asked, the section for application layer health checks says; by itself, only a connection is opened. */
export const outOfBandHealthChecks = {
  title: 'Out of Band Health Checks',
  description: 'Whether and how often a server is asked how it fares, apart from the traffic.',
  fields: {
    'enable-oob-health-checks': { type: 'yes-no' },
    interval: { type: 'integer', min: 1, max: 10_000, default: 10, unit: 'seconds' },
  },
} as const satisfies Section

/** Of a server of a content rule: as that of a service, with On and Off for Yes and No. */
export const outOfBandHealthChecksOfContentRule = {
  ...outOfBandHealthChecks,
  fields: { ...outOfBandHealthChecks.fields, 'enable-oob-health-checks': { type: 'on-off' } },
} as const satisfies Section
