import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRuleSet } from '../compile/compile-rule-set.ts'
import { parseRuleFiles } from '../language/parse-rule-files.ts'
import { inspect, rulesOf } from '../testing/inspect.ts'

/** Which rules matched, with gates and without, for each of some requests in turn. */
function matched(text: string, uris: readonly string[]): readonly (readonly string[])[] {
  const [withGates, without] = [true, false].map((usePrefilter) => {
    const rules = rulesOf(text, { usePrefilter })
    return uris.map((uri) =>
      inspect(rules, { uri }).matches.map(({ ruleId, targetName }) => `${ruleId} ${targetName}`),
    )
  })
  assert.deepEqual(withGates, without)
  return withGates ?? []
}

const level = `SecRule ARGS:level "@rx ^(.+)$" "id:1,phase:1,nolog,pass,capture,setvar:tx.level=%{tx.1}"\n`

test('a rule that begins with a variable of TX runs as its value of the moment says', () => {
  const text = `${level}SecRule TX:level "@ge 2" "id:2,phase:1,log,pass"
SecRule TX:level "!@eq 3" "id:3,phase:1,log,pass"
SecRule &TX:level "@eq 0" "id:4,phase:1,log,pass"`
  const results = matched(text, ['/', '/?level=1', '/?level=3', '/?level=2', '/?level=3', '/'])
  const [none, one, three, two] = [['4 TX'], ['3 TX:level'], ['2 TX:level'], ['2 TX:level', '3 TX:level']]
  assert.deepEqual(results, [none, one, three, two, three, none])
})

test('what is set and removed between two rules counts for the second, and a removed rule stays removed', () => {
  const text = `SecRule TX:level "@ge 2" "id:1,phase:1,log,pass"
SecRule &TX:level "@eq 0" "id:2,phase:1,log,pass"
${level.replace('id:1', 'id:3')}SecRule TX:level "@ge 2" "id:4,phase:1,log,pass,setvar:tx.level=-1"
SecRule TX:level "@ge 2" "id:5,phase:1,log,pass,setvar:!tx.LEVEL"
SecRule &TX:level "@eq 0" "id:6,phase:1,log,pass"
SecRule TX:1 "@streq b" "id:7,phase:1,log,pass"
SecRule ARGS:other "@rx ^(b)" "id:8,phase:1,nolog,pass,capture,ctl:ruleRemoveById=10"
SecRule TX:1 "@streq b" "id:9,phase:1,log,pass"
SecRule TX:1 "@streq b" "id:10,phase:1,log,pass"
SecRule TX:level "@ge 1" "id:11,phase:2,log,pass"`
  const uris = ['/?level=1', '/?level=2', '/?level=3', '/?other=b', '/?level=2&other=b']
  assert.deepEqual(matched(text, [...uris, ...uris]), [
    ...matched(text, uris),
    ['2 TX', '11 TX:level'],
    ['2 TX', '4 TX:level', '11 TX:level'],
    ['2 TX', '4 TX:level', '5 TX:level', '6 TX'],
    ['2 TX', '6 TX', '9 TX:1'],
    ['2 TX', '4 TX:level', '9 TX:1', '11 TX:level'],
  ])
})

test('a long value is looked at anew each time', () => {
  const long = 'a'.repeat(70)
  const text = `${level}SecRule TX:level "@endsWith b" "id:2,phase:1,log,pass"`
  const results = matched(text, [`/?level=${long}b`, `/?level=${long}`, `/?level=${long}b`])
  assert.deepEqual(results, [['2 TX:level'], [], ['2 TX:level']])
})

test('a rule that only goes on elsewhere leaves behind what it matched', () => {
  const text = `${level}SecRule TX:level "@eq 5" "id:2,phase:1,nolog,pass,skipAfter:END"
SecAction "id:3,phase:1,log,pass"
SecMarker END
SecRule MATCHED_VAR_NAME|MATCHED_VARS_NAMES "@unconditionalMatch" "id:4,phase:1,log,pass,setvar:'tx.told=%{MATCHED_VAR}'"
SecRule TX:told "@streq TX:level" "id:5,phase:1,log,pass"`
  assert.deepEqual(
    matched(text, ['/?level=5', '/?level=6']).map(([first]) => first),
    ['4 MATCHED_VAR_NAME', '3 '],
  )
})

test('a rule that begins with several variables of TX leaves behind the last that matches', () => {
  const text = `${level}SecRule &TX:none|TX:level|TX:none "@ge 1" "id:2,phase:1,nolog,pass,skipAfter:END"
SecRule &TX:level|TX:level "@ge 1" "id:3,phase:1,nolog,pass,skipAfter:END"
SecAction "id:4,phase:1,log,pass"
SecMarker END
SecRule MATCHED_VAR "@unconditionalMatch" "id:5,phase:1,nolog,pass,setvar:tx.told=%{MATCHED_VAR}"
SecRule TX:told "@streq 5" "id:6,phase:1,log,pass"
SecRule TX:told "@streq 1" "id:7,phase:1,log,pass"
SecRule TX:level|TX:none "!@eq 5" "id:8,phase:1,log,pass"`
  assert.deepEqual(matched(text, ['/?level=5', '/?level=0', '/', '/?level=5']), [
    ['6 TX:told'],
    ['7 TX:told', '8 TX:level'],
    ['4 '],
    ['6 TX:told'],
  ])
})

test('what is left out of a rule is left out, and transformations count', () => {
  const text = `${level}SecRule ARGS:without "@rx ." "id:2,phase:1,nolog,pass,ctl:ruleRemoveTargetById=3;TX:level"
SecRule TX:level "@streq five" "id:3,phase:1,t:lowercase,log,pass"`
  assert.deepEqual(matched(text, ['/?level=FIVE', '/?level=FIVE&without=1', '/?level=FIVE']), [
    ['3 TX:level'],
    [],
    ['3 TX:level'],
  ])
})

test('rules that begin otherwise have none', () => {
  const text = `SecRule TX:a|ARGS:b "@eq 1" "id:1,phase:1,pass"
SecRule TX:/a/ "@eq 1" "id:2,phase:1,pass"
SecRule TX:a "@eq %{tx.b}" "id:3,phase:1,pass"
SecRule ARGS:a "@eq 1" "id:4,phase:1,pass"
SecAction "id:5,phase:1,pass"
SecRule TX:a "@eq 1" "id:6,phase:1,pass"
SecRule TX:a "@eq 1" "id:7,phase:1,nolog,pass,skipAfter:END"`
  const { statements } = parseRuleFiles([{ name: 'test.conf', text }])
  const { byPhase } = compileRuleSet(statements, {
    usePrefilter: true,
    unicodeMap: undefined,
    injections: undefined,
  })
  assert.deepEqual(
    byPhase.get(1)?.rules.map(({ gate }) => gate?.isAllOfRule),
    [undefined, undefined, undefined, undefined, undefined, false, true],
  )
})
