import cluster from 'node:cluster'
import type { Log } from '@palisade/log'
import { describe } from '@palisade/start-up'
import { Member } from './member.ts'
import { WorkMark } from './work-mark.ts'
import { workerFlags } from './worker-flags.ts'

/** Starts the process of a worker, with the flags of this one and those of workers, and the mark by which it says what it works on. */
export function forkWorker(log: Log): Member {
  const mark = newMark(log)
  const { execArgv = process.execArgv } = cluster.settings
  const ownFlags = [...execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)]
  cluster.setupPrimary({
    execArgv: [...execArgv, ...workerFlags(ownFlags)],
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...(mark ? [mark.descriptor] : [])],
  })
  return new Member(cluster.fork(mark?.environment), mark)
}

function newMark(log: Log): WorkMark | undefined {
  try {
    return process.platform === 'linux' ? new WorkMark() : undefined
  } catch (error) {
    log.warn({ reason: describe(error) }, 'what a worker works on will not be known')
    return undefined
  }
}
