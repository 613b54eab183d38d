import { isOn, oneOf, ranges } from '../../kinds/conversions.ts'
import { fieldReader, sectionReader } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { service } from '../services/service.ts'
import { customIpBlocklist } from './custom-ip-blocklist.ts'

/** Whether a service blocks clients by their address; the list counts only where both are on. */
export const ipReputationReader = sectionReader(service, 'ip-reputation', {
  isOn: ['enable-ip-reputation-filter', isOn],
  blocksList: ['custom-blacklisted-ip-status', (value) => value === 'Block'],
})

/** The list of blocked clients: addresses, ranges with "-" and networks with "/". Lists to be downloaded are not fetched. */
export const blocklistReader = fieldReader(customIpBlocklist, {
  source: ['custom-ip-list', oneOf('Upload')],
  clients: ['blacklisted-ips', ranges],
})

/** Whether a service blocks the clients of the list. */
export function wantsBlocklist(object: ConfigurationObject): boolean {
  const { isOn, blocksList } = ipReputationReader.of(object)
  return isOn && blocksList
}

/** The clients that are blocked for their address: those of the list that is kept here. Lists are not fetched. */
export function blockedClients(
  object: ConfigurationObject,
  blocklist: ConfigurationObject | undefined,
): readonly string[] {
  if (blocklist === undefined || !wantsBlocklist(object)) return []
  const { source, clients } = blocklistReader.of(blocklist)
  return source === 'Download' ? [] : clients
}
