import type { Kind } from '../../kinds/kind.ts'
import { contentType, fileExtension } from '../../kinds/patterns.ts'
import { parameterClasses } from '../parameter-classes/parameter-classes.ts'

/** Stands in for the Parameter Protection of the security policy for one parameter. */
export const parameterProfile = {
  name: 'parameter-profile',
  title: 'Parameter Profile',
  description: 'What the value of a parameter may be in requests that match a URL profile.',
  path: 'parameter-profiles',
  parent: 'url-profile',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    parameter: {
      type: 'string',
      lengthMax: 512,
      required: true,
      description: 'The name of the parameter, in which "*" stands for any characters.',
    },
    'parameter-class': {
      type: 'reference',
      to: 'custom-parameter-class',
      orOneOf: [...parameterClasses, 'CUSTOM'],
      required: true,
      description: 'CUSTOM for the class that custom-parameter-class names.',
    },
    'allowed-file-upload-type': {
      type: 'choice',
      description: 'Whether uploaded files are told apart by their extensions or by their MIME types.',
      values: ['Extensions', 'Mime Types'],
    },
    'allowed-metachars': {
      type: 'string',
      lengthMax: 239,
      description:
        'Characters that are taken although the class denies them; unprintable ones percent-encoded.',
    },
    'base64-decode-parameter-value': { type: 'yes-no' },
    comments: { type: 'string', lengthMax: 256 },
    'custom-parameter-class': { type: 'reference', to: 'custom-parameter-class' },
    'exception-patterns': {
      type: 'list',
      description: 'The names of attack patterns that are not looked for in this parameter.',
      of: { type: 'string', lengthMax: 256 },
    },
    'file-upload-extensions': {
      type: 'list',
      of: { type: 'string', lengthMax: 64, pattern: fileExtension },
    },
    'file-upload-mime-types': { type: 'list', of: { type: 'string', lengthMax: 256, pattern: contentType } },
    ignore: { type: 'yes-no', description: 'Lets the parameter pass without any check.' },
    'max-value-length': {
      type: 'integer',
      min: 0,
      max: 1_073_741_824,
      unit: 'characters',
      description: '0 for no limit.',
    },
    'maximum-instances': {
      type: 'integer',
      min: 0,
      max: 32_767,
      description: 'How often the parameter may stand in one request; any number when empty.',
    },
    required: { type: 'yes-no', description: 'Refuses requests without the parameter.' },
    status: { type: 'on-off' },
    type: {
      type: 'choice',
      description:
        'Who decides the value: the user (Input, File Upload), the page (Read Only), one of values (Global Choice), or what the session was offered or sent first (Session Choice, Session Invariant).',
      values: ['File Upload', 'Global Choice', 'Input', 'Read Only', 'Session Choice', 'Session Invariant'],
    },
    'validate-parameter-name': { type: 'yes-no' },
    values: {
      type: 'list',
      description: 'The values that a Global Choice has.',
      of: { type: 'string', lengthMax: 1024 },
    },
  },
} as const satisfies Kind
