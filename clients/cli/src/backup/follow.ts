import { waitForTask } from '@palisade/sdk'
import { Presets, SingleBar } from 'cli-progress'
import type { OutputOptions } from '../output.ts'

/** The part of a backup or a restore that is the same for both. */
export interface TaskRecord {
  readonly state: string
  readonly step: string
  readonly bytesDone: number
  readonly bytesTotal: number
}

const pollMs = 250
const mebibyte = 2 ** 20

/**
 * Shows a task's progress until it has ended; plain lines where the output is not a terminal, and nothing with `--quiet`. It is shown on
 * standard error, beside what programs read.
 *
 * @param read the task's newest record
 */
export async function follow<Task extends TaskRecord>(
  title: string,
  read: () => Promise<Task>,
  { quiet }: OutputOptions,
): Promise<Task> {
  if (quiet) return waitForTask(read, { everyMs: pollMs })
  const bar = new SingleBar(
    {
      format: `${title} {bar} {percentage} % | {amount}{step}`,
      noTTYOutput: true,
      notTTYSchedule: 5000,
      hideCursor: true,
    },
    Presets.shades_classic,
  )
  bar.start(1, 0, { amount: '', step: '' })
  try {
    return await waitForTask(read, {
      everyMs: pollMs,
      onProgress(task) {
        const total = Math.ceil(task.bytesTotal / mebibyte)
        const done = Math.floor(task.bytesDone / mebibyte)
        // Of nothing, as long as the task waits, all would be done.
        bar.setTotal(Math.max(total, 1))
        bar.update(done, { amount: total === 0 ? '' : `${done}/${total} MiB | `, step: task.step })
        if (task.state === 'SUCCESS') bar.update(bar.getTotal())
      },
    })
  } finally {
    bar.stop()
  }
}
