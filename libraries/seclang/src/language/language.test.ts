import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadRuleSet } from '../rule-set.ts'
import { inspect, rulesOf } from '../testing/inspect.ts'
import { logicalLines } from './logical-lines.ts'
import { parseActions } from './parse-actions.ts'
import { parseRuleFiles } from './parse-rule-files.ts'
import { parseVariables } from './parse-variables.ts'
import { RuleSetFailure } from './rule-set-failure.ts'
import { parseOperator } from './statement-directives.ts'
import { splitWords } from './words.ts'

test('lines that end in a backslash go on, also comments, and keep the number of their first line', () => {
  assert.deepEqual(logicalLines('one \\\n  two\n\n# no \\\nnor this\r\nthree\\\r\n four'), [
    { text: 'one   two', line: 1 },
    { text: 'three four', line: 6 },
  ])
})

test('words stand in quotes or without, and only quotes and backslashes are escaped', () => {
  assert.deepEqual(splitWords(String.raw`ARGS "a \"b\" \d \\w" 'c "d"' e\\f`), [
    'ARGS',
    String.raw`a "b" \d \w`,
    'c "d"',
    String.raw`e\f`,
  ])
  assert.throws(() => splitWords('ARGS "open'), /quote " is not closed/)
})

test('variables have counts, exclusions and selectors, also expressions with a bar', () => {
  assert.deepEqual(parseVariables("&args|!REQUEST_COOKIES:/__utm/|TX:'/a|b/'|ARGS:/x|y/|XML:/*|FILES"), [
    { mode: 'count', name: 'ARGS' },
    { mode: 'exclude', name: 'REQUEST_COOKIES', selector: { kind: 'pattern', source: '__utm' } },
    { mode: 'read', name: 'TX', selector: { kind: 'pattern', source: 'a|b' } },
    { mode: 'read', name: 'ARGS', selector: { kind: 'pattern', source: 'x|y' } },
    { mode: 'read', name: 'XML', selector: { kind: 'key', key: '/*' } },
    { mode: 'read', name: 'FILES' },
  ])
  assert.throws(() => parseVariables('ARGS:'), /needs a key/)
  assert.throws(() => parseVariables('ARGS ARGS'), /\| was expected/)
})

test('an operator without a name is a regular expression', () => {
  assert.deepEqual(parseOperator('!@within a b '), { isNegated: true, name: 'within', argument: 'a b ' })
  assert.deepEqual(parseOperator('^a b'), { isNegated: false, name: 'rx', argument: '^a b' })
  assert.deepEqual(parseOperator('!^a'), { isNegated: true, name: 'rx', argument: '^a' })
})

test('actions have arguments with commas in quotes', () => {
  assert.deepEqual(parseActions(String.raw`id:1, msg:'it\'s, \d', setvar:tx.a=+1,chain`), [
    { name: 'id', argument: '1' },
    { name: 'msg', argument: String.raw`it's, \d` },
    { name: 'setvar', argument: 'tx.a=+1' },
    { name: 'chain' },
  ])
  assert.throws(() => parseActions("msg:'open"), /not closed/)
  assert.throws(() => parseActions("msg:'a' b"), /comma was expected/)
})

const refused: readonly (readonly [string, RegExp])[] = [
  ['SecNonsense On', /directive is not known/],
  ['SecRuleEngine Maybe', /one of on, off, detectiononly was expected/],
  ['SecRequestBodyLimit much', /whole number/],
  ['SecUnicodeMapFile /nowhere 20127', /nowhere/],
  ['SecRule ARGS', /2 to 3 words/],
  ['SecRule NOTHING "@rx a" "id:1"', /variable NOTHING is not known/],
  ['SecRule REQUEST_METHOD:a "@rx a" "id:1"', /REQUEST_METHOD takes no key/],
  ['SecRule XML:/a/b "@rx a" "id:1"', /XML takes one of the keys/],
  ['SecRule ARGS "@nothing a" "id:1"', /operator @nothing is not known/],
  ['SecRule ARGS "@rx (" "id:1"', /cannot be converted/],
  ['SecRule ARGS "@pmFromFile missing.data" "id:1"', /missing\.data/],
  ['SecRule ARGS "@rx a" "id:1,nothing"', /action nothing is not known/],
  ['SecRule ARGS "@rx a" "id:1,exec:/bin/true"', /action exec is not known/],
  ['SecRule ARGS "@rx a" "id:1,t:nothing"', /transformation nothing is not known/],
  ['SecRule ARGS "@rx a" "id:1,phase:6"', /phase/],
  ['SecRule ARGS "@rx a" "phase:1"', /has no id/],
  ['SecRule ARGS "@rx a" "id:1,severity:high"', /severity/],
  ['SecRule ARGS "@rx a" "id:1,msg:\'%{nothing.a}\'"', /variable NOTHING is not known/],
  ['SecRule ARGS "@rx a" "id:1,setvar:args.a=1"', /cannot write to the collection args/],
  ['SecRule ARGS "@rx a" "id:1,ctl:nothing=1"', /setting "nothing=1" is not known/],
  ['SecRule ARGS "@rx a" "id:1,chain"', /next rule is missing/],
  ['SecAction "id:1"\nSecAction "id:1"', /id 1 is taken/],
  ['Include /nowhere/*.conf', /no file is named/],
]

test('what is not understood stops the load with file and line', () => {
  for (const [text, problem] of refused) {
    assert.throws(
      () => rulesOf(`\n${text}`),
      (error) => {
        assert.ok(error instanceof RuleSetFailure, text)
        assert.equal(error.file, 'test.conf', text)
        assert.ok(error.line >= 2, text)
        assert.match(error.message, problem)
        assert.match(error.message, /^test\.conf:\d+: /)
        return true
      },
    )
  }
})

test('a file that cannot be read is named with the reason, and without a line', () => {
  assert.throws(() => loadRuleSet({ sources: [{ file: '/nowhere/rules.conf' }] }), {
    name: 'RuleSetFailure',
    line: 0,
    message:
      /^\/nowhere\/rules\.conf: the rule file \/nowhere\/rules\.conf cannot be read: ENOENT: no such file/,
  })
})

test('files are included by name and by pattern, relative to the file that names them', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'seclang-'))
  context.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'rules'))
  writeFileSync(join(folder, 'main.conf'), 'Include rules/*.conf\nIncludeOptional none/*.conf\n')
  writeFileSync(join(folder, 'rules/b.conf'), 'SecMarker second\n')
  writeFileSync(
    join(folder, 'rules/a.conf'),
    'SecMarker first\nSecRule ARGS "@pmFromFile words.data" "id:1,deny"\n',
  )
  writeFileSync(join(folder, 'rules/.a.conf'), 'SecNonsense On\n')
  writeFileSync(join(folder, 'rules/words.data'), '# comment\nevil\n')
  const sources = [{ file: join(folder, 'main.conf') }]
  const labels = parseRuleFiles(sources).statements.flatMap((statement) =>
    statement.kind === 'marker' ? [statement.label] : [],
  )
  assert.deepEqual(labels, ['first', 'second'])
  const ruleSet = loadRuleSet({ sources: [{ name: 'on', text: 'SecRuleEngine On' }, ...sources] })
  assert.equal(inspect(ruleSet, { uri: '/?a=evil' }).interruption?.ruleId, 1)
  writeFileSync(join(folder, 'rules/a.conf'), 'Include a.conf')
  assert.throws(() => parseRuleFiles(sources), /circle/)
})

test('a table of Unicode maps what lies beyond a byte', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'seclang-'))
  context.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'unicode.mapping'), '20127 (US-ASCII)\n00a1:21 2215:2f \n')
  const rule = `SecUnicodeMapFile ${folder}/unicode.mapping 20127\nSecRule ARGS "@streq /!" "id:1,phase:1,deny,t:urlDecodeUni"`
  assert.equal(inspect(rulesOf(rule), { uri: '/?a=%25u2215%25u00a1' }).interruption?.ruleId, 1)
  assert.throws(() => rulesOf(rule.replace('20127', '1')), /no code page 1/)
})
