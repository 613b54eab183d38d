import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Agent,
  Backups,
  cleanUp,
  eventually,
  isActive,
  newFolder,
  ServerGroup,
  type TaskRecord,
} from '@palisade/tests'
import { type Extent, sizeText } from './extent.ts'
import { print, summarise, timed } from './harness.ts'
import { cpuSecondsOf } from './measure.ts'
import { makeImage } from './volume-image.ts'

const mebibyte = 2 ** 20
const backupMaxMs = 600_000
const stored = 'stored by the standby'
const passedOn = 'passed on'

/** What an active server says of itself that takes no packs of others, as one of an earlier release. */
const takesNoPacks = `UPDATE installation SET value = replace(value, '"takesPacks":true', '"takesPacks":false')
  WHERE name = 'backup-server'`

/** What a backup took of both servers. */
interface Cost {
  readonly activeSeconds: number
  /** That the active server has read and written, of connections as well as files. */
  readonly activeMebibytes: number
  readonly standbySeconds: number
  readonly wallSeconds: number
}

/**
 * First backup of an image through a server that stands by, which stores the chunks itself, beside the same through one that passes them on:
 * what of it the active server has to do. Servers, agent and storage share a machine, so that the time says little.
 */
export async function standbyUploads(extent: Extent): Promise<void> {
  const costs = new Map<string, Cost[]>([
    [passedOn, []],
    [stored, []],
  ])
  for (let round = 0; round < extent.rounds; round++) {
    const turns = [...costs]
    for (const [name, ofName] of round % 2 === 0 ? turns : turns.reverse()) {
      const group = await ServerGroup.start()
      try {
        ofName.push(await costOfBackup(group, name === stored, extent.imageBytes))
      } finally {
        await cleanUp()
        await group.stop()
      }
    }
  }
  const size = sizeText(extent.imageBytes)
  const figures: Readonly<Record<string, [unit: string, figure: keyof Cost]>> = {
    "the active server's processor time": ['s', 'activeSeconds'],
    'what the active server reads and writes': ['MiB', 'activeMebibytes'],
    "the standby's processor time": ['s', 'standbySeconds'],
    time: ['s', 'wallSeconds'],
  }
  for (const [what, [unit, figure]] of Object.entries(figures)) {
    const byName = new Map([...costs].map(([name, ofName]) => [name, ofName.map((cost) => cost[figure])]))
    const title = `First backup of ${size} through a standby, ${what}`
    print({ title, unit, peer: passedOn, moreIsBetter: false }, summarise(byName, passedOn))
  }
}

async function costOfBackup(group: ServerGroup, isStored: boolean, imageBytes: number): Promise<Cost> {
  const active = await group.first('http')
  const standby = await group.join(active, 'http')
  if (!(await isActive(active))) throw new Error('the first server is not the active one')
  if (!isStored) {
    execFileSync('psql', [group.database, '-c', takesNoPacks], { stdio: 'ignore' })
    await standby.program.line(/requests for backups are passed on, chunks among them/)
  }
  const home = newFolder()
  const image = join(home, 'image.raw')
  makeImage(image, imageBytes)
  const agent = await Agent.start(standby, home)
  const backups = await Backups.connect(standby)
  await backups.untilOnline()
  const look = () => ({
    activeSeconds: cpuSecondsOf(active.program.pid),
    activeMebibytes: transferredBytesOf(active.program.pid) / mebibyte,
    standbySeconds: cpuSecondsOf(standby.program.pid),
  })
  const before = look()
  const wallSeconds = await timed(async () => {
    const id = await backups.startBackup(image)
    const { state, error } = await eventually('the end of the backup', () => endOf(backups, id), backupMaxMs)
    if (state !== 'SUCCESS') throw new Error(`the backup ended with ${state}: ${JSON.stringify(error)}`)
  })
  const afterwards = look()
  if (!(await isActive(active)))
    throw new Error('the other server took over: the machine is too busy to measure')
  await agent.program.stop()
  await standby.program.stop()
  await active.program.stop()
  return {
    activeSeconds: afterwards.activeSeconds - before.activeSeconds,
    activeMebibytes: afterwards.activeMebibytes - before.activeMebibytes,
    standbySeconds: afterwards.standbySeconds - before.standbySeconds,
    wallSeconds,
  }
}

/** Undefined while it goes on, and while a machine with much else to do keeps the servers from answering. */
async function endOf(backups: Backups, id: string): Promise<TaskRecord | undefined> {
  const reply = await backups.call('GET', `/backups/${id}`)
  const task = reply.ok ? ((await reply.json()) as TaskRecord) : undefined
  return task?.state === 'RUNNING' ? undefined : task
}

/** What a process has read and written so far, by whatever descriptor (proc(5), rchar and wchar of io). */
function transferredBytesOf(pid: number): number {
  const io = readFileSync(`/proc/${pid}/io`, 'latin1')
  return ['rchar', 'wchar'].reduce(
    (sum, name) => sum + Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1]),
    0,
  )
}
