import { isOn, text, texts } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { service } from '../services/service.ts'

/** The members of the service itself, where its type is "Instant SSL"; {@link secureHosts} puts both together. */
export const instantSslService = fieldReader(service, {
  type: ['type', text],
  hosts: ['secure-site-domain', texts],
})

/** The section, by which services of other types have it, too. */
export const instantSslSection = sectionReader(service, 'instant-ssl', {
  isOn: ['status', isOn],
  hosts: ['secure-site-domain', texts],
})

/** The hosts of an Instant SSL service, and those of other services where its section is switched on. */
export function secureHosts(object: ConfigurationObject): readonly string[] {
  const own = instantSslService.of(object)
  const section = instantSslSection.of(object)
  const isOfType = own.type === 'Instant SSL'
  return [...new Set([...(isOfType ? own.hosts : []), ...(isOfType || section.isOn ? section.hosts : [])])]
}
