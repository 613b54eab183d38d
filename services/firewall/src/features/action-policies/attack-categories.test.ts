import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countersByStatistics } from '@palisade/proxy-protocol'
import { categoryOfAttack } from './attack-categories.ts'
import { actionOfEachAttack } from './attacks.ts'

test('every attack belongs to a group that the statistics count, and few to none in particular', () => {
  const counters: readonly string[] = countersByStatistics['attack-stats']
  const others = actionOfEachAttack.filter(({ name }) => {
    const category = categoryOfAttack(name)
    assert.ok(counters.includes(category.toLowerCase().replaceAll(' ', '-')), `${name}: ${category}`)
    return category === 'Other Attacks'
  })
  assert.deepEqual(
    others.map(({ name }) => name),
    ['spam-url-in-parameter', 'form-spam', 'referer-spam'],
  )
})

test('attacks are grouped by what they are', () => {
  for (const [attack, category] of [
    ['sql-injection-in-parameter', 'SQL Attacks'],
    ['url-length-exceeded', 'Limits Violations'],
    ['json-depth-exceeded', 'JSON Violations'],
    ['parameter-too-large', 'Limits Violations'],
    ['cookie-tampered', 'Session Tamper Attacks'],
    ['file-upload-size-exceeded', 'File Attacks'],
    ['malformed-cookie', 'Protocol Violations'],
  ] as const)
    assert.equal(categoryOfAttack(attack), category, attack)
})
