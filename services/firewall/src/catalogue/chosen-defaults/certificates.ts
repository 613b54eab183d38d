import type { ChosenDefaults } from './chosen-defaults.ts'

export const certificates: ChosenDefaults = {
  'self-signed-certificate': {
    'allow-private-key-export': 'No',
    'elliptic-curve-name': 'secp256r1',
    'key-size': '1024',
    'key-type': 'ECDSA',
  },
  'signed-certificate': {
    'allow-private-key-export': 'No',
    'assign-associated-key': 'No',
    'auto-renew-cert': 'No',
    'key-type': 'ECDSA',
  },
  'signed-certificate/certificates/ocsp-stapling': {
    'cache-timeout': 0,
    'error-timeout': 0,
    'ocsp-stapling': 'No',
  },
  'client-certificate-crl': {
    'auto-update': 'No',
    'auto-update-type': 'Daily',
    'day-of-week': 'Friday',
    enable: 'No',
    'number-of-retries': 1,
  },
}
