import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/**
 * What the script of a challenge does.
 *
 * @param page the challenge
 * @returns name and value of the cookie with the solution
 */
export function solvedChallenge(page: string): readonly [name: string, value: string] {
  const [, riddle = '', bits = '', cookie = ''] =
    /data-riddle="([\w-]+)" data-bits="(\d+)" data-cookie="(\w+)"/.exec(page) ?? []
  assert.notEqual(riddle, '', page)
  const prefix = createHash('sha256').update(riddle).digest('hex')
  for (let number = 0; ; number++) {
    const digest = createHash('sha256')
      .update(prefix + number)
      .digest()
    if (Math.clz32(digest.readUInt32BE()) >= Number(bits)) return [cookie, `${riddle}.${number}`]
  }
}
