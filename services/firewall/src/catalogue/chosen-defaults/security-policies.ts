import type { ChosenDefaults } from './chosen-defaults.ts'

/** Defaults of the sections of security policies, by "security-policy/{section}". */
export const securityPolicies: ChosenDefaults = {
  'security-policy/client-profile': {
    'client-profile': 'No',
    // The thresholds that the reference recommends (6.9).
    'high-risk-score': 80,
    'medium-risk-score': 60,
  },
  'security-policy/cookie-security': {
    // Applications know best which of their cookies other sites may send.
    'same-site': 'Dont Add',
  },
  'security-policy/tarpit-profile': {
    // As recommended (6.9): half of what may be held back, until five minutes of silence.
    'backlog-requests-limit': 50,
    // A client that was taken for an attacker by mistake should not give up at once.
    'tarpit-delay-interval': 5,
    'tarpit-inactivity-timeout': 300,
  },
  'security-policy/url-normalization': {
    'normalize-special-chars': 'No',
  },
  'action-policy': {
    'response-page': 'default',
    'risk-score': 'Medium',
  },
}
