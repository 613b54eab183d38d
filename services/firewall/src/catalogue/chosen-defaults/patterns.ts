import type { ChosenDefaults } from './chosen-defaults.ts'

/** A pattern works as soon as it is there, whatever the case of letters, and needs no check digit. */
export const patterns: ChosenDefaults = {
  'attack-type-pattern': { algorithm: 'None', 'case-sensitive': 'No', mode: 'Active' },
  'identity-theft-pattern': { algorithm: 'None', 'case-sensitive': 'No', status: 'On' },
  'input-type-pattern': { algorithm: 'None', 'case-sensitive': 'No', status: 'On' },
  'referer-spam-pattern': { algorithm: 'None', 'case-sensitive': 'No', mode: 'Active' },
}
