import { openFile } from '../byte-source.ts'
import { type DiskDescription, describeDisk } from '../read/describe-disk.ts'
import type { Command } from './arguments.ts'
import { formatWithHeaders } from './open-argument.ts'

/** Says what a VHD or VHDX says of itself. */
export const showInfo: Command = async (args, say) => {
  const [path = ''] = args.positionals
  const format = formatWithHeaders(path, args)
  const file = await openFile(path)
  try {
    const description = await describeDisk(file, format === undefined ? {} : { format })
    if (args.values.json) say(JSON.stringify(description, undefined, 2))
    else for (const line of linesOf(description)) say(line)
  } finally {
    await file.close()
  }
  return 0
}

function* linesOf(of: DiskDescription): Generator<string> {
  yield `format          ${of.allocation} ${of.format.toUpperCase()}`
  yield `virtual size    ${of.virtualSizeBytes} bytes`
  yield `file size       ${of.fileSizeBytes} bytes`
  if (of.blockSizeBytes !== undefined) yield `block size      ${of.blockSizeBytes} bytes`
  const physical = of.physicalSectorSizeBytes === undefined ? '' : `, physical ${of.physicalSectorSizeBytes}`
  yield `sector size     ${of.logicalSectorSizeBytes} bytes${physical}`
  yield `disk id         ${of.diskId}`
  yield `link id         ${of.linkId}`
  if (of.creator !== '') yield `made by         ${of.creator}`
  if (of.createdAt !== undefined) yield `made at         ${of.createdAt.toISOString()}`
  if (of.hasLogToReplay) yield 'not closed      readers replay its log first'
  if (of.parent !== undefined)
    yield `parent          ${of.parent.linkIds.join(' or ')} ${of.parent.paths.join(' or ')}`
}
