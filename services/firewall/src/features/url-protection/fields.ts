import type { Section } from '../../kinds/kind.ts'
import { lettersAndUnderscores, notBlank } from '../../kinds/patterns.ts'
import { attackTypesOfNewPolicies, urlAttackTypes } from '../patterns/built-in-attack-types.ts'

/** URLs that have a profile are checked by that profile in its place. */
export const urlProtection = {
  title: 'URL Protection',
  description: 'Checks requests for URLs that have no profile.',
  fields: {
    'allowed-methods': {
      type: 'list',
      of: { type: 'string', lengthMax: 512, pattern: lettersAndUnderscores },
      default: ['GET', 'POST', 'HEAD'],
    },
    'allowed-content-types': {
      type: 'list',
      of: { type: 'string', lengthMax: 128, pattern: notBlank },
      default: ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/xml', 'application/json'],
      description:
        'The types that the body of a request may have; "*" stands for any characters. With a single "*" the rules judge every type.',
    },
    'blocked-attack-types': {
      type: 'list',
      of: { type: 'choice', values: urlAttackTypes },
      default: attackTypesOfNewPolicies,
    },
    'csrf-prevention': {
      type: 'choice',
      values: ['None', 'Forms', 'Forms and URLs'],
      default: 'None',
      description: 'What gets a token that other sites cannot know.',
    },
    'custom-blocked-attack-types': { type: 'list', of: { type: 'reference', to: 'attack-type' } },
    enable: { type: 'choice', values: ['Enable', 'Disable'], default: 'Enable' },
    'exception-patterns': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: notBlank },
      description: 'Patterns of the blocked attack types that are not looked for, by name.',
    },
    'max-content-length': {
      type: 'integer',
      min: 0,
      max: 8_388_608,
      unit: 'bytes',
      default: 32_768,
      description: 'Of the body of a request, uploaded files left out.',
    },
    'max-parameters': { type: 'integer', min: 0, max: 1024, default: 40 },
    'maximum-parameter-name-length': { type: 'integer', min: 1, max: 1024, unit: 'characters', default: 64 },
    'maximum-upload-files': { type: 'integer', min: 0, max: 1024, default: 5 },
  },
} as const satisfies Section
