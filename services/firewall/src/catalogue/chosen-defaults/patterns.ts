import type { ChosenDefaults } from './chosen-defaults.ts'

export const patterns: ChosenDefaults = {
  'attack-type-pattern': {
    algorithm: 'Credit Card Check Digit',
    'case-sensitive': 'No',
    mode: 'Active',
  },
  'identity-theft-pattern': {
    algorithm: 'Credit Card Check Digit',
    'case-sensitive': 'No',
    status: 'Off',
  },
  'input-type-pattern': {
    algorithm: 'Credit Card Check Digit',
    'case-sensitive': 'No',
    status: 'Off',
  },
  'referer-spam-pattern': {
    algorithm: 'None',
    'case-sensitive': 'No',
    mode: 'Active',
  },
}
