import { X509Certificate } from 'node:crypto'
import type { CompiledKind } from '../../kinds/compiled-kind.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { readStoredCertificate } from '../../objects/stored-certificate.ts'

/**
 * The certificate whose key is that of another one, so that an authority has signed its request.
 *
 * @param pem the other one
 * @param kinds those whose objects have keys, in the order in which they are looked at
 */
export function withSameKey(
  pem: string,
  snapshot: Snapshot,
  kinds: readonly CompiledKind[],
): ConfigurationObject | undefined {
  const { publicKey } = new X509Certificate(pem)
  for (const kind of kinds) {
    for (const object of snapshot.collection(kind, []) ?? []) {
      const stored = readStoredCertificate(object)
      if (stored && new X509Certificate(stored.certificate).publicKey.equals(publicKey)) return object
    }
  }
  return undefined
}
