import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addedLater,
  bytesOfKilobytes,
  isNotOff,
  isOn,
  isPassive,
  items,
  lowerCaseTexts,
  number,
  numberIfGiven,
  numberOr,
  oneOf,
  percentDecodedBytes,
  ranges,
  secondsOfMinutes,
  textIfGiven,
  textOr,
  texts,
  upperCaseTexts,
  utf8Bytes,
} from './conversions.ts'
import { fieldReader, type Settings } from './field-reader.ts'

test('a switch that holds nothing is neither on nor off', () => {
  assert.deepEqual(['Yes', 'On', 'Enable', 'No', 'Off', undefined].map(isOn), [
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  assert.deepEqual(['Yes', 'On', 'No', 'Off', undefined].map(isNotOff), [true, true, false, false, true])
  assert.deepEqual(['Active', 'Passive', 'Learning', undefined].map(isPassive), [false, true, true, true])
})

test('numbers of fields that hold none are left out, or another one', () => {
  assert.deepEqual([5, '7', 0, '', undefined].map(numberIfGiven), [5, 7, 0, undefined, undefined])
  assert.deepEqual([5, 0, undefined].map(numberOr(60)), [5, 0, 60])
  assert.deepEqual([bytesOfKilobytes(2), secondsOfMinutes(3)], [2048, 180])
})

test('texts of fields that hold none are left out, or another one', () => {
  assert.deepEqual(['a', '', undefined].map(textIfGiven), ['a', undefined, undefined])
  assert.deepEqual(['a', '', undefined].map(textOr('*')), ['a', '*', '*'])
})

test('texts become byte strings, a character for each byte', () => {
  assert.equal(utf8Bytes('é€'), '\u00c3\u00a9\u00e2\u0082\u00ac')
  assert.equal(percentDecodedBytes('%00%1b<%7F%zz'), '\0\x1b<\x7f%zz')
  assert.equal(percentDecodedBytes(undefined), '')
})

test('lists come as they are written, or split at commas and without blanks around their parts', () => {
  assert.deepEqual([items(['a', ' b ']), items(' c, d '), items(undefined)], [['a', ' b '], [' c, d '], []])
  assert.deepEqual([texts(['a', ' b ', ' ']), texts('c, d,'), texts(undefined)], [['a', 'b'], ['c', 'd'], []])
  assert.deepEqual([lowerCaseTexts('A, b'), upperCaseTexts(['get'])], [['a', 'b'], ['GET']])
  assert.deepEqual(ranges('10.0.0.1, 10.0.0.0/8'), ['10.0.0.1', '10.0.0.0/8'])
})

test('a conversion says which of the named values are enforced, and takes the others all the same', () => {
  const convert = oneOf('None', 'Tarpit Client')
  assert.deepEqual(convert.enforced, ['None', 'Tarpit Client'])
  assert.deepEqual([convert('None'), convert('Challenge with CAPTCHA')], ['None', 'Challenge with CAPTCHA'])
})

test('a setting that was added later is told as any other, with the values of it that are enforced', () => {
  const mode = addedLater(oneOf('Active', 'Passive'))
  assert.deepEqual([mode('Active'), mode(undefined)], ['Active', ''])
  assert.deepEqual(mode.enforced, ['Active', 'Passive'])
  const reader = fieldReader(
    { name: 'door', fields: { width: { type: 'integer', min: 0, max: 9 } } },
    { width: ['width', addedLater(number)] },
  )
  const ofOlderSnapshot: Settings<typeof reader> = {}
  assert.notDeepEqual(reader.of({ content: { values: { width: 3 }, sections: {} } }), ofOlderSnapshot)
})
