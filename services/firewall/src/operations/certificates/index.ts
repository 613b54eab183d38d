import { certificateKindNames } from '../../behaviours/certificates/unique-names.ts'
import type { CompiledCatalogue } from '../../kinds/compiled-kind.ts'
import type { SpecialOperation } from '../../rest/special-operation.ts'
import type { WriteDependencies } from '../../rest/write.ts'
import { type DownloadDependencies, downloads } from './download.ts'
import { letsEncrypt } from './lets-encrypt.ts'
import { oldCertificateAddresses } from './old-addresses.ts'

/** What is done with certificates beside keeping them; nothing in a catalogue that has no certificates. */
export function certificateOperations(
  deps: WriteDependencies & DownloadDependencies & { readonly catalogue: CompiledCatalogue },
): readonly SpecialOperation[] {
  if (!certificateKindNames.every((name) => deps.catalogue.has(name))) return []
  return [letsEncrypt(deps.configuration), ...oldCertificateAddresses(deps), ...downloads(deps)]
}
