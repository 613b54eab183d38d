import type { AgentMessage, DiscoveredVolume } from '@palisade/agent-protocol'
import { describe } from '../failure.ts'

/** How the volumes of this machine are found; rejects with the reason when they cannot be told. */
export type VolumeDiscovery = () => Promise<DiscoveredVolume[]>

/** Until this machine's volumes are looked for, the server is told so and can be given paths instead. */
const notYet: VolumeDiscovery = async () => {
  throw new Error('this agent does not look for volumes; name paths in the selection')
}

/** The answer to the server's question which volumes this machine has, under the id of the question. */
export async function answerDiscovery(id: string, discover: VolumeDiscovery = notYet): Promise<AgentMessage> {
  try {
    return { type: 'volumes', id, volumes: await discover() }
  } catch (error) {
    return { type: 'volumes', id, failure: describe(error) }
  }
}
