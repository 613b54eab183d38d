import { createHash } from 'node:crypto'

/** The namespace of volumes of Palisade agents; made once, at random, and never to change. */
const namespace = Buffer.from('0b6c6f3e8d1f4a5c9a1e5d0f7c2b9e46', 'hex')

/**
 * The name of a volume in the form of a Windows volume path, `\\?\Volume{…}\`. It is made from where the volume
 * is (a name-based UUID, RFC 9562 section 5.5), so that each backup of it finds the earlier ones.
 */
export function deviceIdOf(absolutePath: string, partition: number | undefined): string {
  const name = partition === undefined ? absolutePath : `${absolutePath}\0${partition}`
  const hash = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  )
  return `\\\\?\\Volume{${uuid}}\\`
}
