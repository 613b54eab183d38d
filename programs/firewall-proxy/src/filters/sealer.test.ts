import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sealer } from './sealer.ts'

const [older, newer] = [1, 2].map((id) => ({ id, secret: Buffer.alloc(32, id).toString('base64url') })) as [
  { id: number; secret: string },
  { id: number; secret: string },
]

test('what was sealed is opened with the same key, use and context, and nothing else opens it', () => {
  const sealer = new Sealer([newer, older], 'test')
  const token = sealer.seal('/päge?x=1', 'shop')
  assert.equal(sealer.open(token, 'shop'), '/päge?x=1')
  assert.equal(sealer.open(token, 'other'), undefined)
  assert.equal(new Sealer([newer], 'another').open(token, 'shop'), undefined)
  assert.equal(new Sealer([older], 'test').open(token, 'shop'), undefined)
  assert.equal(new Sealer([{ ...older, id: newer.id }], 'test').open(token, 'shop'), undefined)
})

test('one text is always sealed alike, and never like another', () => {
  const seal = (text: string, context = 'shop') => new Sealer([newer], 'test').seal(text, context)
  assert.equal(seal('/a'), seal('/a'))
  assert.notEqual(seal('/a'), seal('/b'))
  assert.notEqual(seal('/a', 'x'), seal('/a', 'y'))
  assert.notEqual(seal('b', 'xa'), seal('ab', 'x'))
})

test('an older key opens what it has sealed until it is gone', () => {
  const token = new Sealer([older], 'test').seal('/a', '')
  assert.equal(new Sealer([newer, older], 'test').open(token, ''), '/a')
  assert.equal(new Sealer([newer], 'test').open(token, ''), undefined)
})

test('no token opens in which one character was changed, left out or added', () => {
  const sealer = new Sealer([newer], 'test')
  const token = sealer.seal('/shop', '')
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A'
    assert.equal(sealer.open(token.slice(0, at) + other + token.slice(at + 1), ''), undefined)
    assert.equal(sealer.open(token.slice(0, at) + token.slice(at + 1), ''), undefined)
  }
  for (const odd of ['', 'A', `${token}A`, `${token}=`, `${token} `, token.slice(0, 30)]) {
    assert.equal(sealer.open(odd, ''), undefined, odd)
  }
})
