import type { Kind } from '../../kinds/kind.ts'
import { contentType, hostMatch, methodName, urlMatch } from '../../kinds/patterns.ts'

/** Lies inside a service, and holds profiles for single keys. */
export const jsonProfile = {
  name: 'json-profile',
  title: 'JSON Profile',
  description: 'Which requests carry JSON, and the policy by which it is checked.',
  path: 'json-profiles',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    'host-match': { type: 'string', lengthMax: 5000, pattern: hostMatch, required: true },
    method: {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: methodName },
      required: true,
    },
    'url-match': { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    'allowed-content-types': {
      type: 'list',
      description: 'The types of bodies that are read as JSON.',
      of: { type: 'string', lengthMax: 256, pattern: contentType },
    },
    comment: { type: 'string', lengthMax: 256 },
    'exception-patterns': {
      type: 'list',
      description: 'The names of attack patterns that are not looked for here.',
      of: { type: 'string', lengthMax: 256 },
    },
    'ignore-keys': {
      type: 'list',
      description: 'Keys whose values are not checked.',
      of: { type: 'string', lengthMax: 1024 },
    },
    'json-policy': { type: 'reference', to: 'json-security-policy' },
    mode: {
      type: 'choice',
      description: 'Passive records violations, Active blocks them.',
      values: ['Active', 'Passive'],
    },
    status: { type: 'on-off' },
    'validate-key': { type: 'yes-no', description: 'Looks for attacks in the names of keys, too.' },
  },
} as const satisfies Kind
