import { openFile } from '../byte-source.ts'
import { checkDisk } from '../check/check-disk.ts'
import { DiskFailure } from '../failure.ts'
import type { Finding } from '../finding.ts'
import { checkPartitionTable } from '../partitions/check.ts'
import type { Arguments, Command } from './arguments.ts'
import { formatOfArgument, openArgument } from './open-argument.ts'

/** Checks a file and the partition table of the disk in it; the status is 1 when there is anything to say. */
export const checkFile: Command = async (args, say) => {
  const [path = ''] = args.positionals
  const file = await fileFindings(path, args)
  const table = file.some(({ severity }) => severity === 'error') ? [] : await tableFindings(path, args)
  if (args.values.json) say(JSON.stringify({ file, partitionTable: table }, undefined, 2))
  else {
    for (const finding of file) say(sentenceOf(finding))
    for (const finding of table) say(`on the disk: ${sentenceOf(finding)}`)
    if (file.length + table.length === 0) say('nothing is wrong')
  }
  return file.length + table.length === 0 ? 0 : 1
}

async function fileFindings(path: string, args: Arguments): Promise<readonly Finding[]> {
  const format = formatOfArgument(path, args)
  if (format === 'raw') return []
  const file = await openFile(path)
  try {
    return await checkDisk(file, format === undefined ? {} : { format })
  } finally {
    await file.close()
  }
}

/** A disk without a partition table may be meant so; one whose parent is elsewhere cannot be looked into. */
async function tableFindings(path: string, args: Arguments): Promise<readonly Finding[]> {
  try {
    const disk = await openArgument(path, args)
    try {
      const { logicalSectorSizeBytes: sectorSizeBytes, format } = disk
      const findings = await checkPartitionTable(disk, format === 'raw' ? {} : { sectorSizeBytes })
      return findings.filter(({ code }) => code !== 'no-partition-table')
    } finally {
      await disk.close()
    }
  } catch (error) {
    if (error instanceof DiskFailure && error.code === 'parent-missing') return []
    throw error
  }
}

function sentenceOf({ severity, code, message, offsetBytes }: Finding): string {
  return `${severity} ${code} at byte ${offsetBytes}: ${message}`
}
