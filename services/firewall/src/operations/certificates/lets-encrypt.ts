import { RequestRefused } from '@palisade/platform'
import { certificateKindNames } from '../../behaviours/certificates/unique-names.ts'
import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import type { SpecialOperation } from '../../rest/special-operation.ts'
import { described } from './described.ts'

const [uploadedKind] = certificateKindNames

/**
 * `POST certificates/letsencrypt`, which clients call to have a certificate obtained. Nothing here speaks ACME (RFC
 * 8555), so they are told what to do instead; to be silent would leave them without the certificate that they expect.
 */
export function letsEncrypt(configuration: LiveConfiguration): SpecialOperation {
  const kind = configuration.kind(uploadedKind)
  return {
    method: 'POST',
    path: 'certificates/letsencrypt',
    mayBeDone: (permissions) => permissions.mayReachKind(kind, undefined, 'write'),
    description: described.letsEncrypt,
    handle: async () => {
      throw new RequestRefused(
        'bad-request',
        "Certificates cannot be obtained from Let's Encrypt here: this server has no ACME client (RFC 8555). Obtain the certificate with one of your own, and upload it at certificates/signed-certificate.",
      )
    },
  }
}
