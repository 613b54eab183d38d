import { Presets, SingleBar } from 'cli-progress'

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
 * Shows a task's progress until it has ended; plain lines where the output is not a terminal.
 *
 * @param read the task's newest record
 */
export async function follow<Task extends TaskRecord>(
  title: string,
  read: () => Promise<Task>,
): Promise<Task> {
  const bar = new SingleBar(
    {
      format: `${title} {bar} {percentage} % | {value}/{total} MiB | {step}`,
      noTTYOutput: true,
      notTTYSchedule: 5000,
      hideCursor: true,
    },
    Presets.shades_classic,
  )
  bar.start(0, 0, { step: '' })
  try {
    for (;;) {
      const task = await read()
      bar.setTotal(Math.ceil(task.bytesTotal / mebibyte))
      bar.update(Math.floor(task.bytesDone / mebibyte), { step: task.step })
      if (task.state !== 'RUNNING' && task.state !== 'CANCELING') return task
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  } finally {
    bar.stop()
  }
}
