import { compareDisks } from '../check/compare-disks.ts'
import type { Command } from './arguments.ts'
import { openArgument } from './open-argument.ts'

const DIFFERENCES_SHOWN_MAX = 20

/** Compares what two disks hold; the status is 1 when they differ. */
export const compareFiles: Command = async (args, say) => {
  const [onePath = '', otherPath = ''] = args.positionals
  const one = await openArgument(onePath, args)
  try {
    const other = await openArgument(otherPath, args)
    try {
      if (one.sizeBytes !== other.sizeBytes)
        say(`sizes differ: ${one.sizeBytes} and ${other.sizeBytes} bytes`)
      let count = 0
      for await (const { offsetBytes, sizeBytes } of compareDisks(one, other)) {
        if (++count <= DIFFERENCES_SHOWN_MAX) say(`${sizeBytes} bytes differ from byte ${offsetBytes} on`)
      }
      if (count > DIFFERENCES_SHOWN_MAX) say(`and ${count - DIFFERENCES_SHOWN_MAX} more`)
      if (count === 0 && one.sizeBytes === other.sizeBytes) say('the disks hold the same')
      return count === 0 && one.sizeBytes === other.sizeBytes ? 0 : 1
    } finally {
      await other.close()
    }
  } finally {
    await one.close()
  }
}
