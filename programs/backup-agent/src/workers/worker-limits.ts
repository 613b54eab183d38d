import { availableParallelism, totalmem } from 'node:os'

/** How many threads there may be, and how much memory they may take together. */
export interface WorkerLimits {
  readonly threads: number
  readonly memoryBytes: number
}

/** What is known of the computer that the agent runs on. */
export interface Computer {
  readonly processors: number
  readonly memoryBytes: number
  /** What the agent's control group lets it have, such as by `MemoryMax=` of systemd; undefined when nothing does. */
  readonly memoryMaxBytes: number | undefined
}

const mebibyte = 1024 * 1024
/** While one thread waits for the disk or the network, another one has work: also where there is one processor. */
export const threadsMin = 2
/** All of them talk to the same server. */
const threadsMax = 16
/** How much of the memory the agent may take: the computer has other work. */
const partOfMemory = 1 / 8
/** The rest of what a control group allows is left to the system's cache. */
const partOfMemoryMax = 3 / 4
/** What the agent takes beside its threads. */
const mainThreadBytes = 128 * mebibyte
/** What a thread takes beside its buffers. With them it has been measured to take 41 MiB for chunks of 1 MiB, and 52 for 4 MiB. */
const threadBytes = 20 * mebibyte
/** A job reads as much at once, or one chunk when that is larger. */
const readBytes = 8 * mebibyte

/** The limits that fit a computer: a thread for each processor, as far as there is memory for their buffers. */
export function limitsFor({ processors, memoryBytes, memoryMaxBytes }: Computer): WorkerLimits {
  const agentMaxBytes = Math.min(
    memoryBytes * partOfMemory,
    memoryMaxBytes === undefined ? Number.POSITIVE_INFINITY : memoryMaxBytes * partOfMemoryMax,
  )
  return {
    threads: Math.max(threadsMin, Math.min(processors, threadsMax)),
    memoryBytes: Math.max(0, agentMaxBytes - mainThreadBytes),
  }
}

/** As many threads as the operator says, whatever they take. */
export function exactly(threads: number): WorkerLimits {
  return { threads, memoryBytes: Number.POSITIVE_INFINITY }
}

/** The processors and the memory, in bytes, that this process may use. */
export function thisComputer(): Computer {
  const memoryBytes = totalmem()
  const memoryMaxBytes = process.constrainedMemory()
  const isLimited = memoryMaxBytes > 0 && memoryMaxBytes < memoryBytes
  return {
    processors: availableParallelism(),
    memoryBytes,
    memoryMaxBytes: isLimited ? memoryMaxBytes : undefined,
  }
}

/**
 * How many threads work on chunks of a size.
 *
 * @param jobsPerThread each job has buffers of its own: for what it reads, and for two chunks on their way
 */
export function threadsFor(
  { threads, memoryBytes }: WorkerLimits,
  chunkSizeBytes: number,
  jobsPerThread: number,
): number {
  const jobBytes = Math.max(readBytes, chunkSizeBytes) + 2 * chunkSizeBytes
  const fitting = Math.floor(memoryBytes / (threadBytes + jobsPerThread * jobBytes))
  return Math.min(threads, Math.max(threadsMin, fitting))
}
