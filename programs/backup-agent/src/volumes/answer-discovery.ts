import type { AgentMessage, DiscoveredVolume } from '@palisade/agent-protocol'
import { agentMessageSizeMaxBytes, volumesMax } from '@palisade/agent-protocol/wire'
import { describe } from '@palisade/start-up'

/** How the volumes of this machine are found; rejects with the reason when they cannot be told. */
export type VolumeDiscovery = () => Promise<DiscoveredVolume[]>

/**
 * The answer to the server's question which volumes this machine has, under the id of the question. Of more than the server
 * takes it says how many there are, since the server would not know what to make of a message that tells them all.
 */
export async function answerDiscovery(id: string, discover: VolumeDiscovery): Promise<AgentMessage> {
  try {
    const volumes = await discover()
    const answer: AgentMessage = { type: 'volumes', id, volumes }
    const isTold =
      volumes.length <= volumesMax && Buffer.byteLength(JSON.stringify(answer)) <= agentMessageSizeMaxBytes
    return isTold ? answer : { type: 'volumes', id, failure: tooMany(volumes.length) }
  } catch (error) {
    return { type: 'volumes', id, failure: describe(error) }
  }
}

function tooMany(count: number): string {
  const most = `${volumesMax}, in ${agentMessageSizeMaxBytes / 1024 / 1024} MiB`
  return `${count} volumes are more than can be told at once (at most ${most}); leave some out with --include or --exclude`
}
