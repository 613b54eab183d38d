import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { openLibinjection } from '../../libinjection/libinjection.ts'
import { hasApache } from '../../testing/apache.ts'
import { Random } from '../../testing/random.ts'
import { startRuleOracle } from '../../testing/rule-oracle.ts'
import { operators } from './index.ts'

/** Operators with an argument, and what values for them are put together from. */
const cases: readonly (readonly [operator: string, argument: string, pieces: readonly string[]])[] = [
  ['streq', 'ab c', ['ab c', 'ab', ' c', 'x', 'AB C']],
  ['contains', 'ab', ['a', 'b', 'ab', 'A', '\0']],
  ['containsWord', 'ab', ['a', 'b', 'ab', '_', ' ', '9', 'ab ', '\xe9']],
  ['beginsWith', 'ab', ['ab', 'a', 'b', 'AB']],
  ['endsWith', 'ab', ['ab', 'a', 'b', 'AB']],
  ['within', 'GET HEAD,ab', ['GET', 'HEAD', ' ', ',', 'ab', 'a', 'b']],
  ['strmatch', 'a|42 43|d', ['aBCd', 'a', 'BC', 'd', 'abcd']],
  ['eq', '12', ['12', ' ', '-', '+', '0', 'x', '1', '99999999999999999999']],
  ['ge', '-5', ['12', ' ', '-', '+', '0', 'x', '5', '6', '4294967295']],
  ['gt', '5', ['12', ' ', '-', '+', '0', 'x', '5', '6', '4294967295']],
  ['le', '5', ['12', ' ', '-', '+', '0', 'x', '5', '6', '4294967295']],
  ['lt', '5x', ['12', ' ', '-', '+', '0', 'x', '5', '6', '2147483648']],
  ['pm', 'Union abc AB x|41 42|y b', ['UNION', 'uni', 'on', 'a', 'bc', 'AB', 'xABy', 'Z', ' ']],
  [
    'pmFromFile',
    resolve(import.meta.dirname, '../../testing/phrases.data'),
    ['"', 'ab', 'c', '|', 'd', '\n', 'e', 'AB', '\\', ':', 'f', ' ', 'g'],
  ],
  ['rx', '(?i)(a+)(b)?(c)?|(d)', ['a', 'b', 'c', 'd', 'A', 'B', 'C', 'D', 'x']],
  [
    'ipMatch',
    '192.0.2.0/24,10.1.2.3,2001:db8::/32',
    ['192.0.2.', '10.1.2.3', '1', '2001:db8:', ':1', '255', '.'],
  ],
  ['validateByteRange', '9,32-126', ['\t', ' ', 'a', '~', '\x7f', '\n', '\xe9', '\0']],
  ['validateUrlEncoding', '', ['%', '4', '1', 'g', '%41', 'x']],
  [
    'validateUtf8Encoding',
    '',
    [
      'a',
      '\xc3',
      '\xa9',
      '\xe2\x82\xac',
      '\xf0\x9f\x98\x80',
      '\xf5',
      '\xc0\x80',
      '\xed\xa0\x80',
      '\xe0\x80\x80',
    ],
  ],
  ['verifyCC', '\\d{13,16}', ['4111111111111111', '4012888888881881', '378282246310005', '1', ' ', '5']],
  [
    'verifySSN',
    '\\d{3}-?\\d{2}-?\\d{4}',
    ['078-05-1120', '123456789', '111111111', '666-12-3456', '1', '-', '457-55-5462'],
  ],
  [
    'verifyCPF',
    '\\d{3}\\.?\\d{3}\\.?\\d{3}-?\\d{2}',
    ['111.444.777-35', '52998224725', '1', '11144477734', '.', '00000000000'],
  ],
  [
    'detectSQLi',
    '',
    [
      "'",
      ' or ',
      '1',
      '=',
      '--',
      ' union select ',
      'x',
      '(',
      ')',
      '/*',
      '"',
      ';',
      ' and ',
      'sleep(5)',
      '0x41',
      ',',
      '@',
      '.',
      '-',
      '+',
    ],
  ],
  [
    'detectXSS',
    '',
    [
      '<',
      'script',
      '>',
      ' on',
      'error',
      '=',
      'x',
      '"',
      "'",
      '`',
      ' ',
      '/',
      'javascript:',
      'href',
      '<!--',
      'style',
      '<a ',
      'svg',
      '\0',
    ],
  ],
]

