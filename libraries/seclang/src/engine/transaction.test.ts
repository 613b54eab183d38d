import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect, rulesOf } from '../testing/inspect.ts'

const form = ['Content-Type', 'application/x-www-form-urlencoded']

test('rules run in their phases, whatever the order in the file', () => {
  const rules = rulesOf(
    [4, 2, 5, 1, 3].map((phase) => `SecAction "id:${phase},phase:${phase},pass,log"`).join('\n'),
  )
  assert.deepEqual(inspect(rules).ids, [1, 2, 3, 4, 5])
})

test('a body beyond its limit is refused, or its beginning is inspected', () => {
  const rule = 'SecRule ARGS "@streq 1234" "id:1,phase:2,pass,log,msg:\'%{INBOUND_DATA_ERROR}\'"'
  const request = { headers: form, body: 'a=123456' }
  const refused = inspect(rulesOf(`SecRequestBodyLimit 6\n${rule}`), request)
  assert.deepEqual([refused.interruption?.status, refused.interruption?.ruleId], [413, undefined])
  const partial = inspect(
    rulesOf(`SecRequestBodyLimit 6\nSecRequestBodyLimitAction ProcessPartial\n${rule}`),
    request,
  )
  assert.deepEqual(
    partial.matches.map(({ message }) => message),
    ['1'],
  )
})

test('the limit without files counts what is no file', () => {
  const rules = rulesOf('SecRequestBodyNoFilesLimit 200')
  const type = ['Content-Type', 'multipart/form-data; boundary=B']
  const body = (name: string) =>
    `--B\r\nContent-Disposition: form-data; ${name}\r\n\r\n${'x'.repeat(300)}\r\n--B--\r\n`
  assert.equal(
    inspect(rules, { headers: type, body: body('name="a"; filename="b"') }).interruption,
    undefined,
  )
  assert.equal(inspect(rules, { headers: type, body: body('name="a"') }).interruption?.status, 413)
})

test('what is beyond the limit without files is not read, where it does not refuse', () => {
  const rules = (limit: number, action = 'ProcessPartial') =>
    rulesOf(`
      SecRequestBodyNoFilesLimit ${limit}
      SecRequestBodyLimitAction ${action}
      SecRule ARGS_NAMES|FILES_NAMES "@rx ." "id:1,phase:2,pass,log,msg:'%{MATCHED_VAR} %{INBOUND_DATA_ERROR}'"
    `)
  const matchesIn = (of: ReturnType<typeof rules>, headers: readonly string[], body: string) =>
    inspect(of, { headers: [...headers], body }).matches.map(({ message }) => message)
  assert.deepEqual(matchesIn(rules(8), form, 'a=1&b=2&c=3&d=4'), ['a 1', 'b 1'])
  assert.deepEqual(matchesIn(rules(15), form, 'a=1&b=2&c=3&d=4'), ['a 0', 'b 0', 'c 0', 'd 0'])
  const part = (name: string, data: string) =>
    `--B\r\nContent-Disposition: form-data; ${name}\r\n\r\n${data}\r\n`
  const body = `${part('name="f"; filename="g"', 'x'.repeat(1_000))}${part('name="a"', 'y'.repeat(200))}${part('name="b"', '')}--B--\r\n`
  const type = ['Content-Type', 'multipart/form-data; boundary=B']
  assert.deepEqual(matchesIn(rules(250), type, body), ['a 1', 'f 1'])
  assert.deepEqual(matchesIn(rules(500), type, body), ['a 0', 'b 0', 'f 0'])
  assert.equal(inspect(rules(250, 'Reject'), { headers: type, body }).interruption?.status, 413)
  assert.equal(inspect(rules(8, 'Reject'), { headers: form, body: 'a=1&b=2&c' }).interruption?.status, 413)
})

test('a response body beyond its limit is refused, or its beginning is inspected', () => {
  const rule = 'SecResponseBodyLimit 3\nSecRule RESPONSE_BODY "@streq abc" "id:1,phase:4,pass,log"'
  const request = { responseBody: 'abcdef' }
  assert.equal(inspect(rulesOf(rule), request).interruption?.status, 500)
  const partial = rulesOf(`SecResponseBodyLimitAction ProcessPartial\n${rule}`)
  assert.deepEqual(inspect(partial, request).ids, [1])
})

