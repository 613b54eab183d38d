import { certificateKindNames } from '../../behaviours/certificates/unique-names.ts'
import type { SpecialOperation } from '../../rest/special-operation.ts'
import { type DownloadDependencies, downloads } from './download.ts'
import { type LetsEncryptDependencies, letsEncrypt } from './lets-encrypt.ts'
import { oldCertificateAddresses } from './old-addresses.ts'

/** What is done with certificates beside keeping them; nothing in a catalogue that has no certificates. */
export function certificateOperations(
  deps: LetsEncryptDependencies & DownloadDependencies,
): readonly SpecialOperation[] {
  if (!certificateKindNames.every((name) => deps.catalogue.has(name))) return []
  return [letsEncrypt(deps), ...oldCertificateAddresses(deps), ...downloads(deps)]
}
