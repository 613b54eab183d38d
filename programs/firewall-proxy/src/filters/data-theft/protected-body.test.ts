import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SnapshotUrlPolicy } from '@palisade/proxy-protocol'
import fc from 'fast-check'
import { Policy } from '../../policy/policy.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { ProtectedBody, ProtectedType } from './protected-body.ts'

const pattern = { type: 'data', isCaseSensitive: false, isPassive: false }
const type = new ProtectedType({
  name: 'numbers',
  does: 'cloak',
  keepsInitial: 0,
  keepsTrailing: 4,
  patterns: [
    { ...pattern, name: 'card', regex: '\\b4[0-9]{3}(?:[ -]?[0-9]{4}){3}\\b', checkDigits: 'credit-card' },
    { ...pattern, name: 'person', regex: '\\b[0-9]{3}-[0-9]{2}-[0-9]{4}\\b' },
  ],
})

/** What becomes of a body that comes in these chunks. */
function passed(chunks: readonly string[]): string {
  const exchange = { mode: 'active', violations: [], judge: { policy: new Policy(undefined) } }
  const body = new ProtectedBody(exchange as unknown as Exchange, [type], {
    isPassive: false,
  } as SnapshotUrlPolicy)
  const parts = chunks.map((chunk) => body.transform(Buffer.from(chunk, 'latin1')))
  const all = [...parts, body.flush()].filter((part) => Buffer.isBuffer(part))
  return Buffer.concat(all).toString('latin1')
}

test('what is overwritten does not depend on where the chunks end', () => {
  const piece = fc.constantFrom(
    '4111 1111 1111 1111',
    '4111111111111111',
    '4111111111111112',
    '123-45-6789',
    'a'.repeat(600),
    ' ',
    'x',
    '1',
    '-',
    'é',
    '\n',
  )
  let found = 0
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat(700), { maxLength: 30 }),
      (pieces, sizes) => {
        const text = pieces.join('')
        const whole = passed([text])
        const chunks: string[] = []
        let at = 0
        for (const size of sizes) {
          chunks.push(text.slice(at, at + size))
          at += size
        }
        chunks.push(text.slice(at))
        assert.equal(passed(chunks), whole)
        assert.equal(whole.length, text.length)
        if (whole !== text) found++
      },
    ),
    { numRuns: 500 },
  )
  assert.ok(found > 50)
})
