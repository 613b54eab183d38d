import type { Kind } from '../../kinds/kind.ts'
import { certificateName, countryCode } from '../../kinds/patterns.ts'
import { certificateTextLengthMax } from './certificate-text.ts'
import { downloadWithKey } from './downloads.ts'
import { certificateFacts } from './facts.ts'

/**
 * A certificate and a key that the firewall makes when the object is created, from these members. They do not
 * change afterwards. Downloaded as a signing request, it becomes a signed certificate at an authority.
 */
export const selfSignedCertificate = {
  name: 'self-signed-certificate',
  title: 'Self Signed Certificate',
  description: 'A certificate with a key of its own, made by the firewall and signed by nobody else.',
  path: 'certificates/self-signed-certificate',
  alsoAt: ['self-signed-certificate'],
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, pattern: certificateName, required: true },
    'common-name': {
      type: 'string',
      lengthMax: 64,
      required: true,
      createOnly: true,
      description: 'The host that the certificate is for.',
    },
    'country-code': {
      type: 'string',
      lengthMin: 2,
      lengthMax: 2,
      pattern: countryCode,
      required: true,
      createOnly: true,
    },
    'allow-private-key-export': {
      type: 'yes-no',
      createOnly: true,
      description: 'Whether the private key can ever be downloaded.',
    },
    city: { type: 'string', lengthMax: 128, createOnly: true },
    'elliptic-curve-name': {
      type: 'choice',
      values: ['secp256r1', 'secp384r1', 'secp521r1'],
      createOnly: true,
      description: 'Of ECDSA keys.',
    },
    'key-size': {
      type: 'choice',
      values: ['1024', '2048', '4096'],
      createOnly: true,
      description: 'Of RSA keys, in bits. Clients of today refuse certificates with 1024.',
    },
    'key-type': { type: 'choice', values: ['ECDSA', 'RSA'], createOnly: true },
    'organization-name': { type: 'string', lengthMax: 64, createOnly: true },
    'organizational-unit': { type: 'string', lengthMax: 64, createOnly: true },
    'san-certificate': {
      type: 'list',
      of: { type: 'string', lengthMax: 512 },
      createOnly: true,
      description: 'Further names that the certificate is for, such as DNS:www.example.com or IP:192.0.2.1.',
    },
    state: { type: 'string', lengthMax: 128, createOnly: true },
    ...downloadWithKey,
    ...certificateFacts,
    certificate: { type: 'string', lengthMax: certificateTextLengthMax, hidden: true, description: 'PEM.' },
    'private-key': {
      type: 'string',
      lengthMax: certificateTextLengthMax,
      hidden: true,
      description: 'PKCS #8 as PEM.',
    },
  },
} as const satisfies Kind
