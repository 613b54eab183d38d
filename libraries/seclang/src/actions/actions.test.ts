import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryCollectionStorage } from '../collections/memory-collection-storage.ts'
import { inspect, rulesOf } from '../testing/inspect.ts'

test('variables are set, counted and removed, never below zero', () => {
  const rules = rulesOf(`
    SecAction "id:1,phase:1,pass,nolog,setvar:tx.A=5,setvar:tx.b,setvar:'tx.c=%{tx.a}-%{TX.b}'"
    SecAction "id:2,phase:1,pass,nolog,setvar:tx.a=+%{tx.a},setvar:tx.b=-7,setvar:!tx.c,setvar:tx.d_%{tx.b}=x,setvar:tx.e=+2x"
  `)
  const { transaction } = inspect(rules)
  assert.deepEqual(
    ['a', 'b', 'c', 'd_0', 'e'].map((key) => transaction.tx(key)),
    ['10', '0', undefined, 'x', '2'],
  )
})

test('the actions of a rule run once for each target that matches', () => {
  const rules = rulesOf(
    'SecRule ARGS "@rx x" "id:1,phase:1,pass,log,msg:\'%{MATCHED_VAR_NAME}\',setvar:tx.n=+5"',
  )
  const { transaction, matches } = inspect(rules, { uri: '/?a=x&b=y&c=xx' })
  assert.equal(transaction.tx('n'), '10')
  assert.deepEqual(
    matches.map(({ message }) => message),
    ['ARGS:a', 'ARGS:c'],
  )
})

test('a chain matches when all its rules do, and speaks as its first rule', () => {
  const rules = rulesOf(`
    SecRule ARGS:a "@rx (b)(c)?" "id:1,phase:2,deny,status:406,capture,msg:'%{TX.1}%{TX.2}|%{MATCHED_VARS_NAMES.ARGS:a}',chain"
      SecRule REQUEST_METHOD "@streq GET" "t:none"
  `)
  assert.equal(inspect(rules, { uri: '/?a=b', method: 'POST' }).interruption, undefined)
  assert.deepEqual(inspect(rules, { uri: '/?a=b' }).interruption, {
    action: 'deny',
    status: 406,
    ruleId: 1,
    phase: 2,
    message: 'b|ARGS:a',
  })
})

test('what a chain looks at again bears the name that it had before', () => {
  const rules = rulesOf(`
    SecRule ARGS "@rx java" "id:1,phase:1,pass,log,msg:'%{MATCHED_VAR_NAME}',sanitiseMatched,chain"
      SecRule MATCHED_VARS "@rx runtime"
    SecRule ARGS "@rx java" "id:2,phase:1,pass,log,msg:'%{MATCHED_VAR_NAME}',chain"
      SecRule MATCHED_VARS:ARGS:b "@rx java"
  `)
  const { matches, transaction } = inspect(rules, { uri: '/?a=java.runtime&b=java' })
  assert.deepEqual(
    matches.map(({ ruleId, targetName, message }) => [ruleId, targetName, message]),
    [
      [1, 'ARGS:a', 'ARGS:a'],
      [2, 'ARGS:b', 'ARGS:b'],
    ],
  )
  assert.ok(transaction.isSanitised('ARGS:a'))
})

test('skip and skipAfter leave rules out, a chain counting as one', () => {
  const rules = rulesOf(`
    SecRule ARGS:skip "@eq 1" "id:1,phase:1,pass,nolog,skip:1"
    SecRule ARGS "@rx ." "id:2,phase:1,pass,log,chain"
      SecRule ARGS "@rx ." "t:none"
    SecRule ARGS:skip "@eq 2" "id:3,phase:1,pass,nolog,skipAfter:END"
    SecAction "id:4,phase:1,pass,log"
    SecMarker END
    SecAction "id:5,phase:1,pass,log"
  `)
  assert.deepEqual(inspect(rules, { uri: '/?skip=1' }).ids, [4, 5])
  assert.deepEqual(inspect(rules, { uri: '/?skip=2' }).ids, [2, 5])
  assert.deepEqual(inspect(rules, { uri: '/?skip=3' }).ids, [2, 4, 5])
})

