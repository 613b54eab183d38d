import type { Kind } from '../../kinds/kind.ts'
import { contentType, methodName, urlMatch } from '../../kinds/patterns.ts'
import { urlAttackTypes } from '../patterns/built-in-attack-types.ts'
import { conditionFields } from '../places/fields.ts'

/** Stands in for the URL Protection of the security policy where its URL matches. */
export const urlProfile = {
  name: 'url-profile',
  title: 'URL Profile',
  description: 'What requests for a URL of the application may look like.',
  path: 'url-profiles',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    'allow-query-string': { type: 'yes-no' },
    'allowed-content-types': {
      type: 'list',
      description: 'The types of bodies that may be sent; any when empty.',
      of: { type: 'string', lengthMax: 256, pattern: contentType },
    },
    'allowed-methods': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: methodName },
    },
    'blocked-attack-types': { type: 'list', of: { type: 'choice', values: urlAttackTypes } },
    comment: { type: 'string', lengthMax: 256 },
    'csrf-prevention': {
      type: 'choice',
      description:
        'Where a token is put that other sites cannot know, and without which a request is refused.',
      values: ['Forms', 'Forms and URLs', 'None'],
    },
    'custom-blocked-attack-types': { type: 'list', of: { type: 'reference', to: 'attack-type' } },
    'display-name': { type: 'string', lengthMax: 64, administrative: true },
    'exception-patterns': {
      type: 'list',
      description: 'The names of attack patterns that are not looked for here.',
      of: { type: 'string', lengthMax: 256 },
    },
    ...conditionFields,
    'hidden-parameter-protection': {
      type: 'choice',
      description: 'Where hidden parameters are checked for changes that the application did not make.',
      values: ['Forms', 'Forms and URLs', 'None'],
    },
    'max-content-length': {
      type: 'integer',
      min: 0,
      max: 1_073_741_824,
      unit: 'bytes',
      description: '0 for no limit.',
    },
    'maximum-parameter-name-length': { type: 'integer', min: 0, max: 1024, unit: 'characters' },
    'maximum-upload-files': {
      type: 'integer',
      min: 0,
      max: 1024,
      description: 'How many files one request may carry.',
    },
    'minimum-form-fill-time': {
      type: 'integer',
      min: 1,
      max: 1024,
      unit: 'seconds',
      description: 'Whoever sends a form sooner is taken for a program.',
    },
    mode: {
      type: 'choice',
      description:
        'Passive records violations, Active blocks them, Learning makes the profile from the traffic.',
      values: ['Active', 'Learning', 'Passive'],
    },
    'referrers-for-the-url-profile': {
      type: 'list',
      description: 'The pages from which the URL may be reached; any when empty.',
      of: { type: 'string', lengthMax: 5000 },
    },
    status: { type: 'on-off' },
  },
} as const satisfies Kind
