import type { ChosenDefaults } from './chosen-defaults.ts'

// What an administrator creates is at work at once, and only reports until it is made Active.

/** Defaults of rewriting, URL policies and what else changes traffic. */
export const traffic: ChosenDefaults = {
  'http-request-rewrite': {
    action: 'Insert Header',
    condition: '*',
    'continue-processing': 'Yes',
  },
  'http-response-rewrite': {
    condition: '*',
    'continue-processing': 'Yes',
  },
  'url-policy': {
    'count-auth-resp-identifier': 'Auth Failure Response Codes',
    'count-window': 60,
    'counting-criterion': 'By Client',
    'credential-authentication-type': 'HTML Form',
    'credential-spraying-blocking-threshold': 10,
    'enable-batd-scan': 'No',
    'enable-bruteforce-prevention': 'No',
    'enable-count-auth-resp-code': 'No',
    'enable-data-theft-protection': 'No',
    'enable-virus-scan': 'No',
    'extended-match': '*',
    'extended-match-sequence': 1,
    host: '*',
    // Ten log-ins a minute are many for a person and few for a program that guesses. Whole offices share an
    // address, but all sources together are counted only when asked for.
    'max-allowed-accesses-from-all-sources': 100,
    'max-allowed-accesses-per-fingerprint': 10,
    'max-allowed-accesses-per-ip': 10,
    'max-bandwidth-from-all-sources': 0,
    'max-bandwidth-per-fingerprint': 0,
    'max-bandwidth-per-ip': 0,
    'max-failed-accesses-from-all-sources': 100,
    'max-failed-accesses-per-fingerprint': 10,
    'max-failed-accesses-per-ip': 10,
    mode: 'Passive',
    'parse-urls-in-scripts': 'No',
    'rate-control-pool': 'NONE',
    'response-charset': 'NONE',
    status: 'On',
    'web-scraping-policy': 'NONE',
  },
  'url-encryption-rule': {
    'allow-unencrypted-requests': 'No',
    status: 'On',
  },
  'websocket-policy': {
    mode: 'Passive',
    status: 'On',
  },
  'websocket-policy/message-security': {
    'enable-message-security': 'No',
    'enforce-json-check': 'No',
  },
  'websocket-policy/protocol-security': {
    'max-frame-per-frag-message': 256,
    'max-frame-size': 1_048_576,
    'payload-format': 'Both',
  },
  'secure-browsing-policy': {
    'extended-match': '*',
    'extended-match-sequence': 1,
    host: '*',
    status: 'On',
  },
  'client-side-protection-rule': {
    'csp-mode': ['Report Only'],
    'extended-match': '*',
    'extended-match-sequence': 1,
    status: 'On',
  },
  'sub-resource-integrity': {
    mode: ['Automatically'],
  },
  // Directives have no defaults: one that is not set is not sent.
  'csp-policy': {
    'csp-mode': 'Report Only',
    'csp-policy': ['Create Policy'],
    'disown-opener': 'No',
    'mixed-box-content': 'No',
    'send-to': 'No',
    'sri-status': 'Off',
    status: 'On',
    'upgrade-unsecure-req': 'No',
  },
  'credential-server': {
    'cache-expiry': 300,
    'cache-valid-sessions': 'No',
    port: 443,
  },
  // Each trap changes what the application answers, so each is set by somebody who knows the application.
  'web-scraping-policy': {
    'delay-time': '10',
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
    headers: 'Content-Type: text/html; charset=utf-8',
    type: 'Other Pages',
  },
}
