import { readFileSync } from 'node:fs'
import { arch, hostname, platform } from 'node:os'

/** What an agent says of itself when it enrols and with each new link. */
export interface Identity {
  readonly agentVersion: string
  readonly hostName: string
  readonly platform: string
}

export function ownIdentity(): Identity {
  return { agentVersion: ownVersion(), hostName: hostname(), platform: `${platform()}-${arch()}` }
}

function ownVersion(): string {
  const description: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const hasVersion = typeof description === 'object' && description !== null && 'version' in description
  return hasVersion ? String(description.version) : 'unknown'
}
