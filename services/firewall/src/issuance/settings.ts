import type { Problem } from '@palisade/platform'
import { FileFailure, readCertificates, readNamedFile } from '@palisade/start-up'
import type { Authority, ExternalAccount } from '../acme/index.ts'
import type { AcmeConfiguration } from '../configuration.ts'

/** A way to prove to an authority that a name is held: `http-01`, `dns-01` (RFC 8555, section 8) or `tls-alpn-01` (RFC 8737). */
export type ChallengeType = AcmeConfiguration['challenges'][number]

/** The authority that certificates are obtained from, and how names are proven to it. */
export interface AcmeSettings {
  readonly authority: Authority
  readonly email: string | undefined
  readonly externalAccount: ExternalAccount | undefined
  /** In the order in which they are tried. */
  readonly challenges: readonly ChallengeType[]
  /** The program that sets records of DNS. */
  readonly dnsHook: string | undefined
  /** Whether the server itself answers http-01; port 80 may lead to another one. */
  readonly hasChallengeListener: boolean
}

/** The files that the configuration names: a change of their contents is a change of `firewall.acme`. */
export function filesOfAcme({ caFile, eabHmacKeyFile }: Partial<AcmeConfiguration> = {}): string[] {
  return [caFile, eabHmacKeyFile].filter((file) => file !== undefined)
}

/** Which of those files cannot be read, is open to others, or has something else in it. */
export function problemsOfAcmeFiles(given: AcmeConfiguration | undefined): Problem[] {
  const faultOf = (member: 'caFile' | 'eabHmacKeyFile', read: () => unknown): Problem[] => {
    try {
      read()
      return []
    } catch (error) {
      if (!(error instanceof FileFailure)) throw error
      return [{ path: ['firewall', 'acme', member], message: error.message }]
    }
  }
  if (given === undefined) return []
  return [
    ...faultOf('caFile', () => trustedBy(given)),
    ...faultOf('eabHmacKeyFile', () => externalAccountKey(given)),
  ]
}

/**
 * Reads what the configuration says, and the files that it names.
 *
 * @throws FileFailure
 */
export function readAcmeSettings(given: AcmeConfiguration): AcmeSettings {
  const { directory, email, eabKeyId, challenges, dnsHook } = given
  const hmacKey = externalAccountKey(given)
  return {
    authority: { directory, trusted: trustedBy(given) },
    email,
    externalAccount:
      eabKeyId === undefined || hmacKey === undefined ? undefined : { keyId: eabKeyId, hmacKey },
    challenges,
    dnsHook,
    hasChallengeListener: given.challengeListener !== undefined,
  }
}

function trustedBy({ caFile }: AcmeConfiguration) {
  return caFile === undefined ? undefined : readCertificates(caFile, 'firewall.acme.caFile')
}

function externalAccountKey({ eabHmacKey, eabHmacKeyFile }: AcmeConfiguration): string | undefined {
  return eabHmacKeyFile === undefined
    ? eabHmacKey
    : readNamedFile(eabHmacKeyFile, 'firewall.acme.eabHmacKeyFile', 'group-reads').trim()
}