test('JSON and XML are read when a rule chooses the processor', () => {
  const rules = rulesOf(`
    SecRule REQUEST_HEADERS:Content-Type "@contains json" "id:1,phase:1,pass,nolog,ctl:requestBodyProcessor=JSON"
    SecRule REQUEST_HEADERS:Content-Type "@contains xml" "id:2,phase:1,pass,nolog,ctl:requestBodyProcessor=XML"
    SecRule ARGS|XML:/*|XML://@* "@rx evil" "id:3,phase:2,pass,log"
    SecRule REQBODY_ERROR "!@eq 0" "id:4,phase:2,deny,status:400,msg:'%{REQBODY_ERROR_MSG}'"
  `)
  const run = (type: string, body: string) => inspect(rules, { headers: ['Content-Type', type], body })
  assert.deepEqual(run('application/json', '{"a":["evil"]}').ids, [3])
  assert.deepEqual(run('text/xml', '<a>evil</a>').ids, [3])
  assert.deepEqual(run('text/xml', '<a b="evil"/>').ids, [3])
  assert.deepEqual(run('text/plain', '{"a":["evil"]}').ids, [])
  assert.match(run('application/json', '{').interruption?.message ?? '', /JSON parsing error/)
})

test('a rule with the prefilter matches what it matches without', () => {
  const text = `
    SecRule ARGS|ARGS_NAMES "@rx (?i)sel+ect|\\bun(?:ion|known)" "id:1,phase:1,pass,log,t:lowercase"
    SecRule ARGS "@pm one two" "id:2,phase:1,pass,log,chain"
      SecRule ARGS "@contains three" "t:none"
    SecRule ARGS "!@rx nothing" "id:3,phase:1,pass,log"
    SecRule ARGS "@streq one" "id:4,phase:1,pass,log,t:removeWhitespace,multiMatch"
    SecRule TX:a "@rx late" "id:5,phase:1,pass,log"
    SecAction "id:6,phase:1,pass,nolog,setvar:tx.a=late"
    SecRule TX:a "@rx late" "id:7,phase:1,pass,log"
  `
  const requests = [
    '/',
    '/?a=SELLLECT',
    '/?union',
    '/?a=o%20ne',
    '/?a=one&b=three',
    '/?a=two',
    '/?a=nothing&select=1',
  ]
  const results = [true, false].map((usePrefilter) => {
    const rules = rulesOf(text, { usePrefilter })
    return requests.map((uri) => inspect(rules, { uri }).ids)
  })
  assert.deepEqual(results[0], results[1])
  assert.ok(results[0]?.flat().length)
})

test('values and rules that come again and again match what they match the first time', () => {
  const text = `
    SecRule REQUEST_COOKIES "@rx evil" "id:1,phase:1,pass,log,t:urlDecode,t:lowercase"
    SecRule REQUEST_COOKIES "@rx evil" "id:2,phase:1,pass,log,t:urlDecode"
    SecRule ARGS:a "@streq one" "id:3,phase:1,pass,log,t:removeWhitespace,multiMatch"
    SecRule REQUEST_HEADERS:X-Skip "@streq yes" "id:4,phase:1,pass,nolog,skip:1"
    SecRule ARGS "@contains seldom" "id:5,phase:1,pass,log"
    SecRule REQUEST_COOKIES "!@rx evil" "id:6,phase:1,pass,log"
  `
  const requests = [
    { uri: '/?a=o%20ne', headers: ['Cookie', 'x=%45vil; y=good'] },
    { uri: '/?a=seldom', headers: ['Cookie', 'x=evil', 'X-Skip', 'yes'] },
    { uri: '/?a=seldom', headers: ['Cookie', 'x=evil'] },
    { uri: '/?a=ZXZpbA', headers: ['Cookie', 'y=ZXZpbGV2aWxldmlsZXZpbA=='] },
  ]
  const [plain, ...others] = [false, true].map((usePrefilter) => {
    const rules = rulesOf(text, { usePrefilter, readsEncodedValues: true })
    return Array.from({ length: 160 }, (_, round) => inspect(rules, requests[round % requests.length]).ids)
  })
  assert.deepEqual(others, [plain])
  assert.deepEqual(plain?.slice(0, 4), [
    [1, 1, 3, 6, 6, 6],
    [1, 2],
    [1, 2, 5],
    [1, 2, 6],
  ])
})

