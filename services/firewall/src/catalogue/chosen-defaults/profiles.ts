import type { ChosenDefaults } from './chosen-defaults.ts'

export const profiles: ChosenDefaults = {
  'url-profile': {
    'allow-query-string': 'No',
    'csrf-prevention': 'Forms',
    'extended-match-sequence': 0,
    'hidden-parameter-protection': 'Forms',
    'max-content-length': 0,
    'maximum-parameter-name-length': 0,
    'maximum-upload-files': 0,
    'minimum-form-fill-time': 1,
    mode: 'Active',
    status: 'Off',
  },
  'parameter-profile': {
    'allowed-file-upload-type': 'Extensions',
    'base64-decode-parameter-value': 'No',
    'custom-parameter-class': 'CommentSpam',
    ignore: 'No',
    'max-value-length': 0,
    'maximum-instances': 0,
    required: 'No',
    status: 'Off',
    type: 'File Upload',
    'validate-parameter-name': 'No',
  },
  'json-profile': {
    mode: 'Active',
    status: 'Off',
    'validate-key': 'No',
  },
  'json-key-profile': {
    'allow-null': 'No',
    'base64-decode-parameter-value': 'No',
    'max-array-elements': 0,
    'max-keys': 0,
    'max-length': 0,
    'max-number-value': 0,
    status: 'Off',
    'validate-key': 'No',
    'value-type': 'Any',
  },
  'json-security-policy': {
    'max-array-elements': 0,
    'max-number-value': 0,
    'max-object-depth': 0,
    'max-siblings': 0,
  },
  'jwt-url-profile': {
    'extended-match-sequence': 0,
    status: 'Off',
  },
  'adaptive-profiling-rule': {
    'learn-from-request': 'No',
    'learn-from-response': 'No',
    status: 'Off',
  },
  'form-spam-form': {
    'minimum-form-fill-time': 1,
    mode: 'Active',
    status: 'Off',
  },
  'custom-parameter-class': {
    'custom-input-type-validation': '&lt;NONE&gt;',
    'input-type-validation': 'Alpha',
  },
}
