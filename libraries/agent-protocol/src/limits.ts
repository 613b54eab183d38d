/** An agent tells of no more volumes than these. */
export const volumesMax = 1000

/**
 * A server cuts the link of an agent that sends more in one message. A hello names the tasks that run, an outcome the files that were
 * written: 256 at most, each in a folder of up to 4096 characters, which are up to three bytes each.
 */
export const agentMessageSizeMaxBytes = 4 * 1024 * 1024

/** How many chunks of a revision may be patched: 32 GiB of them at the usual size. */
export const patchedChunksMax = 65_536