test('rules of every kind match what comes again as they match it the first time', () => {
  const text = `
    SecRule REQUEST_HEADERS:X-Body "@streq limited" "id:1,phase:1,pass,nolog,ctl:argumentsLimit=1"
    SecRule REQUEST_HEADERS:X-Body "@streq forced" "id:2,phase:1,pass,nolog,ctl:forceRequestBodyVariable=On"
    SecRule REQUEST_METHOD "!@rx ^(?:GET|POST)$" "id:3,phase:1,pass,log"
    SecRule REQUEST_HEADERS:User-Agent "@validateByteRange 32-126" "id:4,phase:1,pass,log"
    SecRule REQUEST_HEADERS|!REQUEST_HEADERS:X-Free "@rx [^\\x20-\\x7e]" "id:5,phase:1,pass,log,t:urlDecodeUni"
    SecRule &REQUEST_HEADERS:Host "@eq 0" "id:6,phase:1,pass,log"
    SecRule &ARGS_GET "@ge 2" "id:7,phase:1,pass,log"
    SecRule ARGS_GET "@contains second" "id:8,phase:1,pass,log"
    SecRule &REQUEST_HEADERS|!REQUEST_HEADERS:X-Free "@eq 2" "id:9,phase:2,pass,log"
    SecRule REQUEST_HEADERS:/^x-f/ "!@streq free" "id:10,phase:2,pass,log"
    SecRule ARGS:a|ARGS:/^b/ "@rx ^\\w{3}$" "id:11,phase:2,pass,log,t:lowercase,t:trim,multiMatch,capture,setvar:tx.three=%{tx.0}"
    SecRule REQUEST_HEADERS:X-Free "@streq %{tx.three}" "id:12,phase:2,pass,log"
    SecRule TX:three|TX:none "@streq one" "id:13,phase:2,pass,log"
    SecRule ARGS_NAMES "!@within a b" "id:14,phase:2,pass,log"
    SecRule REQUEST_BODY "@rx (?i)^<a>" "id:15,phase:2,pass,log"
  `
  const host = ['Host', 'localhost']
  const body = '<a>b</a>'
  const requests = [
    { uri: '/?a=one', headers: [...host, 'User-Agent', 'curl', 'X-Free', 'one'] },
    { uri: '/?a=ONE&b1=two', headers: [...host, 'user-agent', 'c\xfcrl', 'X-Free', 'caf%e9'] },
    { uri: '/?a=first&b=second', headers: [...host, 'x-body', 'limited', 'X-FREE', 'free'] },
    { uri: '/?a=first&b=second', headers: ['User-Agent', 'c%fcrl', 'x-other', 'caf%e9'] },
    { method: 'PUT', headers: [...host, 'Content-Type', 'text/xml', 'X-Body', 'forced'], body },
    { method: 'POST', headers: [...host, 'Content-Type', 'text/xml'], body },
  ]
  const told = [false, true].map((usePrefilter) => {
    const rules = rulesOf(text, { usePrefilter })
    return Array.from({ length: 300 }, (_, round) =>
      inspect(rules, requests[round % requests.length]).matches.map(
        ({ ruleId, targetName, targetValue }) => `${ruleId} ${targetName} ${targetValue}`,
      ),
    )
  })
  assert.deepEqual(told[1], told[0])
  const ids = new Set(told[0]?.flat().map((one) => Number.parseInt(one, 10)))
  assert.deepEqual(
    [...ids].sort((one, other) => one - other),
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  )
})

