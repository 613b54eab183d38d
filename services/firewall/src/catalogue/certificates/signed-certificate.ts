import type { Kind, Section } from '../../kinds/kind.ts'
import { absoluteUrl, certificateName } from '../../kinds/patterns.ts'
import { certificateTextLengthMax } from './certificate-text.ts'
import { downloadWithKey } from './downloads.ts'
import { certificateFacts } from './facts.ts'

const ocspStapling = {
  title: 'OCSP Stapling',
  description:
    'Proof that the certificate was not revoked, fetched from its issuer and sent along in each handshake.',
  fields: {
    'cache-timeout': {
      type: 'integer',
      min: 0,
      unit: 'seconds',
      description: 'How long an answer of the responder is used, unless it says that it ends earlier.',
    },
    'clock-skew': {
      type: 'integer',
      min: 0,
      unit: 'seconds',
      description: "By how much the responder's clock may differ from this one.",
    },
    'error-timeout': {
      type: 'integer',
      min: 0,
      unit: 'seconds',
      description: 'How long after a failure the responder is not asked again.',
    },
    'issuer-certificate': {
      type: 'string',
      readOnly: true,
      description: 'Whose certificate signs the answers.',
    },
    'ocsp-issuer-certificate': {
      type: 'string',
      lengthMax: certificateTextLengthMax,
      writeOnly: true,
      description: "The issuer's certificate, when it is not among the intermediary certificates: PEM.",
    },
    'ocsp-stapling': { type: 'yes-no' },
    'override-ocsp-responder': {
      type: 'string',
      lengthMax: 128,
      pattern: absoluteUrl,
      description: 'The responder to be asked instead of the one that the certificate names.',
    },
  },
} as const satisfies Section

/**
 * A certificate that an authority signed, with its key and the authority's own certificates: what a service shows
 * to its clients. They are decided when the object is created; only a renewal replaces them.
 */
export const signedCertificate = {
  name: 'signed-certificate',
  title: 'Signed Certificate',
  description: 'A certificate signed by an authority, uploaded with its private key.',
  path: 'certificates/signed-certificate',
  alsoAt: ['signed-certificate'],
  identifiedBy: 'name',
  fields: {
    name: { type: 'string', lengthMax: 255, pattern: certificateName, required: true },
    'allow-private-key-export': {
      type: 'yes-no',
      createOnly: true,
      description: 'Whether the private key can ever be downloaded.',
    },
    'assign-associated-key': {
      type: 'yes-no',
      createOnly: true,
      description:
        'Whether the key is taken from the self-signed certificate here whose signing request was signed.',
    },
    'auto-renew-cert': {
      type: 'yes-no',
      description:
        'Whether the certificate is renewed before it ends, when an authority that does so issued it.',
    },
    'certificate-key': {
      type: 'string',
      lengthMax: certificateTextLengthMax,
      createOnly: true,
      writeOnly: true,
      description:
        'The private key: PEM, or base64 of PEM or DER. Without one, it is taken from the certificate here that has the same public key.',
    },
    'certificate-password': {
      type: 'string',
      lengthMax: 128,
      createOnly: true,
      writeOnly: true,
      transient: true,
      description: 'The password of the PKCS #12 file, or of the private key.',
    },
    'certificate-type': {
      type: 'choice',
      values: ['PEM Certificate', 'PKCS12 Token'],
      alsoCalled: { pem: 'PEM Certificate', pkcs12: 'PKCS12 Token' },
      createOnly: true,
      writeOnly: true,
      transient: true,
      description: 'What signed-certificate holds; when empty, the text itself tells.',
    },
    'common-name': { type: 'string', readOnly: true, description: 'The host that the certificate is for.' },
    'intermediary-certificates': {
      type: 'list',
      of: { type: 'string', lengthMax: certificateTextLengthMax },
      createOnly: true,
      writeOnly: true,
      description:
        'The certificates between this one and the root, PEM, in any order; they may also follow the certificate in its text.',
    },
    'key-type': {
      type: 'choice',
      values: ['ECDSA', 'RSA'],
      createOnly: true,
      description: 'As the certificate says, whatever is given.',
    },
    'schedule-renewal-day': {
      type: 'choice',
      values: ['15 days', '30 days', '45 days', '60 days', '90 days'],
      description: 'How long before its end the certificate is renewed.',
    },
    'signed-certificate': {
      type: 'string',
      lengthMax: certificateTextLengthMax,
      required: true,
      createOnly: true,
      writeOnly: true,
      description: 'The certificate in PEM, or the base64 of a PKCS #12 file with certificate and key.',
    },
    ...downloadWithKey,
    ...certificateFacts,
    'obtained-from': {
      type: 'string',
      hidden: true,
      description:
        'The directory of the authority that it was obtained from by ACME; empty for one that was uploaded.',
    },
  },
  sections: { 'certificates/ocsp-stapling': ocspStapling },
} as const satisfies Kind