test('skipAfter without its marker leaves out the rest of the phase, and the rule set says so', () => {
  const rules = rulesOf(`
    SecMarker EARLIER
    SecRule ARGS:skip "@eq 1" "id:1,phase:1,pass,nolog,skipAfter:NOWHERE"
    SecRule ARGS:skip "@eq 2" "id:2,phase:1,pass,nolog,skipAfter:EARLIER"
    SecAction "id:3,phase:1,pass,log"
    SecAction "id:4,phase:2,pass,log"
  `)
  assert.deepEqual(
    ['/?skip=0', '/?skip=1', '/?skip=2'].map((uri) => inspect(rules, { uri }).ids),
    [[3, 4], [4], [4]],
  )
  assert.deepEqual(rules.missingMarkers, [
    { ruleId: 1, label: 'NOWHERE' },
    { ruleId: 2, label: 'EARLIER' },
  ])
})

test('ctl takes rules and targets out for one transaction', () => {
  const rules = rulesOf(`
    SecRule ARGS:ctl "@streq id" "id:1,phase:1,pass,nolog,ctl:ruleRemoveById=10-19"
    SecRule ARGS:ctl "@streq tag" "id:2,phase:1,pass,nolog,ctl:ruleRemoveByTag=^attack"
    SecRule ARGS:ctl "@streq message" "id:3,phase:1,pass,nolog,ctl:ruleRemoveByMsg=Found"
    SecRule ARGS:ctl "@streq target" "id:4,phase:1,pass,nolog,ctl:ruleRemoveTargetById=10;ARGS:a[0]"
    SecRule ARGS:ctl "@streq targets" "id:5,phase:1,pass,nolog,ctl:ruleRemoveTargetByTag=attack;ARGS:/^a/"
    SecRule ARGS:ctl "@streq engine" "id:6,phase:1,pass,nolog,ctl:ruleEngine=Off"
    SecRule ARGS "@rx evil" "id:10,phase:2,pass,log,msg:'Found it',tag:'attack-x'"
  `)
  const matches = (ctl: string) =>
    inspect(rules, { uri: `/?a[0]=evil&b=evil&ctl=${ctl}` }).matches.map(({ targetName }) => targetName)
  assert.deepEqual(matches('none'), ['ARGS:a[0]', 'ARGS:b'])
  for (const all of ['id', 'tag', 'message', 'engine']) assert.deepEqual(matches(all), [], all)
  for (const one of ['target', 'targets']) assert.deepEqual(matches(one), ['ARGS:b'], one)
})

test('directives remove and change the rules before them', () => {
  const rules = rulesOf(`
    SecRule ARGS "@rx x" "id:1,phase:1,pass,log,tag:'a'"
    SecRule ARGS "@rx x" "id:2,phase:1,pass,log,tag:'b'"
    SecRule ARGS "@rx x" "id:3,phase:1,pass,log,msg:'three'"
    SecRule ARGS "@rx x" "id:4,phase:1,pass,log,tag:'a'"
    SecRule ARGS "@rx x" "id:5,phase:1,pass,log"
    SecRuleRemoveById 1 "90-99"
    SecRuleRemoveByTag ^b$
    SecRuleRemoveByMsg three
    SecRuleUpdateTargetByTag a "!ARGS:p"
    SecRuleUpdateTargetById 5 "REQUEST_METHOD" "ARGS"
    SecRuleUpdateActionById 4 "deny,status:418,msg:'changed'"
    SecRule ARGS "@rx x" "id:2,phase:1,pass,log"
  `)
  assert.deepEqual(inspect(rules, { uri: '/?p=x' }).ids, [2])
  const { ids, interruption } = inspect(rules, { uri: '/?q=x' })
  assert.deepEqual(ids, [4])
  assert.equal(interruption?.status, 418)
  assert.equal(interruption?.message, 'changed')
})