test('what a rule changes of the values of its own phase counts for the rules behind it, however often it does', () => {
  const rules = rulesOf(`
    SecRule REQUEST_HEADERS:X-Force "@streq yes" "id:1,phase:2,pass,nolog,ctl:forceRequestBodyVariable=On"
    SecRule REQUEST_BODY "@contains evil" "id:2,phase:2,pass,log"
  `)
  const request = { headers: ['Content-Type', 'text/xml', 'X-Force', 'yes'], body: '<a>evil</a>' }
  for (let round = 0; round < 50; round++) assert.deepEqual(inspect(rules, request).ids, [2])
})

test('a rule set tells how many rules it has and which can never match', () => {
  const rules = rulesOf('SecRule REMOTE_ADDR "@geoLookup" "id:1,phase:1,pass"\nSecAction "id:2,phase:1,pass"')
  assert.equal(rules.size, 2)
  assert.deepEqual(
    rules.inactiveRules.map(({ ruleId }) => ruleId),
    [1],
  )
})

test('a match tells everything that a log wants to know', () => {
  const rules = rulesOf(
    `SecRule ARGS "@rx (x)" "id:1,phase:2,deny,log,t:lowercase,msg:'Bad %{rule.id}',logdata:'%{MATCHED_VAR}',severity:'CRITICAL',tag:'a',tag:'b/%{REQUEST_METHOD}',ver:'v1',rev:2"`,
  )
  assert.deepEqual(inspect(rules, { uri: '/?q=X' }).matches, [
    {
      ruleId: 1,
      phase: 2,
      file: 'test.conf',
      line: 1,
      message: 'Bad 1',
      data: 'x',
      severity: 2,
      tags: ['a', 'b/GET'],
      version: 'v1',
      revision: '2',
      targetName: 'ARGS:q',
      targetValue: 'x',
      sourceValue: 'X',
      isLogged: true,
      isAuditLogged: true,
      isDisruptive: true,
    },
  ])
})

test('a value that a regular expression gives up is told in TX, also when it comes again', () => {
  const rules = rulesOf(`
    SecRule TX:/^MSC_/ "!@streq 0" "id:200005,phase:2,deny,status:403,msg:'%{MATCHED_VAR_NAME}'"
    SecRule ARGS_GET|REQUEST_HEADERS:X-Hard "@rx ^(?:x+x+)+y(?=z)" "id:1,phase:1,pass,log"
    SecRule ARGS_GET|REQUEST_HEADERS:X-Hard "!@rx ^(?:x+x+)+y(?=z)" "id:2,phase:1,pass,log"
  `)
  const hard = `${'x'.repeat(200)}y`
  for (const request of [{ uri: `/?a=${hard}` }, ...Array(3).fill({ headers: ['X-Hard', hard] })]) {
    const { interruption, ids, transaction } = inspect(rules, request)
    assert.deepEqual([interruption?.status, ids], [403, [2, 200005]])
    assert.equal(interruption?.message, 'TX:MSC_PCRE_LIMITS_EXCEEDED')
    assert.equal(transaction.tx('MSC_PCRE_LIMITS_EXCEEDED'), '1')
  }
  assert.deepEqual(inspect(rules, { uri: '/?a=xxyz' }).ids, [1])
  assert.deepEqual(inspect(rules, { uri: '/?a=other' }).ids, [2])
})

test('a value of TX that a regular expression gives up opens no rule, and is told as well', () => {
  const rules = rulesOf(`
    SecRule ARGS_GET:a "@rx ^(.*)$" "id:1,phase:1,pass,nolog,capture,setvar:tx.kept=%{TX.1}"
    SecRule TX:kept "@rx ^(?:x+x+)+y(?=z)" "id:2,phase:1,pass,log"
    SecRule TX:MSC_PCRE_LIMITS_EXCEEDED "@eq 1" "id:3,phase:1,pass,log"
  `)
  assert.deepEqual(inspect(rules, { uri: `/?a=${'x'.repeat(200)}y` }).ids, [3])
  assert.deepEqual(inspect(rules, { uri: '/?a=xxyz' }).ids, [2])
})
