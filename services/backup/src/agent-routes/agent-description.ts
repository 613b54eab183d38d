import type { AgentDescription } from '../computers/computers.ts'
import { singleLine } from '../single-line.ts'

const lengthMax = 200

/** What an agent says about itself, as it is kept: each in one short line. */
export function describeAgent({ agentVersion, hostName, platform }: AgentDescription): AgentDescription {
  return {
    agentVersion: singleLine(agentVersion, lengthMax),
    hostName: singleLine(hostName, lengthMax),
    platform: singleLine(platform, lengthMax),
  }
}
