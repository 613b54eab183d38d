import type { ChosenDefaults } from './chosen-defaults.ts'

/** Defaults of certificates: private keys are not given away. */
export const certificates: ChosenDefaults = {
  'self-signed-certificate': {
    'allow-private-key-export': 'No',
    'elliptic-curve-name': 'secp256r1',
    'key-size': '2048',
    // What every client understands; clients of older APIs state a size and no type.
    'key-type': 'RSA',
  },
  'signed-certificate': {
    'allow-private-key-export': 'No',
    'assign-associated-key': 'No',
    'auto-renew-cert': 'No',
    // A third of the life of a certificate from Let's Encrypt, which advises so.
    'schedule-renewal-day': '30 days',
  },
  'signed-certificate/certificates/ocsp-stapling': {
    // The same as Apache's: an hour, ten minutes and five minutes.
    'cache-timeout': 3600,
    'error-timeout': 600,
    'clock-skew': 300,
    'ocsp-stapling': 'No',
  },
  'client-certificate-crl': {
    // A list that is not kept up to date lets revoked certificates in.
    'auto-update': 'Yes',
    'auto-update-type': 'Daily',
    'date-of-month': 1,
    'day-of-week': 'Sunday',
    enable: 'Yes',
    'number-of-retries': 3,
    'time-of-day': '02:00',
  },
}
