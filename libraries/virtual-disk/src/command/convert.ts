import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { ImageFormat, VirtualDisk } from '../disk/virtual-disk.ts'
import { MIB } from '../extent.ts'
import { requireArgument } from '../failure.ts'
import { planCopy } from '../plan/plan-copy.ts'
import { dataExtents } from '../read/allocated-extents.ts'
import { formatOfName } from '../read/open-disk-file.ts'
import { writeDiskFile } from '../write/disk-file.ts'
import type { Arguments, Command } from './arguments.ts'
import { openArgument, parseFormat } from './open-argument.ts'

/** Writes a disk in another format, under a temporary name until it is complete. Replaces nothing. */
export const convertFile: Command = async (args, say) => {
  const [sourcePath = '', targetPath = ''] = args.positionals
  const format = parseFormat(args.values.to, 'to') ?? formatOfName(targetPath)
  requireArgument(format !== undefined, `${targetPath} does not say a format: give --to`)
  const source = await openArgument(sourcePath, args)
  // Reserves the name, and refuses one that is taken.
  const reserved = await open(targetPath, 'wx')
  await reserved.close()
  // Somebody else may write in the folder, and put a link in the place of a name that he can guess.
  const partialPath = `${targetPath}.${randomBytes(6).toString('hex')}.partial`
  try {
    await writeNew(partialPath, source, format, args)
    await rename(partialPath, targetPath)
  } catch (error) {
    await rm(partialPath, { force: true })
    await rm(targetPath, { force: true })
    throw error
  } finally {
    await source.close()
  }
  say(`${targetPath} holds ${source.sizeBytes} bytes`)
  return 0
}

async function writeNew(
  path: string,
  source: VirtualDisk,
  format: ImageFormat,
  args: Arguments,
): Promise<void> {
  const handle = await open(path, 'wx')
  try {
    if (format === 'raw') await writeRaw(handle, source)
    else {
      const allocation = args.values.fixed ? 'fixed' : 'dynamic'
      const blockSize = args.values['block-size']
      const plan = await planCopy(source, {
        format,
        allocation,
        ...(blockSize === undefined ? {} : { blockSizeBytes: Number(blockSize) * MIB }),
      })
      await writeDiskFile(handle, plan, source)
    }
  } finally {
    await handle.close()
  }
}

/** Sparse where the disk is zero. */
async function writeRaw(handle: FileHandle, source: VirtualDisk): Promise<void> {
  await handle.truncate(source.sizeBytes)
  const buffer = Buffer.allocUnsafe(2 * MIB)
  for await (const { offsetBytes, sizeBytes } of dataExtents(source)) {
    for (let at = offsetBytes; at < offsetBytes + sizeBytes; at += buffer.byteLength) {
      const piece = buffer.subarray(0, Math.min(buffer.byteLength, offsetBytes + sizeBytes - at))
      await source.read(piece, at)
      let done = 0
      while (done < piece.byteLength) {
        done += (await handle.write(piece, done, piece.byteLength - done, at + done)).bytesWritten
      }
    }
  }
  await handle.sync()
}
