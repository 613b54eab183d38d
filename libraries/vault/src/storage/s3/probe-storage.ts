import { randomBytes } from 'node:crypto'
import { VaultFailure } from '../../failure.ts'
import type { S3Bucket } from './s3-bucket.ts'

/** The name begins like that of no object of the vault. */
const probesPrefix = '.probes/'

/**
 * Tries with an object of its own, which it removes again, whether a storage keeps what the vault relies on: what was acknowledged is there
 * for whoever reads and lists next, and a conditional write is either refused or done.
 *
 * @returns what it lacks that the vault can be without, as the end of "the storage …"
 * @throws VaultFailure `storage`, which names what it does not keep
 */
export async function probeStorage(bucket: S3Bucket): Promise<string[]> {
  const name = probesPrefix + randomBytes(16).toString('hex')
  const [first, second] = [randomBytes(32), randomBytes(32)]
  const shows = async (content: Buffer) => (await bucket.readAll(name))?.equals(content) === true
  const isListed = async () => (await bucket.list(name)).length > 0
  const insist = (isKept: boolean, promise: string) => {
    if (isKept) return
    throw new VaultFailure(
      'storage',
      `${bucket.description} cannot hold a vault: it does not keep to what the vault relies on: ${promise}`,
    )
  }
  let ignoresCondition: boolean
  try {
    await bucket.put(name, first)
    insist(await shows(first), 'an object that was stored (PUT) is there for whoever reads it next (GET)')
    insist(await isListed(), 'an object that was stored (PUT) is in the next listing (ListObjectsV2)')
    ignoresCondition = (await bucket.put(name, second, { onlyNew: true })) === 'stored'
    insist(
      await shows(ignoresCondition ? second : first),
      'a conditional write (If-None-Match: *) is refused with 412 where there is an object, and never acknowledged without being done',
    )
  } catch (error) {
    await bucket.delete(name).catch(() => undefined)
    throw error
  }
  await bucket.delete(name)
  insist(
    !(await isListed()),
    'an object that was deleted (DELETE) is in no listing (ListObjectsV2) that begins later',
  )
  return ignoresCondition
    ? [
        'replaces objects that it is told not to (If-None-Match: *): only the lock keeps two servers from writing one vault',
      ]
    : []
}