test('block does what the default action of the phase says', () => {
  const rules = rulesOf(`
    SecDefaultAction "phase:1,log,pass"
    SecDefaultAction "phase:2,nolog,deny,status:409,t:lowercase"
    SecRule ARGS "@rx x" "id:1,phase:1,block"
    SecRule ARGS "@streq x" "id:2,phase:2,block"
  `)
  const { ids, interruption } = inspect(rules, { uri: '/?a=x&b=X' })
  assert.deepEqual(ids, [1])
  assert.equal(interruption?.ruleId, 2)
  assert.equal(interruption?.status, 409)
  assert.equal(inspect(rules, { uri: '/?b=X' }).interruption?.ruleId, 2)
})

test('detection only interrupts nothing and tells what it would', () => {
  const rules = rulesOf(
    'SecRuleEngine DetectionOnly\nSecAction "id:1,phase:1,deny,log"\nSecAction "id:2,phase:1,drop,log"',
  )
  const { matches, interruption } = inspect(rules)
  assert.deepEqual(
    matches.map(({ ruleId, isDisruptive }) => [ruleId, isDisruptive]),
    [
      [1, true],
      [2, true],
    ],
  )
  assert.equal(interruption, undefined)
})

test('allow lets off a phase, the request, or everything but the log', () => {
  const rest = `
    SecAction "id:11,phase:1,pass,log"
    SecAction "id:12,phase:2,pass,log"
    SecAction "id:13,phase:3,pass,log"
    SecAction "id:15,phase:5,pass,log"`
  assert.deepEqual(inspect(rulesOf(`SecAction "id:1,phase:1,allow:phase,nolog"${rest}`)).ids, [12, 13, 15])
  assert.deepEqual(inspect(rulesOf(`SecAction "id:1,phase:1,allow:request,nolog"${rest}`)).ids, [13, 15])
  assert.deepEqual(inspect(rulesOf(`SecAction "id:1,phase:1,allow,nolog"${rest}`)).ids, [15])
})

test('a redirect names the place, and phase 5 runs after an interruption', () => {
  const rules = rulesOf(`
    SecAction "id:1,phase:1,nolog,redirect:'http://localhost/%{REQUEST_METHOD}'"
    SecAction "id:2,phase:5,log,deny"
  `)
  const { interruption, ids, transaction } = inspect(rules)
  assert.equal(interruption?.location, 'http://localhost/GET')
  assert.equal(interruption?.status, 302)
  assert.deepEqual(ids, [2])
  assert.equal(transaction.interruption?.ruleId, 1)
})

test('multiMatch tests every stage of the transformations', () => {
  const rule = (multiMatch: string) =>
    rulesOf(`SecRule ARGS "@rx a" "id:1,phase:1,pass,log,t:lowercase,t:removeNulls${multiMatch}"`)
  const values = (multiMatch: string) =>
    inspect(rule(multiMatch), { uri: '/?x=aB%00' }).matches.map(({ targetValue }) => targetValue)
  assert.deepEqual(values(''), ['ab'])
  assert.deepEqual(values(',multiMatch'), ['aB\0', 'ab\0', 'ab'])
})

test('an operator may compare with a variable', () => {
  const rules = rulesOf(`
    SecAction "id:1,phase:1,pass,nolog,setvar:tx.limit=3"
    SecRule ARGS:a "@gt %{tx.limit}" "id:2,phase:1,deny"
  `)
  assert.equal(inspect(rules, { uri: '/?a=3' }).interruption, undefined)
  assert.equal(inspect(rules, { uri: '/?a=4' }).interruption?.ruleId, 2)
})

