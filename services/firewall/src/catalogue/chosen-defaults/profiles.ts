import type { ChosenDefaults } from './chosen-defaults.ts'

/** What a fresh security policy looks for in addresses, bodies and parameters. */
const blockedAttackTypes = [
  'Cross-Site Scripting',
  'SQL Injection',
  'OS Command Injection',
  'LDAP Injection',
  'Python-PHP attacks',
  'HTTP Specific Injection',
  'Apache Struts attacks',
]

// What an administrator creates is at work at once, and only reports until it is made Active.

/** Defaults of profiles: that of a URL is as strict as the URL protection of a fresh security policy. */
export const profiles: ChosenDefaults = {
  // As URL Protection of a fresh security policy, so that a profile is no gap in it.
  'url-profile': {
    'allow-query-string': 'Yes',
    'allowed-content-types': [
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'text/xml',
      'application/json',
    ],
    'allowed-methods': ['GET', 'POST', 'HEAD'],
    'blocked-attack-types': blockedAttackTypes,
    'csrf-prevention': 'None',
    'extended-match': '*',
    'extended-match-sequence': 1,
    'hidden-parameter-protection': 'None',
    'max-content-length': 32_768,
    'maximum-parameter-name-length': 64,
    'maximum-upload-files': 5,
    // More would turn away people whose browser fills the form in for them.
    'minimum-form-fill-time': 1,
    mode: 'Passive',
    status: 'On',
  },
  // As Parameter Protection of a fresh security policy.
  'parameter-profile': {
    'allowed-file-upload-type': 'Extensions',
    'base64-decode-parameter-value': 'No',
    'file-upload-extensions': ['JPG', 'GIF', 'PDF'],
    'file-upload-mime-types': ['image/jpeg', 'image/gif', 'application/pdf'],
    ignore: 'No',
    'max-value-length': 1000,
    required: 'No',
    status: 'On',
    type: 'Input',
    'validate-parameter-name': 'No',
  },
  'json-profile': {
    'allowed-content-types': ['application/json'],
    'json-policy': 'default-policy',
    mode: 'Passive',
    status: 'On',
    'validate-key': 'Yes',
  },
  'json-key-profile': {
    'allow-null': 'Yes',
    'base64-decode-parameter-value': 'No',
    // 0: the limits of the policy are enough.
    'max-array-elements': 0,
    'max-keys': 0,
    'max-length': 0,
    'max-number-value': '0',
    status: 'On',
    'validate-key': 'Yes',
    'value-type': 'Any',
  },
  // More than applications use, and little enough for every parser.
  'json-security-policy': {
    'max-array-elements': 1024,
    'max-number-value': '0',
    'max-object-depth': 32,
    'max-siblings': 1024,
  },
  'jwt-url-profile': {
    'extended-match-sequence': 1,
    status: 'On',
  },
  'adaptive-profiling-rule': {
    'learn-from-request': 'Yes',
    'learn-from-response': 'Yes',
    status: 'On',
  },
  'form-spam-form': {
    'minimum-form-fill-time': 1,
    mode: 'Passive',
    status: 'On',
  },
  'custom-parameter-class': {
    'blocked-attack-types': blockedAttackTypes,
    'input-type-validation': 'NONE',
  },
}
