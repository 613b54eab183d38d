import type { Section } from '../../kinds/kind.ts'
import { notBlank, parameterName, percentEncodedCharacters } from '../../kinds/patterns.ts'
import { attackTypesOfNewPolicies, parameterAttackTypes } from '../patterns/built-in-attack-types.ts'

/** The size of a file is in kilobytes here; proxies are told bytes. */
export const parameterProtection = {
  title: 'Parameter Protection',
  description: 'Checks parameters and uploaded files for which there is no profile.',
  fields: {
    'allowed-file-upload-type': {
      type: 'choice',
      values: ['Extensions', 'Mime Types'],
      default: 'Extensions',
      description: 'By what an uploaded file is judged.',
    },
    'base64-decode-parameter-value': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether values are also looked into as Base64.',
    },
    'blocked-attack-types': {
      type: 'list',
      of: { type: 'choice', values: parameterAttackTypes },
      default: attackTypesOfNewPolicies,
    },
    'custom-blocked-attack-types': { type: 'list', of: { type: 'reference', to: 'attack-type' } },
    'denied-metacharacters': {
      type: 'string',
      lengthMax: 239,
      pattern: percentEncodedCharacters,
      default: '%00%01%04%1b%08%5c%7f',
      description: 'Characters that no value may contain, percent-encoded.',
    },
    enable: { type: 'yes-no', default: 'Yes' },
    'exception-patterns': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: notBlank },
      description: 'Patterns of the blocked attack types that are not looked for, by name.',
    },
    'file-upload-extensions': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: notBlank },
      default: ['JPG', 'GIF', 'PDF'],
      description:
        'Without the dot, in any case; "*" stands for any characters. Those behind a "!" are refused also where another one fits.',
    },
    'file-upload-mime-types': {
      type: 'list',
      of: { type: 'string', lengthMax: 128, pattern: notBlank },
      default: ['image/jpeg', 'image/gif', 'application/pdf'],
      description:
        '"*" stands for any characters. Those behind a "!" are refused also where another one fits.',
    },
    'ignore-parameters': {
      type: 'list',
      of: { type: 'string', lengthMax: 256, pattern: parameterName },
      default: ['__VIEWSTATE'],
      description: 'Parameters that are not checked.',
    },
    'maximum-instances': {
      type: 'integer',
      min: 0,
      max: 32_767,
      description: 'How often one parameter may occur in a request; any number when empty.',
    },
    'maximum-parameter-value-length': {
      type: 'integer',
      min: 0,
      max: 1_073_741_824,
      unit: 'characters',
      default: 1000,
    },
    'maximum-upload-file-size': {
      type: 'integer',
      min: 0,
      max: 51_200,
      unit: 'KB',
      default: 1024,
      description: 'Of each file.',
    },
    'validate-parameter-name': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether attacks are also looked for in the names of parameters.',
    },
  },
} as const satisfies Section
