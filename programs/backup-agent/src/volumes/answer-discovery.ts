import type { AgentMessage, DiscoveredVolume } from '@palisade/agent-protocol'
import { describe } from '../failure.ts'

/** How the volumes of this machine are found; rejects with the reason when they cannot be told. */
export type VolumeDiscovery = () => Promise<DiscoveredVolume[]>

/** The answer to the server's question which volumes this machine has, under the id of the question. */
export async function answerDiscovery(id: string, discover: VolumeDiscovery): Promise<AgentMessage> {
  try {
    return { type: 'volumes', id, volumes: await discover() }
  } catch (error) {
    return { type: 'volumes', id, failure: describe(error) }
  }
}
