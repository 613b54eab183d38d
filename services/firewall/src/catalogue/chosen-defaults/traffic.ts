import type { ChosenDefaults } from './chosen-defaults.ts'

export const traffic: ChosenDefaults = {
  'http-request-rewrite': {
    action: 'Insert Header',
    'continue-processing': 'No',
  },
  'http-response-rewrite': {
    'continue-processing': 'No',
  },
  'url-policy': {
    'count-auth-resp-identifier': 'Auth Failure Response Codes',
    'count-window': 1,
    'counting-criterion': 'All Sources',
    'credential-authentication-type': 'HTML Form',
    'credential-protection-type': 'Credential Spraying Protection',
    'credential-spraying-blocking-threshold': 1,
    'enable-batd-scan': 'No',
    'enable-bruteforce-prevention': 'No',
    'enable-count-auth-resp-code': 'No',
    'enable-data-theft-protection': 'No',
    'enable-virus-scan': 'No',
    'extended-match-sequence': 0,
    'max-allowed-accesses-from-all-sources': 0,
    'max-allowed-accesses-per-fingerprint': 0,
    'max-allowed-accesses-per-ip': 0,
    'max-bandwidth-from-all-sources': 0,
    'max-bandwidth-per-fingerprint': 0,
    'max-bandwidth-per-ip': 0,
    'max-failed-accesses-from-all-sources': 0,
    'max-failed-accesses-per-fingerprint': 0,
    'max-failed-accesses-per-ip': 0,
    mode: 'Active',
    'parse-urls-in-scripts': 'No',
    'response-charset': 'ASCII',
    status: 'Off',
  },
  'url-encryption-rule': {
    'allow-unencrypted-requests': 'No',
    status: 'Off',
  },
  'websocket-policy': {
    mode: 'Active',
    status: 'Off',
  },
  'websocket-policy/message-security': {
    'enable-message-security': 'No',
    'enforce-json-check': 'No',
  },
  'websocket-policy/protocol-security': {
    'max-frame-per-frag-message': 0,
    'max-frame-size': 0,
  },
  'secure-browsing-policy': {
    'extended-match-sequence': 0,
    status: 'Off',
  },
  'client-side-protection-rule': {
    'extended-match-sequence': 0,
    status: 'Off',
  },
  'csp-policy': {
    'csp-mode': 'Block',
    'disown-opener': 'No',
    'mixed-box-content': 'No',
    'send-to': 'No',
    'sri-status': 'Off',
    status: 'Off',
    'upgrade-unsecure-req': 'No',
  },
  'credential-server': {
    'cache-expiry': 300,
    'cache-valid-sessions': 'No',
    port: 0,
  },
  'web-scraping-policy': {
    'detect-mouse-event': 'No',
    'insert-delay': 'No',
    'insert-disallowed-urls': 'No',
    'insert-hidden-links': 'No',
    'insert-javascript-in-response': 'No',
  },
  'whitelisted-bot': {
    identifier: 'Host',
  },
  'response-page': {
    type: 'Access Control Pages',
  },
}
