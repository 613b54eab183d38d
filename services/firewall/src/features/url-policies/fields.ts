import type { Kind } from '../../kinds/kind.ts'
import { addressRanges, hostMatch, urlMatch } from '../../kinds/patterns.ts'
import { conditionFields } from '../places/fields.ts'
import { accessLimits } from './access-limits.ts'

/**
 * Turns on, for the URLs that it matches, what is too dear or too strict for a whole application: scanning of
 * uploads, protection of data in responses, and counting against guessed passwords. Each is off until it is asked for.
 */
export const urlPolicy = {
  name: 'url-policy',
  title: 'URL Policy',
  description: 'What is done for a URL of the application beyond what its security policy says.',
  path: 'url-policies',
  parent: 'service',
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 64, required: true },
    url: { type: 'string', lengthMax: 5000, pattern: urlMatch, required: true },
    comments: { type: 'string', lengthMax: 256 },
    'count-auth-resp-identifier': {
      type: 'choice',
      description: 'How a failed log-in is told from the response.',
      values: ['Auth Failure Response Codes', 'Response Page Text'],
    },
    'count-auth-resp-text-to-match': {
      type: 'string',
      lengthMax: 128,
      description: 'What the page of a failed log-in says.',
    },
    'count-window': {
      type: 'integer',
      min: 1,
      max: 3600,
      unit: 'seconds',
      description: 'The time in which accesses are counted.',
    },
    'counting-criterion': {
      type: 'choice',
      description: 'Whether each client is counted by itself or all together.',
      values: ['All Sources', 'By Client'],
    },
    'credential-authentication-type': {
      type: 'choice',
      description: 'How user names and passwords are sent here.',
      values: ['HTML Form', 'HTTP Basic Authentication', 'JSON/AJAX Request'],
    },
    'credential-protection-type': {
      type: 'choice',
      description:
        'Against known stolen passwords (stuffing), or one password tried on many names (spraying); neither when empty.',
      values: ['Credential Spraying Protection', 'Credential Stuffing Protection'],
    },
    'credential-spraying-blocking-threshold': {
      type: 'integer',
      min: 1,
      max: 1000,
      description: 'How many attempts are let through before a client is blocked.',
    },
    'credential-stuffing-password-field': {
      type: 'string',
      lengthMax: 64,
      description: 'The name of the parameter or key that holds the password.',
    },
    'credential-stuffing-username-field': {
      type: 'string',
      lengthMax: 64,
      description: 'The name of the parameter or key that holds the user name.',
    },
    'enable-batd-scan': {
      type: 'yes-no',
      description: 'Has uploaded files looked at by an advanced threat service.',
    },
    'enable-bruteforce-prevention': {
      type: 'yes-no',
      description: 'Counts accesses within the count window and refuses more than the limits.',
    },
    'enable-count-auth-resp-code': { type: 'yes-no', description: 'Counts failed log-ins, too.' },
    'enable-data-theft-protection': {
      type: 'yes-no',
      description: 'Looks in responses for the data that the security policy protects.',
    },
    'enable-virus-scan': { type: 'yes-no', description: 'Scans uploaded files.' },
    'exception-clients': {
      type: 'string',
      pattern: addressRanges,
      description: 'Clients that are not counted.',
    },
    'exception-fingerprints': {
      type: 'string',
      description: 'Fingerprints of clients that are not counted, separated by commas.',
    },
    ...conditionFields,
    host: { type: 'string', lengthMax: 128, pattern: hostMatch },
    ...accessLimits,
    mode: {
      type: 'choice',
      description: 'Passive records violations, Active blocks them.',
      values: ['Active', 'Passive'],
    },
    'parse-urls-in-scripts': {
      type: 'yes-no',
      description: 'Finds addresses also in scripts, where a feature changes those in pages.',
    },
    'rate-control-pool': { type: 'reference', to: 'rate-control-pool', orOneOf: ['NONE'] },
    'response-charset': {
      type: 'choice',
      description: 'How responses are encoded; as they say themselves with NONE.',
      values: [
        'ASCII',
        'BIG5',
        'EUC-JP',
        'EUC-KR',
        'EUC-TW',
        'GB2312',
        'GBK',
        'HZ',
        'ISO-2022-CN',
        'ISO-2022-JP',
        'ISO-2022-KR',
        'ISO-8859-1',
        'JOHAB',
        'NONE',
        'Shift-JIS',
        'UTF-8',
      ],
    },
    status: { type: 'on-off' },
    'web-scraping-policy': { type: 'reference', to: 'web-scraping-policy', orOneOf: ['NONE'] },
  },
} as const satisfies Kind
