import type { HostDescription } from '@palisade/agent-protocol'
import type { NamedHost } from '../hosts/hosts.ts'
import { startsInstantly } from '../hosts/instant-host.ts'

/** A host as the server is told of it: why it cannot be used, or what it offers. */
export async function describeHost({ name: hostName, driver }: NamedHost): Promise<HostDescription> {
  const reasons = await driver.unsupportedReasons()
  const unsupported = reasons.map(({ code, message }) => ({ code, message }))
  if (unsupported.length > 0) return { hostName, unsupported }
  const { hypervisor, firmware, diskFormats, cores, memoryMebibytes } = await driver.capabilities()
  const { virtualDisksPath } = await driver.settings()
  const switches = await driver.virtualSwitches()
  return {
    hostName,
    unsupported,
    offer: {
      hypervisor: { ...hypervisor },
      firmware: [...firmware],
      diskFormats: [...diskFormats],
      cores: { ...cores },
      memoryMebibytes: { ...memoryMebibytes },
      virtualDisksPath,
      virtualSwitches: switches.map(({ id, name }) => ({ id, name })),
      startsInstantly: startsInstantly(driver),
    },
  }
}
