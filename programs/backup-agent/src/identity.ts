import { arch, hostname, platform } from 'node:os'
import { ownVersion } from '@palisade/start-up'

/** What an agent says of itself when it enrols and with each new link. */
export interface Identity {
  readonly agentVersion: string
  readonly hostName: string
  readonly platform: string
}

/** The version of this package, the name of the computer, and platform and processor as Node names them: `linux-x64`. */
export function ownIdentity(): Identity {
  return {
    agentVersion: ownVersion(import.meta.url),
    hostName: hostname(),
    platform: `${platform()}-${arch()}`,
  }
}
