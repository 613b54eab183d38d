import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRuleSet } from '@palisade/seclang'
import { openLibinjection } from '@palisade/seclang/libinjection'
import {
  caseRequest,
  casesFolder,
  coreRuleSet,
  hasCoreRuleSet,
  hasRegressionCases,
  readRegressionCases,
  regressionSettings,
  runRequest,
} from '@palisade/seclang/testing'
import { type HarmlessShape, harmlessShapes } from './harmless-shapes.ts'

const missing = !hasCoreRuleSet()
  ? "Debian's package modsecurity-crs is not installed"
  : !hasRegressionCases() && `the regression cases are not in ${casesFolder}`

const examples: Readonly<
  Record<HarmlessShape, { readonly is: readonly string[]; readonly not: readonly string[] }>
> = {
  number: { is: ['0', '7', '123456789'], not: ['', '01', '2147483648', '-1', '1e5', '1\n'] },
  numbers: { is: ['1,2,3', '10:30', '1.2.3'], not: ['1', '1,', ',1', '1, 2', '1;;2', '1--2'] },
  hex: { is: ['d41d8cd98f00b204e9800998ecf8427e', '00e1abcd'], not: ['0x41', '12345678', '1234e567', 'xyz'] },
  uuid: { is: ['123e4567-e89b-12d3-a456-426614174000'], not: ['123e4567e89b12d3a456426614174000'] },
  date: {
    is: ['2026-02-28', '2026-02-28T10:00:00Z', '2026-02-28 10:00', '2026-02-28T10:00:00.000+01:00'],
    not: ['2026-13-01', '28.2.2026', "2026-02-28'"],
  },
  email: {
    is: ['ann@example.org', 'Ann.B_c@mail.example.co.uk'],
    not: ["o'neill@example.org", 'ann@localhost', 'a@b.c', 'ann+or@example.org', '"a"@example.org'],
  },
  code: { is: ['SKU10023', 'AB-1234'], not: ['sku10023', 'SLEEP5', 'A1', 'UNION'] },
  token: {
    is: ['dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXk'],
    not: [
      'rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA',
      'short1A',
      'alllowercaselettersonly',
      'dBjftJeZ4CVPmB92K27uhbU=',
    ],
  },
}

test('each shape is told from what only resembles it', () => {
  for (const [shape, { is, not }] of Object.entries(examples)) {
    const expression = harmlessShapes[shape as HarmlessShape]
    for (const value of is) assert.match(value, expression, shape)
    for (const value of not) assert.doesNotMatch(value, expression, shape)
  }
})

/**
 * Runs all cases by the whole rules, and again with arguments left out.
 *
 * @param rules those that do not look at them, by number
 * @param hasValue says of an argument's value whether it is left out
 * @returns how many requests came out the same
 */
function samePassedOver(
  rules: { readonly first: number; readonly last: number },
  hasValue: (value: string) => boolean,
): number {
  const ruleSet = loadRuleSet({ sources: coreRuleSet(regressionSettings), injections: openLibinjection() })
  const targets = ['ARGS', 'ARGS_GET', 'ARGS_POST']
  const exclusions = ruleSet.exclusions([{ rules, targets, inWholeChain: true, hasValue }])
  let ran = 0
  for (const { title, stages } of readRegressionCases(casesFolder)) {
    for (const { input } of stages) {
      const request = caseRequest(input)
      const all: readonly number[] = runRequest(request, ruleSet).ruleIds
      assert.deepEqual(runRequest(request, ruleSet, exclusions).ruleIds, all, title)
      ran++
    }
  }
  return ran
}

test('no case needs rules about attacks to look at values of these shapes', { skip: missing }, (context) => {
  const shapes = Object.entries(harmlessShapes)
  const passedOver = new Map<string, Set<string>>()
  const ran = samePassedOver({ first: 930_000, last: 943_999 }, (value) => {
    const shape = shapes.find(([, expression]) => expression.test(value))?.[0]
    if (shape === undefined) return false
    passedOver.set(shape, (passedOver.get(shape) ?? new Set()).add(value))
    return true
  })
  assert.ok(ran > 1000)
  context.diagnostic(Array.from(passedOver, ([shape, values]) => `${shape}: ${values.size}`).join(', '))
})

test('no case needs rules about Java either to look at numbers', { skip: missing }, () => {
  const ran = samePassedOver({ first: 944_000, last: 948_999 }, (value) => harmlessShapes.number.test(value))
  assert.ok(ran > 1000)
})
