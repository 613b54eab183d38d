import type { Behaviour } from '../../changes/behaviour.ts'
import type { LiveConfiguration } from '../../changes/live-configuration.ts'
import { jwtPublicKeys } from './jwt-public-keys.ts'
import { managementCertificates } from './management-certificates.ts'
import { selfSignedCertificates } from './self-signed-certificates.ts'
import { signedCertificates } from './signed-certificates.ts'
import { trustedCertificates } from './trusted-certificates.ts'
import { certificateKinds, refuseTakenName } from './unique-names.ts'

/** The behaviours of all kinds that hold certificates or keys. */
export function certificateBehaviours(deps: {
  readonly configuration: Pick<LiveConfiguration, 'kind'>
  /** In milliseconds since 1970. */
  readonly now: () => number
}): readonly Behaviour[] {
  const { configuration, now } = deps
  const refuseName: NonNullable<Behaviour['refuseName']> = (path, snapshot) =>
    refuseTakenName(snapshot, certificateKinds(configuration), path.at(-1) ?? '')
  const kindsWithKeys = () =>
    ['self-signed-certificate', 'signed-certificate'].map((name) => configuration.kind(name))
  return [
    selfSignedCertificates({ refuseName, now }),
    signedCertificates({ refuseName, kindsWithKeys }),
    trustedCertificates('trusted-ca-certificate', { refuseName }),
    trustedCertificates('trusted-server-certificate', { refuseName }),
    jwtPublicKeys(),
    managementCertificates({ now }),
  ]
}