test('stored collections outlive a transaction until their variables expire', () => {
  let now = 1_000_000
  const storage = new MemoryCollectionStorage()
  const text = `
    SecCollectionTimeout 600
    SecAction "id:1,phase:1,pass,nolog,initcol:ip=%{REMOTE_ADDR},initcol:global=all"
    SecAction "id:2,phase:1,pass,nolog,setvar:ip.hits=+1,setvar:ip.short=1,expirevar:ip.short=60,setvar:global.all=+1"
    SecAction "id:3,phase:2,pass,log,msg:'%{ip.hits} %{global.all}'"
    SecRule &IP:short "@eq 0" "id:4,phase:1,pass,log"
  `
  const rules = rulesOf(
    text.replace('SecAction "id:2', 'SecRule &IP:short "@eq 0" "id:5,phase:1,pass,log"\nSecAction "id:2'),
    {
      storage,
      now: () => now,
    },
  )
  const run = () => inspect(rules).matches.map(({ ruleId, message }) => `${ruleId} ${message}`.trim())
  assert.deepEqual(run(), ['5', '3 1 1'])
  assert.deepEqual(run(), ['3 2 2'])
  now += 61_000
  assert.deepEqual(run(), ['5', '3 3 3'])
  now += 700_000
  assert.deepEqual(run(), ['5', '3 1 1'])
})

test('a stored collection lives as long as something of it is changed, but for what rules let expire', () => {
  let now = 1_000_000
  const rules = rulesOf(
    `
    SecCollectionTimeout 600
    SecAction "id:1,phase:1,pass,nolog,initcol:ip=%{REMOTE_ADDR}"
    SecRule ARGS:first "@eq 1" "id:2,phase:1,pass,nolog,setvar:ip.flag=1,setvar:ip.told=1,expirevar:ip.told=900"
    SecRule ARGS:count "@eq 1" "id:3,phase:1,pass,nolog,setvar:ip.hits=+1"
    SecAction "id:4,phase:2,pass,log,msg:'%{ip.hits} %{ip.flag} %{ip.told}'"
  `,
    { storage: new MemoryCollectionStorage(), now: () => now },
  )
  const run = (query: string) => inspect(rules, { uri: `/?${query}` }).matches[0]?.message.trimEnd()
  assert.equal(run('count=1&first=1'), '1 1 1')
  for (const expected of ['2 1 1', '3 1', '4 1']) {
    now += 500_000
    assert.equal(run('count=1'), expected)
  }
  now += 500_000
  assert.equal(run(''), '4 1')
  now += 101_000
  assert.equal(run('count=1'), '1')
})

test('transactions side by side both count', () => {
  const storage = new MemoryCollectionStorage()
  const rules = rulesOf('SecAction "id:1,phase:1,pass,nolog,initcol:ip=x,setvar:ip.n=+1"', { storage })
  const connection = { clientAddress: '::1', clientPort: 1, serverAddress: '::1', serverPort: 2 }
  const open = [1, 2].map(() => rules.newTransaction({ connection }))
  for (const transaction of open) {
    transaction.requestHeaders({ method: 'GET', uri: '/', protocol: 'HTTP/1.1', headers: [] })
  }
  for (const transaction of open) transaction.finish()
  assert.equal(storage.load('ip', 'x').get('n')?.value, '2')
})

test('the storage in memory forgets the instance that was changed longest ago', () => {
  const storage = new MemoryCollectionStorage({ instancesMax: 2 })
  const change = { kind: 'set', key: 'a', value: '1', expiresAt: Number.MAX_SAFE_INTEGER } as const
  for (const instance of ['x', 'y', 'x', 'z']) storage.apply('ip', instance, [change])
  assert.deepEqual(
    ['x', 'y', 'z'].map((instance) => storage.load('ip', instance).size),
    [1, 0, 1],
  )
})

test('what a rule wants hidden is told', () => {
  const rules = rulesOf(`
    SecAction "id:1,phase:1,pass,nolog,sanitiseArg:Password"
    SecRule ARGS "@rx secret" "id:2,phase:1,pass,log,sanitiseMatched"
  `)
  const { transaction } = inspect(rules, { uri: '/?a=secret&b=x&password=y' })
  assert.deepEqual(
    ['ARGS:a', 'ARGS:b', 'ARGS:password'].map((name) => transaction.isSanitised(name)),
    [true, false, true],
  )
})
