import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { decodeAnswer, encodeRequest, UnauthenticatedAnswer } from './radius-packet.ts'

/** The example of RFC 2865, section 7.1. */
const secret = 'xyzzy5461'
const identity = { identifier: 0, authenticator: Buffer.from('0f403f9473978057bd83d5cb98f4227a', 'hex') }
const hiddenPassword = Buffer.from('0dbe708d93d413ce3196e43f782a0aee', 'hex')
const accepted = '0200002686fe220e7624ba2a1005f6bf9b55e0b20606000000010f06000000000e06c0a80103'

const request = { userName: 'nemo', password: 'arctangent', client: '192.0.2.1', nasIdentifier: 'palisade' }

test('a request hides the password as the example of RFC 2865 does, and proves itself first of all', () => {
  const packet = encodeRequest(request, identity, secret)
  assert.equal(packet.readUInt16BE(2), packet.length)
  assert.ok(packet.includes(Buffer.concat([Buffer.from([2, 18]), hiddenPassword])))
  assert.deepEqual([...packet.subarray(20, 22)], [80, 18])
  const proof = Buffer.from(packet.subarray(22, 38))
  packet.fill(0, 22, 38)
  assert.deepEqual(createHmac('md5', secret).update(packet).digest(), proof)
})

test('a password of any length that RADIUS takes is hidden in whole parts', () => {
  for (const [length, parts] of [
    [1, 1],
    [16, 1],
    [17, 2],
    [128, 8],
  ] as const) {
    const packet = encodeRequest({ ...request, password: 'x'.repeat(length) }, identity, secret)
    const at = packet.indexOf(Buffer.from([2, 2 + parts * 16]))
    assert.ok(at > 0, String(length))
    assert.equal(packet.includes('xxxx'), false)
  }
})

test('the acceptance of RFC 2865 is read, and proves too little', () => {
  assert.throws(() => decodeAnswer(Buffer.from(accepted, 'hex'), identity, secret), UnauthenticatedAnswer)
})

test('an acceptance with its proof gives the name and the filters, and no changed byte of it passes', () => {
  const packet = answer(2, [
    [80, Buffer.alloc(16)],
    [1, Buffer.from('Nemo')],
    [11, Buffer.from('staff')],
    [11, Buffer.from('divers')],
  ])
  const expected = { result: 'accept', userName: 'Nemo', filterIds: ['staff', 'divers'] }
  assert.deepEqual(decodeAnswer(packet, identity, secret), expected)
  assert.deepEqual(decodeAnswer(Buffer.concat([packet, Buffer.alloc(9)]), identity, secret), expected)
  for (let at = 0; at < packet.length; at++) {
    const changed = Buffer.from(packet)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(decodeAnswer(changed, identity, secret), undefined, `byte ${at}`)
  }
  assert.equal(decodeAnswer(packet, { ...identity, identifier: 1 }, secret), undefined)
  assert.equal(decodeAnswer(packet, { ...identity, authenticator: Buffer.alloc(16) }, secret), undefined)
  assert.equal(decodeAnswer(packet, identity, 'another secret'), undefined)
})

test('a Message-Authenticator of another secret, of another length, or twice, is none', () => {
  const forged = answer(2, [[80, Buffer.alloc(16)]], 'another secret')
  assert.equal(decodeAnswer(forged, identity, secret), undefined)
  assert.equal(decodeAnswer(answer(2, [[80, Buffer.alloc(15)]]), identity, secret), undefined)
  const twice = answer(2, [
    [80, Buffer.alloc(16)],
    [80, Buffer.alloc(16)],
  ])
  assert.equal(decodeAnswer(twice, identity, secret), undefined)
})

test('refusals and challenges count without it, and packets that are none do not', () => {
  assert.deepEqual(decodeAnswer(answer(3, []), identity, secret), { result: 'reject' })
  assert.deepEqual(decodeAnswer(answer(11, []), identity, secret), { result: 'challenge' })
  assert.equal(decodeAnswer(answer(5, []), identity, secret), undefined)
  assert.equal(decodeAnswer(Buffer.alloc(19), identity, secret), undefined)
  const short = answer(3, [])
  short.writeUInt16BE(21, 2)
  assert.equal(decodeAnswer(short, identity, secret), undefined)
  for (const length of [0, 1, 200]) {
    const broken = answer(3, [[25, Buffer.from('class')]])
    broken[21] = length
    assert.equal(decodeAnswer(signed(broken), identity, secret), undefined, `length ${length}`)
  }
})

/** An answer to the request, whose first Message-Authenticator is made with a secret. */
function answer(
  code: number,
  attributes: readonly (readonly [number, Buffer])[],
  proofSecret = secret,
): Buffer {
  const packet = Buffer.concat([
    Buffer.from([code, 0, 0, 0]),
    identity.authenticator,
    ...attributes.map(([type, value]) => Buffer.concat([Buffer.from([type, value.length + 2]), value])),
  ])
  packet.writeUInt16BE(packet.length, 2)
  const [first] = attributes
  if (first?.[0] === 80)
    packet.set(createHmac('md5', proofSecret).update(packet).digest().subarray(0, first[1].length), 22)
  return signed(packet)
}

function signed(packet: Buffer): Buffer {
  packet.set(identity.authenticator, 4)
  packet.set(createHash('md5').update(packet).update(secret).digest(), 4)
  return packet
}
