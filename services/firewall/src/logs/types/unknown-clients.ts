/** What nobody finds out about a client, as both logs of traffic have it, and why. */
export const unknownOfClients = {
  'client-type': 'clients are not told apart by what they are.',
  'client-fingerprint': 'no fingerprints of clients are taken.',
  'client-risk-score': 'no risk scores of clients are kept.',
  'session-id': 'the tokens of sessions are secrets, and are not logged.',
  'risk-score': 'no risk scores of requests are made.',
} as const
