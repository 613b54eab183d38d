import { signedCertificate } from '../../catalogue/certificates/signed-certificate.ts'
import { FieldSet } from '../../kinds/field-set.ts'

const kindFields = signedCertificate.fields

/** What the call takes: members of the certificate, and what it is for. */
export const letsEncryptFields = new FieldSet(
  {
    name: kindFields.name,
    'common-name': {
      type: 'string',
      lengthMax: 253,
      required: true,
      description:
        'The host that the certificate is for; "*.example.com" stands for every host directly in it.',
    },
    'san-cert': {
      type: 'list',
      of: { type: 'string', lengthMax: 512 },
      description: 'Further hosts that it is for.',
    },
    'multi-cert-trusted-service': {
      type: 'string',
      lengthMax: 64,
      description:
        'The service that shows it from then on: as its certificate where it has none, and else to clients that ask for one of the hosts.',
    },
    'auto-renew-cert': { ...kindFields['auto-renew-cert'], default: 'Yes' },
    'schedule-renewal-day': kindFields['schedule-renewal-day'],
    'allow-private-key-export': kindFields['allow-private-key-export'],
  },
  'certificates/letsencrypt',
)
