import type { BackupSource } from './messages.ts'

/** A path, and the number of a partition of it. */
export const partitionAtEnd = /^(.*)#(\d+)$/s

/**
 * Takes the number of a partition from the end of a path: `/images/web.raw#2` is partition 2 of `/images/web.raw`.
 *
 * @throws Error of one sentence when another partition is given beside the path, or the number is 0
 */
export function withPartition({ path, partition }: BackupSource): BackupSource {
  const [, before, digits] = partitionAtEnd.exec(path) ?? []
  if (before === undefined) return partition === undefined ? { path } : { path, partition }
  const number = Number(digits)
  if (partition !== undefined && partition !== number)
    throw new Error(`${path} names partition ${number}, and partition ${partition} is asked for`)
  if (!Number.isSafeInteger(number) || number < 1)
    throw new Error(`${path} names no partition: they are counted from 1`)
  return { path: before, partition: number }
}
