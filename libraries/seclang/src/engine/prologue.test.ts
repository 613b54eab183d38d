import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRuleSet } from '../compile/compile-rule-set.ts'
import { parseRuleFiles } from '../language/parse-rule-files.ts'
import { inspect, rulesOf } from '../testing/inspect.ts'

const defaults = `
SecAction "id:1,phase:1,nolog,pass,setvar:tx.limit=3"
SecRule &TX:limit "@eq 0" "id:2,phase:1,nolog,pass,setvar:tx.limit=9"
SecRule &TX:level "@eq 0" "id:3,phase:1,nolog,pass,setvar:tx.level=%{tx.limit}"
SecRule TX:level "@eq 3" "id:4,phase:1,nolog,pass,setvar:tx.level=+1"
SecAction "id:5,phase:1,nolog,pass,setvar:'tx.name_%{tx.level}=four'"
`
const telling = `
SecRule TX:level|TX:name_4 "@unconditionalMatch" "id:10,phase:1,log,pass,setvar:tx.level=+1"
SecRule MATCHED_VAR "@unconditionalMatch" "id:11,phase:1,log,pass"
`

function matchesOf(text: string, requests: readonly string[]): readonly (readonly string[])[] {
  return [true, false].flatMap((usePrefilter) => {
    const rules = rulesOf(text, { usePrefilter })
    return requests.map((uri) =>
      inspect(rules, { uri }).matches.map(({ targetName, targetValue }) => `${targetName} ${targetValue}`),
    )
  })
}

test('what the first rules make of TX is the same for each transaction', () => {
  const expected = ['TX:level 4', 'TX:name_4 four', 'MATCHED_VAR four']
  assert.deepEqual(matchesOf(defaults + telling, ['/', '/', '/']), new Array(6).fill(expected))
})

test('what rules before them put into TX is heeded', () => {
  const before = 'SecRule ARGS:limit "@rx .+" "id:6,phase:1,nolog,pass,setvar:tx.level=7"\n'
  const [first, second, third] = matchesOf(before + defaults + telling, ['/', '/?limit=1', '/'])
  assert.deepEqual(first, third)
  assert.equal(second?.[0], 'TX:level 7')
})

test('a rule among them that is left out for one transaction runs in the others', () => {
  const leftOut = 'SecRule ARGS:without "@rx .+" "id:6,phase:1,nolog,pass,ctl:ruleRemoveById=4"\n'
  const [first, second, third] = matchesOf(leftOut + defaults + telling, ['/', '/?without=1', '/'])
  assert.deepEqual([first?.[0], second?.[0], third?.[0]], ['TX:level 4', 'TX:level 3', 'TX:level 4'])
})

test('it is those rules that come first, and not a longer run behind rules that have written TX', () => {
  const more = Array.from(
    { length: 9 },
    (_, number) => `SecRule TX:level "@lt ${number}" "id:${20 + number},phase:1,nolog,pass"`,
  )
  const own = 'SecAction "id:12,phase:1,nolog,pass,setvar:tx.uri=%{REQUEST_URI}"'
  const text = [defaults, own, ...more].join('\n')
  const { statements } = parseRuleFiles([{ name: 'test.conf', text }])
  const { byPhase } = compileRuleSet(statements, {
    usePrefilter: true,
    unicodeMap: undefined,
    injections: undefined,
  })
  const prologue = byPhase.get(1)?.prologue
  assert.deepEqual([prologue?.start, prologue?.end], [0, 5])
})
