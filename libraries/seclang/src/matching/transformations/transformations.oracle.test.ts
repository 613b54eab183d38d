import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasApache } from '../../testing/apache.ts'
import { Random } from '../../testing/random.ts'
import { startRuleOracle } from '../../testing/rule-oracle.ts'
import { transformations } from './index.ts'

/** Transformations that ModSecurity 2.9 does not have, or not under this name. */
const notInApache: ReadonlySet<string> = new Set(['none', 'uppercase'])

/** Pieces out of which values are put together: what some transformation looks at. */
const pieces = [
  ...'abfnrtuvxzAFXZ0123789 \t\n\r\v\f\0"\'\\/.,;:%&#+-*<>(^!=\x7f\x80\x85\xa0\xbf\xc2\xc3\xe2\xf0\xf5\xff',
  ...[
    '%u0041',
    '%uFF21',
    '%41',
    '%4',
    '%u004',
    '%zz',
    '&lt',
    '&lt;',
    '&AMP;',
    '&#65;',
    '&#x41;',
    '&#x',
    '&nbsp;',
  ],
  ...[
    '&#99999999999999999999;',
    '&#300',
    '\\x41',
    '\\u0041',
    '\\uff41',
    '\\101',
    '\\400',
    '\\8',
    '\\0',
    '\\ff41 ',
    '\\00ff41',
  ],
  ...[
    '\\1ff41',
    '\\41',
    '\\a\n',
    '/*',
    '*/',
    '<!--',
    '-->',
    '--',
    '/../',
    '/./',
    '//',
    '..',
    '../',
    '\\..\\',
    'a/',
  ],
  ...[
    '0x41',
    '0x4',
    '0X4142',
    '0x00',
    'QUJD',
    'QQ==',
    'QU=I',
    '=',
    '\xc3\xa9',
    '\xe2\x82\xac',
    '\xf0\x9f\x98\x80',
    '\xc0\x80',
  ],
]

const seconds = Number(process.env.PALISADE_ORACLE_SECONDS ?? 3)

test('transforms as ModSecurity 2.9 in Apache does', { skip: !hasApache() }, async () => {
  const compared = [...transformations.values()].filter(({ name }) => !notInApache.has(name))
  const rules = compared.map(({ name }, at) => {
    const chain = `t:none,t:hexDecode,t:${name},t:hexEncode`
    return `SecRule ARGS "@rx ^(.*)$" "id:${at + 1},phase:2,pass,capture,${chain},log,noauditlog,logdata:'<%{TX.0}>'"`
  })
  const oracle = await startRuleOracle(rules)
  try {
    const random = new Random(7)
    const differences: object[] = []
    let comparisons = 0
    const end = performance.now() + seconds * 1000
    for (let round = 0; performance.now() < end || round < 50; round++) {
      const values = Array.from({ length: 10 }, () => randomValue(random))
      const lines = await oracle.post(
        Object.fromEntries(
          values.map((value, at) => [`v${at}`, Buffer.from(value, 'latin1').toString('hex')]),
        ),
      )
      for (const line of lines) {
        const [, rule, data = '', arg] =
          /\[id "(\d+)"\].*\[data "<([0-9a-f]*)>"\].*$/
            .exec(line)
            ?.concat(/at ARGS:v(\d+)\./.exec(line)?.[1] ?? '') ?? []
        const transformation = compared[Number(rule) - 1]
        const value = values[Number(arg)]
        if (!transformation || value === undefined) assert.fail(`an unexpected line: ${line}`)
        const expected = Buffer.from(data, 'hex').toString('latin1')
        const actual = transformation.apply(value)
        if (actual !== expected) differences.push({ name: transformation.name, value, actual, expected })
        comparisons++
      }
    }
    assert.deepEqual(differences.slice(0, 20), [])
    assert.ok(comparisons > 1000, `only ${comparisons} comparisons`)
  } finally {
    await oracle.stop()
  }
})

function randomValue(random: Random): string {
  return Array.from({ length: 1 + random.below(8) }, () => random.pick(pieces))
    .join('')
    .slice(0, 40)
}
