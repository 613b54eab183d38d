import type { Kind } from '../../kinds/kind.ts'
import { objectName, pathMatch } from '../../kinds/patterns.ts'
import { extendedMatch, hostOfRequests } from '../places/fields.ts'

/** Programs that flood a site with requests neither run scripts nor solve riddles; people and browsers do. */
export const ddosPolicy = {
  name: 'ddos-policy',
  title: 'DDoS Policy',
  description: 'How clients show that they are no programs which flood a part of the service.',
  path: 'ddos-policies',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, pattern: objectName, required: true },
    host: hostOfRequests,
    url: { type: 'string', lengthMax: 5000, pattern: pathMatch },
    'extended-match': extendedMatch,
    'extended-match-sequence': {
      type: 'integer',
      min: 0,
      max: 1000,
      description: 'Policies with lower numbers are tried first.',
    },
    'evaluate-clients': {
      type: 'on-off',
      description: 'Whether pages carry a script; clients that do not run it are suspicious.',
    },
    'mouse-check': { type: 'on-off', description: 'Whether the script waits for a mouse that moves.' },
    'enforce-captcha': {
      type: 'choice',
      values: ['Do not Enforce', 'Suspicious clients only', 'All clients'],
    },
    'num-captcha-tries': {
      type: 'integer',
      min: 1,
      max: 128,
      description: 'Wrong answers after which a client is blocked.',
    },
    'num-unanswered-captcha': {
      type: 'integer',
      min: 1,
      max: 2096,
      description: 'Riddles left unanswered after which a client is blocked.',
    },
    'expiry-time': {
      type: 'integer',
      min: 60,
      max: 3600,
      unit: 'seconds',
      description: 'How long a client may be idle before it is asked again.',
    },
    comments: { type: 'string', lengthMax: 256 },
  },
} as const satisfies Kind
