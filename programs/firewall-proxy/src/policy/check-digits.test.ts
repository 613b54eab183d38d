import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasCheckDigits } from './check-digits.ts'

test('numbers with the right check digit are told from others', () => {
  for (const [kind, right, wrong] of [
    ['credit-card', '4111 1111 1111 1111', '4111 1111 1111 1112'],
    ['credit-card', '3782-822463-10005', '3782-822463-10006'],
    ['polish', '44051401359', '44051401358'],
    ['korean', '880101-1234568', '880101-1234567'],
    ['czech', '780123/3540', '780123/3541'],
    ['hungarian', '1-720216-1672', '1-720216-1674'],
  ] as const) {
    assert.equal(hasCheckDigits(kind, wrong), false, wrong)
    assert.equal(hasCheckDigits(kind, right), true, right)
  }
  assert.equal(hasCheckDigits('credit-card', '42'), false)
})
