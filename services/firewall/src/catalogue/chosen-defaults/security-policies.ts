import type { ChosenDefaults } from './chosen-defaults.ts'

export const securityPolicies: ChosenDefaults = {
  'security-policy/client-profile': {
    'client-profile': 'No',
    'high-risk-score': 1,
    'medium-risk-score': 1,
  },
  'security-policy/cookie-security': {
    'same-site': 'Dont Add',
  },
  'security-policy/parameter-protection': {
    'maximum-instances': 0,
  },
  'security-policy/tarpit-profile': {
    'backlog-requests-limit': 0,
    'tarpit-delay-interval': 5,
    'tarpit-inactivity-timeout': 300,
  },
  'security-policy/url-normalization': {
    'normalize-special-chars': 'No',
  },
  'action-policy': {
    'risk-score': 'Critical',
  },
}