/**
 * Arguments are sent in hexadecimal (h), but addresses as they are (r): `@ipMatch` reads beyond what `t:hexDecode` leaves,
 * and passes over what follows a value that is no address.
 */
function targetOf(operator: string | undefined): 'h' | 'r' {
  return operator === 'ipMatch' ? 'r' : 'h'
}

const seconds = Number(process.env.PALISADE_ORACLE_SECONDS ?? 3)

test('operators say and capture what they do in ModSecurity 2.9 in Apache', {
  skip: !hasApache(),
}, async () => {
  const rules = cases.map(
    ([operator, argument], at) =>
      `SecRule ARGS:/^${targetOf(operator)}/ "@${operator} ${argument.replaceAll('"', '\\"')}" "id:${at + 1},phase:2,pass,capture,` +
      `t:none,${targetOf(operator) === 'h' ? 't:hexDecode,' : ''}log,noauditlog,logdata:'%{MATCHED_VAR_NAME} <%{TX.0}><%{TX.1}><%{TX.2}><%{TX.3}><%{TX.4}>'"`,
  )
  const ownOperators = cases.map(([operator, argument]) => {
    const factory = operators.get(operator.toLowerCase())
    assert.ok(factory, operator)
    return factory.create(argument, {
      readFile: (file) => readFileSync(file, 'latin1'),
      injections: openLibinjection(),
    })
  })
  const oracle = await startRuleOracle(rules)
  const differences: object[] = []
  const matches = new Set<number>()
  let comparisons = 0
  try {
    const random = new Random(11)
    const end = performance.now() + seconds * 1000
    // On a busy machine it takes longer until each operator has found something.
    for (let round = 0; performance.now() < end || (matches.size < cases.length && round < 1_000); round++) {
      const values = Array.from({ length: 12 }, () => {
        const [, , pieces] = random.pick(cases)
        return Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join('')
      })
      const lines = await oracle.post(
        Object.fromEntries(
          values.flatMap((value, at) => [
            [`h${at}`, Buffer.from(value, 'latin1').toString('hex')],
            ...(isIP(value) ? [[`r${at}`, value]] : []),
          ]),
        ),
      )
      const linesByKey = new Map(lines.map((line) => [keyOf(line), line]))
      for (const [rule, operator] of ownOperators.entries()) {
        for (const [at, value] of values.entries()) {
          const line = linesByKey.get(`${rule + 1} ${targetOf(cases[rule]?.[0])}${at}`)
          const match = operator.match(value)
          comparisons++
          if (match) matches.add(rule)
          const expected =
            line === undefined ? undefined : (/\[data "ARGS:[hr]\d+ (.*?)"\]/.exec(line)?.[1] ?? '')
          const actual = match && capturesAsLogged(match.captures)
          const isSame = actual === undefined ? !line : expected?.startsWith(actual)
          if (!isSame) differences.push({ operator: cases[rule]?.[0], value, actual, expected })
        }
      }
    }
  } finally {
    await oracle.stop()
  }
  assert.deepEqual(differences.slice(0, 20), [])
  assert.ok(comparisons > 1000, `only ${comparisons} comparisons`)
  assert.deepEqual(
    cases.filter((_, at) => !matches.has(at)).map(([operator]) => operator),
    [],
  )
})

function keyOf(line: string): string {
  const rule = /\[id "(\d+)"\]/.exec(line)?.[1]
  const arg = /\[data "ARGS:([hr]\d+) /.exec(line)?.[1] ?? '?'
  return `${rule} ${arg}`
}

/** TX:0 to TX:4 as the log has them, as far as the operator captures. */
function capturesAsLogged(captures: readonly (string | undefined)[]): string {
  return captures
    .slice(0, 5)
    .map((capture) => `<${escaped(capture ?? '')}>`)
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll(/["\\]|[^ -~]/g, (character) => {
    const short = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\v': 'v' }[character]
    if (short) return `\\${short}`
    const byNumber = `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
    // These are escaped once in the text and once more in the log.
    return character === '"' || character === '\\' ? `\\${byNumber}` : byNumber
  })
}
