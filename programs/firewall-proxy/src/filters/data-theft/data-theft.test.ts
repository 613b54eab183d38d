import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SnapshotPattern, SnapshotProtectedData } from '@palisade/proxy-protocol'
import { carried } from '../../testing/carried.ts'
import { testChecks, testPolicy } from '../../testing/policies.ts'
import { passing } from '../../testing/rules.ts'

const pattern = { type: 'data', isCaseSensitive: false, isPassive: false }
const cards: SnapshotPattern = {
  ...pattern,
  name: 'visa',
  regex: '\\b4[0-9]{3}(?:[ -]?[0-9]{4}){3}\\b',
  checkDigits: 'credit-card',
}
const listing: SnapshotPattern = { ...pattern, name: 'index', regex: '<title>Index of /' }

const cloak: SnapshotProtectedData = {
  name: 'cards',
  does: 'cloak',
  keepsInitial: 0,
  keepsTrailing: 4,
  patterns: [cards],
}
const block: SnapshotProtectedData = { ...cloak, name: 'listings', does: 'block', patterns: [listing] }

interface Told {
  readonly data: readonly SnapshotProtectedData[]
  readonly chunks: readonly string[]
  readonly type?: string
  readonly coding?: string
  readonly mode?: 'active' | 'passive'
  readonly isPassive?: boolean
  readonly url?: string
}

/** What a client gets of an answer that comes in these chunks, and what is told of it. */
async function answerOf(t: TestContext, told: Told) {
  const {
    data,
    chunks,
    type = 'text/html',
    coding,
    mode = 'active',
    isPassive = false,
    url = '/data/*',
  } = told
  const place = { host: '*', url, extendedMatch: '*', sequence: 1 }
  const { port, exchanges } = await carried(t, {
    application: async (_, response) => {
      response.writeHead(200, {
        'content-type': type,
        ...(coding === undefined ? {} : { 'content-encoding': coding }),
      })
      for (const chunk of chunks) {
        response.write(chunk)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      response.end()
    },
    service: {
      inspection: { mode },
      checks: testChecks({ urlPolicies: [{ name: 'data', ...place, isPassive, protectsData: true }] }),
    },
    rules: passing,
    policy: testPolicy({ protectedData: data }),
  })
  const reply = await fetch(`http://127.0.0.1:${port}/data/x`)
  const text = await reply.text()
  return {
    status: reply.status,
    text,
    told: exchanges[0]?.violations.map(({ action, rule }) => [action, rule]),
  }
}

const number = '4111 1111 1111 1111'
const overwritten = 'XXXX XXXX XXXX 1111'
const filler = 'lorem ipsum '.repeat(200)

test('data is overwritten wherever the chunks end, and everything else stays as it was', async (t) => {
  const whole = `<p>${filler}${number}</p>${filler}4111 1111 1111 1112 é ${number}`
  const expected = `<p>${filler}${overwritten}</p>${filler}4111 1111 1111 1112 é ${overwritten}`
  const place = 3 + filler.length
  for (const cut of [place, place + 1, place + 9, place + number.length, place + number.length + 1, 10]) {
    const chunks = [whole.slice(0, cut), whole.slice(cut)]
    const { text, told } = await answerOf(t, { data: [cloak], chunks })
    assert.equal(text, expected, `cut at ${cut}`)
    assert.deepEqual(told, [['CLOAK', 'cards']])
  }
  const single = await answerOf(t, { data: [cloak], chunks: Array.from(`a ${number} b`) })
  assert.equal(single.text, `a ${overwritten} b`)
})

test('a number that goes on is none', async (t) => {
  const longer = `${number}${'1'.repeat(600)}`
  assert.equal(
    (await answerOf(t, { data: [cloak], chunks: [longer.slice(0, 19), longer.slice(19)] })).text,
    longer,
  )
  const before = `${'1'.repeat(2000)}${number.replaceAll(' ', '')}`
  assert.equal(
    (await answerOf(t, { data: [cloak], chunks: [before.slice(0, 1500), before.slice(1500)] })).text,
    before,
  )
})

test('an answer that gives away what is to be blocked is replaced', async (t) => {
  const chunks = [`<html>${filler}<title>Ind`, 'ex of /</title>']
  const { status, text, told } = await answerOf(t, { data: [cloak, block], chunks })
  assert.deepEqual([status, text], [403, 'refused: identity-theft-pattern-matched'])
  assert.deepEqual(told, [['DENY', 'listings']])
})

test('an answer that is too long to be held ends where it would give something away', async (t) => {
  const chunks = [...Array.from({ length: 12 }, () => 'x'.repeat(64 * 1024)), '<title>Index of /']
  // Of this type, rules do not read it.
  await assert.rejects(answerOf(t, { data: [block], chunks, type: 'application/json' }))
})

test('data is overwritten also where a server names a coding that is none', async (t) => {
  for (const coding of ['identity', 'none', 'utf-8', 'identity, identity', '']) {
    const { text } = await answerOf(t, { data: [cloak], chunks: [number], coding })
    assert.equal(text, overwritten, coding)
  }
})

test('what is passive, elsewhere or no text is left alone', async (t) => {
  const given = { data: [cloak, block], chunks: [number, '<title>Index of /'] }
  const untouched = given.chunks.join('')
  const logged = [
    ['LOG', 'cards'],
    ['LOG', 'listings'],
  ]
  for (const [more, told] of [
    [{ mode: 'passive' }, logged],
    [{ isPassive: true }, logged],
    [{ url: '/other' }, []],
    [{ type: 'image/png' }, []],
  ] as const) {
    const answer = await answerOf(t, { ...given, ...more })
    assert.deepEqual([answer.text, answer.told], [untouched, told], JSON.stringify(more))
  }
})
