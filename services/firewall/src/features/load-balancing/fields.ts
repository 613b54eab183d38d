import type { Section } from '../../kinds/kind.ts'
import { absolutePath, cookieName, headerName, hostName, parameterName } from '../../kinds/patterns.ts'

/** Of a service. Persistence sends the later requests of a client to the server that had its first one. */
export const serviceLoadBalancing = {
  title: 'Load Balancing',
  description: 'How requests are spread over the servers.',
  fields: {
    algorithm: {
      type: 'choice',
      values: ['Round Robin', 'Weighted Round Robin', 'Least Requests'],
      default: 'Round Robin',
    },
    'persistence-method': {
      type: 'choice',
      values: ['None', 'Source IP', 'Cookie Insert', 'Cookie Passive', 'HTTP Header', 'URL Parameter'],
      default: 'None',
      description: 'What of a request tells that it belongs to an earlier one.',
    },
    'failover-method': {
      type: 'choice',
      values: ['Load Balance', 'Error'],
      default: 'Load Balance',
      description: 'What becomes of a client whose server is out of service.',
    },
    'persistence-idle-timeout': { type: 'integer', min: 0, max: 86_400, default: 600, unit: 'seconds' },
    'source-ip-netmask': {
      type: 'netmask',
      description: 'Clients of one network are taken for one.',
    },
    'persistence-cookie-name': {
      type: 'string',
      lengthMax: 255,
      pattern: cookieName,
      default: 'persistence',
    },
    'persistence-cookie-domain': { type: 'string', lengthMax: 253, pattern: hostName },
    'persistence-cookie-path': { type: 'string', lengthMax: 1024, pattern: absolutePath, default: '/' },
    'cookie-age': {
      type: 'integer',
      min: 1,
      max: 1_051_200,
      unit: 'minutes',
      description: 'Left out, the cookie ends with the browser.',
    },
    'header-name': { type: 'string', lengthMax: 255, pattern: headerName },
    'parameter-name': { type: 'string', lengthMax: 255, pattern: parameterName },
  },
} as const satisfies Section

const { algorithm, ...shared } = serviceLoadBalancing.fields

/** Of a content rule: as a service's, but for the name of one member. */
export const contentRuleLoadBalancing = {
  title: 'Load Balancing',
  description: "How the rule's requests are spread over its servers.",
  fields: { 'lb-algorithm': algorithm, ...shared },
} as const satisfies Section
