import { arch, hostname, platform } from 'node:os'
import { ownVersion } from '@palisade/start-up'

/** What an agent says of itself when it enrols and with each new link. */
export interface Identity {
  readonly agentVersion: string
  readonly hostName: string
  readonly platform: string
}

export function ownIdentity(): Identity {
  return {
    agentVersion: ownVersion(import.meta.url),
    hostName: hostname(),
    platform: `${platform()}-${arch()}`,
  }
}
