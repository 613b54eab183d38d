import type { ReferenceField, Section } from '../../kinds/kind.ts'
import { hostMatch } from '../../kinds/patterns.ts'
import {
  factoryCiphers,
  selectableCiphers,
  tls11Ciphers,
  tls12Ciphers,
  tls13Ciphers,
} from './cipher-names.ts'

/** A certificate by which this side proves who it is: one that was uploaded with its key, or one made here. */
export const ownCertificate = {
  type: 'reference',
  to: ['signed-certificate', 'self-signed-certificate'],
} as const satisfies ReferenceField

/**
 * Protects the connection between clients and the service. A server name that a client asks for selects the
 * certificate at the same place in the lists beside `domain`.
 */
export const sslSecurity = {
  title: 'SSL Security',
  description: 'Which certificates, protocol versions and ciphers clients of the service are offered.',
  fields: {
    status: { type: 'on-off', default: 'Off' },
    certificate: ownCertificate,
    'ecdsa-certificate': {
      ...ownCertificate,
      description: 'Offered to clients that prefer elliptic curves.',
    },
    'enable-sni': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether the certificate is chosen by the server name that the client asks for.',
    },
    'enable-strict-sni-check': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether clients that ask for no name, or for none of the listed ones, are turned away.',
    },
    domain: { type: 'list', of: { type: 'string', lengthMax: 253, pattern: hostMatch } },
    'sni-certificate': {
      type: 'list',
      of: ownCertificate,
      description: 'One for each domain, in its order.',
    },
    'sni-ecdsa-certificate': {
      type: 'list',
      of: ownCertificate,
      description: 'One for each domain, in its order.',
    },
    'ssl-tls-presets': {
      type: 'choice',
      values: [
        'Factory Preset',
        'Mozilla Intermediate Compatibility (Default, Recommended)',
        'Mozilla Modern Compatibility',
        'Mozilla Old Compatibility (Not Recommended, special purpose only)',
        'Use Configured Values',
      ],
      description: 'Whether the protocols and ciphers below count, or a set that others keep up to date.',
    },
    'enable-ssl-3': { type: 'yes-no', default: 'No' },
    'enable-tls-1': { type: 'yes-no', default: 'No' },
    'enable-tls-1-1': { type: 'yes-no', default: 'Yes' },
    'enable-tls-1-2': { type: 'yes-no', default: 'Yes' },
    'enable-tls-1-3': { type: 'yes-no' },
    'enable-pfs': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether only ciphers are offered whose session keys cannot be found out later.',
    },
    ciphers: {
      type: 'choice',
      values: ['Default', 'Custom'],
      default: 'Default',
      description: 'Custom offers the selected ciphers, and those that override them for a protocol version.',
    },
    'selected-ciphers': {
      type: 'list',
      of: { type: 'choice', values: selectableCiphers },
      shownAs: 'text',
      default: factoryCiphers,
      description: 'In the order in which they are preferred.',
    },
    'override-ciphers-ssl3': {
      type: 'list',
      of: {
        type: 'choice',
        values: ['AES128-SHA', 'AES256-SHA', 'DHE-RSA-AES128-SHA', 'DHE-RSA-AES256-SHA'],
      },
      shownAs: 'text',
    },
    'override-ciphers-tls-1': {
      type: 'list',
      of: { type: 'choice', values: selectableCiphers },
      shownAs: 'text',
    },
    'override-ciphers-tls-1-1': {
      type: 'list',
      of: { type: 'choice', values: tls11Ciphers },
      shownAs: 'text',
    },
    'override-ciphers-tls-1-2': {
      type: 'list',
      of: { type: 'choice', values: tls12Ciphers },
      shownAs: 'text',
    },
    'override-ciphers-tls-1-3': {
      type: 'list',
      of: { type: 'choice', values: tls13Ciphers },
      shownAs: 'text',
    },
    'enable-hsts': {
      type: 'yes-no',
      default: 'No',
      description: 'Whether browsers are told to come back over HTTPS only.',
    },
    'hsts-max-age': { type: 'integer', min: 0, default: 365, unit: 'days' },
    'include-hsts-sub-domains': { type: 'yes-no', default: 'No' },
    'create-hsts-redirect-service': {
      type: 'yes-no',
      writeOnly: true,
      transient: true,
      description:
        'Whether a service is made that leads clients of plain HTTP here, on port 80 of the same address.',
    },
    'enable-ocsp-stapling': {
      type: 'yes-no',
      description: 'Whether clients are sent proof that the certificate was not revoked.',
    },
  },
} as const satisfies Section
