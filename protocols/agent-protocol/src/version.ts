/**
 * The version of this protocol. Each side says in the header `palisade-agent-protocol` of a request, and of its answer, which
 * versions it speaks, and both use the newest that they share:
 *
 *     palisade-agent-protocol: 3;oldest=2
 *
 * is an item with a parameter (RFC 9651, section 3.3): 3 is the newest, 2 the oldest, which is the same when it is left out.
 * Whoever does not send the header is of a release before it, and speaks version 1.
 */
export const protocolHeader = 'palisade-agent-protocol'

/**
 * Names the process of an agent, by any text that no other one has: with the requests for a link and for an enrolment. A server tells by
 * it whether two agents run as one computer.
 */
export const instanceHeader = 'palisade-agent-instance'

/** Which versions one side speaks: all from the oldest to the newest. */
export interface ProtocolVersions {
  readonly newest: number
  readonly oldest: number
}

/**
 * What this release speaks. The newest grows when the other side would misunderstand a message or a body: members that may be
 * passed over, and messages that may be ignored, do not change it. The oldest is the newest of one release before.
 */
export const protocolVersions: ProtocolVersions = { newest: 1, oldest: 1 }

const withoutHeader: ProtocolVersions = { newest: 1, oldest: 1 }

/** The value of the header. */
export function writeProtocolVersions({ newest, oldest }: ProtocolVersions): string {
  return oldest === newest ? String(newest) : `${newest};oldest=${oldest}`
}

/**
 * Reads the header of the other side.
 *
 * @param value undefined when there is none
 * @returns undefined when it cannot be read
 */
export function readProtocolVersions(value: string | undefined): ProtocolVersions | undefined {
  if (value === undefined) return withoutHeader
  const [, newestText, oldestText = newestText] = /^(\d{1,6})(?:; *oldest=(\d{1,6}))?$/.exec(value) ?? []
  const [newest, oldest] = [Number(newestText), Number(oldestText)]
  return oldest <= newest ? { newest, oldest } : undefined
}

/** The newest version that both sides speak; undefined when there is none. */
export function sharedVersion(one: ProtocolVersions, other: ProtocolVersions): number | undefined {
  const newest = Math.min(one.newest, other.newest)
  return newest >= Math.max(one.oldest, other.oldest) ? newest : undefined
}

/** Why an agent and a server that share no version have no link, and which of them to upgrade: a sentence without its point. */
export function whyNoSharedVersion(agent: ProtocolVersions, server: ProtocolVersions): string {
  const older = agent.newest < server.oldest ? 'agent' : 'server'
  return `the agent speaks ${named(agent)} of the agent protocol, and the server ${named(server)}: upgrade the ${older}`
}

function named({ newest, oldest }: ProtocolVersions): string {
  return oldest === newest ? `version ${newest}` : `versions ${oldest} to ${newest}`
}
