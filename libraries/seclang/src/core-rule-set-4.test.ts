import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLibinjection } from './libinjection/libinjection.ts'
import { enableLinearRegExpEngine, hasLinearRegExpEngine } from './matching/linear-engine.ts'
import { loadRuleSet } from './rule-set.ts'
import { caseRequest } from './testing/case-request.ts'
import { bareSettings } from './testing/core-rule-set.ts'
import { inspect, rulesOf, type TestRequest } from './testing/inspect.ts'
import { casesFolder, hasRegressionCases, readRegressionCases } from './testing/regression-case.ts'
import { runRequest } from './testing/run-case.ts'

// What rules are written with since version 4 of the Core Rule Set, in rules of our own: version 3, which the other tests run,
// has none of it, and Debian has no package of version 4.

/** The identifiers of the rules that match, with the prefilter and without, which must be the same. */
function idsOf(text: string, request: TestRequest): readonly number[] {
  const [filtered, plain] = [true, false].map(
    (usePrefilter) => inspect(rulesOf(text, { usePrefilter }), request).ids,
  )
  assert.deepEqual(filtered, plain)
  return filtered ?? []
}

const scoring = (early: 0 | 1) => `
SecComponentSignature "RULES/4.99.0"
SecRule &TX:blocking_paranoia_level "@eq 0" "id:100,phase:1,pass,nolog,tag:'RULES',ver:'RULES/4.99.0',setvar:'tx.blocking_paranoia_level=1'"
SecRule &TX:detection_paranoia_level "@eq 0" "id:101,phase:1,pass,nolog,ver:'RULES/4.99.0-dev',setvar:'tx.detection_paranoia_level=%{TX.blocking_paranoia_level}'"
SecAction "id:102,phase:1,pass,t:none,nolog,setvar:'tx.early_blocking=${early}',setvar:'tx.limit=5',setvar:'tx.score_pl1=0',setvar:'tx.blocking_score=0'"
SecRule TX:DETECTION_PARANOIA_LEVEL "@lt 1" "id:110,phase:1,pass,nolog,skipAfter:END-OF-FILE"
SecRule TX:DETECTION_PARANOIA_LEVEL "@lt 1" "id:111,phase:2,pass,nolog,skipAfter:END-OF-FILE"
SecRule REQUEST_HEADERS:User-Agent "@rx (?i)scanner" "id:120,phase:1,block,capture,log,t:none,tag:'paranoia-level/1',severity:'CRITICAL',setvar:'tx.score_pl1=+5'"
SecRule TX:DETECTION_PARANOIA_LEVEL "@lt 2" "id:112,phase:1,pass,nolog,skipAfter:END-OF-FILE"
SecRule TX:DETECTION_PARANOIA_LEVEL "@lt 2" "id:113,phase:2,pass,nolog,skipAfter:END-OF-FILE"
SecRule REQUEST_URI "@rx ." "id:121,phase:1,block,log,setvar:'tx.score_pl1=+5'"
SecMarker "END-OF-FILE"
SecRule TX:BLOCKING_PARANOIA_LEVEL "@ge 1" "id:130,phase:1,pass,t:none,nolog,setvar:'tx.blocking_score=+%{tx.score_pl1}'"
SecAction "id:131,phase:2,pass,t:none,nolog,setvar:'tx.blocking_score=0'"
SecRule TX:BLOCKING_PARANOIA_LEVEL "@ge 1" "id:132,phase:2,pass,t:none,nolog,setvar:'tx.blocking_score=+%{tx.score_pl1}'"
SecRule TX:BLOCKING_SCORE "@ge %{tx.limit}" "id:140,phase:1,deny,log,t:none,msg:'score %{TX.BLOCKING_SCORE}',chain"
  SecRule TX:EARLY_BLOCKING "@eq 1"
SecRule TX:BLOCKING_SCORE "@ge %{tx.limit}" "id:141,phase:2,deny,log,t:none,msg:'score %{TX.BLOCKING_SCORE}'"
`

test('a score that is reached in the headers blocks there where early blocking is on, and behind the body otherwise', () => {
  const scanner = { headers: ['Host', 'a', 'User-Agent', 'a Scanner'] }
  assert.deepEqual(idsOf(scoring(1), scanner), [120, 140])
  assert.deepEqual(idsOf(scoring(0), scanner), [120, 141])
  assert.deepEqual(idsOf(scoring(1), {}), [])
  const { interruption } = inspect(rulesOf(scoring(1)), scanner)
  assert.deepEqual([interruption?.phase, interruption?.message], [1, 'score 5'])
})

test('rules that are taken out by tag, wholly or for one target, are those that have it', () => {
  const rules = `
SecRule REQUEST_FILENAME "@endsWith /editor" "id:1,phase:1,pass,nolog,ctl:ruleRemoveTargetByTag=attack-xss;ARGS:html,ctl:ruleRemoveByTag=attack-rce"
SecRule ARGS "@rx <script" "id:2,phase:2,pass,log,tag:'attack-xss',tag:'OWASP_CRS/ATTACK-XSS'"
SecRule ARGS "@rx <script" "id:3,phase:2,pass,log,tag:'attack-rce'"
SecRule ARGS "@rx <script" "id:4,phase:2,pass,log,tag:'OWASP_CRS',ver:'OWASP_CRS/4.99.0'"
`
  assert.deepEqual(idsOf(rules, { uri: '/editor?html=<script' }), [4])
  assert.deepEqual(idsOf(rules, { uri: '/editor?title=<script' }), [2, 4])
  assert.deepEqual(idsOf(rules, { uri: '/other?html=<script' }), [2, 3, 4])
})

test('variables of TX may begin with digits, be written with a name in capitals, and be made of what a client sent', () => {
  const rules = `
SecAction "id:1,phase:1,pass,nolog,setvar:'tx.allowed=|utf-8| |latin-1|',setvar:'TX.Seen=%{REQUEST_HEADERS.User-Agent}'"
SecRule &ARGS:_charset_ "!@eq 0" "id:2,phase:2,pass,log,t:none,setvar:'tx.922100_charset=|%{ARGS._charset_}|',chain"
  SecRule TX:922100_CHARSET "!@within %{tx.allowed}" "t:lowercase"
SecRule &TX:ENABLED "@eq 0" "id:3,phase:2,pass,log,setvar:'tx.ua_hash=%{TX.seen}',chain"
  SecRule TX:seen "@rx ." "chain"
  SecRule TX:ua_hash "@unconditionalMatch" "t:none,t:sha1,t:hexEncode,initcol:global=global,initcol:ip=%{remote_addr}_%{MATCHED_VAR}"
`
  const headers = ['Host', 'a', 'User-Agent', 'b']
  assert.deepEqual(idsOf(rules, { uri: '/?_charset_=UTF-8', headers }), [3])
  assert.deepEqual(idsOf(rules, { uri: '/?_charset_=utf-7', headers }), [2, 3])
  const [match] = inspect(rulesOf(rules), { headers }).matches
  assert.equal(match?.targetValue, 'e9d71f5ee7c92d6dc9e92ffdad17b8bd49418f98')
})

test('patterns look behind, are read without case from some point on, name bytes by number and hold long alternations', () => {
  const words = Array.from({ length: 2_000 }, (_, number) => `w${number.toString(36)}x`).join('|')
  const rules = `
SecRule ARGS "@rx (?<!un)safe(?<=afe)\\b" "id:1,phase:2,pass,log"
SecRule ARGS "@rx a(?i)b(?:c|\\x{e2}\\x80)" "id:2,phase:2,pass,log"
SecRule ARGS "@rx (?:${words})\\(" "id:3,phase:2,pass,log"
SecRule ARGS "@rx \\{%[^%}]*%}|[^!\\"\\(\\),/:-\\?\\[-\\]\\{\\}]+;" "id:4,phase:2,pass,log"
SecRule ARGS "@rx x[\\s\\x0b]*+\\[[\\"'\`]y" "id:5,phase:2,pass,log,multiMatch,t:none,t:jsDecode,t:base64Decode,t:urlDecodeUni"
`
  const ids = (value: string) => idsOf(rules, { uri: `/?a=${encodeURIComponent(value)}` })
  assert.deepEqual([ids('safe'), ids('unsafe'), ids('safer')], [[1], [], []])
  assert.deepEqual([ids('aBC'), ids('ABC')], [[2], []])
  assert.deepEqual(idsOf(rules, { uri: '/?a=aB%E2%80' }), [2])
  assert.deepEqual([ids('call w1jjx('), ids('call w1jkx(')], [[3], []])
  assert.deepEqual([ids('{% if %}'), ids('plain;')], [[4], [4]])
  assert.deepEqual([ids('x ["y'), ids(Buffer.from('x["y').toString('base64'))], [[5], [5]])
})

test('one rule may speak of a part of a form, of its headers and of how many there are', () => {
  const rules = `
SecRule &MULTIPART_PART_HEADERS:_charset_ "!@eq 0" "id:1,phase:2,pass,log"
SecRule &MULTIPART_PART_HEADERS "@gt 0" "id:2,phase:2,pass,nolog,setvar:'tx.counter=0'"
SecRule MULTIPART_PART_HEADERS "@rx ^content-type\\s*:\\s*(.*)$" "id:3,phase:2,pass,capture,t:none,t:lowercase,nolog,setvar:'tx.types_%{tx.counter}=%{tx.1}',setvar:'tx.counter=+1'"
SecRule TX:/TYPES_*/ "!@rx ^text/" "id:4,phase:2,pass,log"
`
  const part = (name: string, type: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\nx\r\n`
  const form = (...parts: readonly string[]) => ({
    method: 'POST',
    headers: ['Host', 'a', 'Content-Type', 'multipart/form-data; boundary=b'],
    body: `${parts.join('')}--b--\r\n`,
  })
  assert.deepEqual(idsOf(rules, form(part('a', 'text/plain'))), [])
  assert.deepEqual(idsOf(rules, form(part('a', 'Text/Plain'), part('_charset_', 'image/png'))), [1, 4])
})

test('files of plugins are read in the order of their names', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
  try {
    for (const [name, id] of [
      ['b-before.conf', 2],
      ['a-before.conf', 1],
      ['B-before.conf', 3],
    ] as const) {
      writeFileSync(
        join(folder, name),
        `SecAction "id:${id},phase:1,pass,log,setvar:'tx.order=%{tx.order}${id}',msg:'%{tx.order}'"\n`,
      )
    }
    const rules = loadRuleSet({
      sources: [{ name: 'plugins', text: `SecRuleEngine On\nInclude ${folder}/*-before.conf` }],
    })
    assert.equal(inspect(rules).transaction.tx('order'), '312')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** The folder of a release of version 4 that somebody has unpacked, with `rules` and `crs-setup.conf.example` in it. */
const release = process.env.PALISADE_CORE_RULE_SET_4

test('a release of version 4 finds the same with the prefilter and without, with the linear engine and without', {
  skip: release === undefined ? 'PALISADE_CORE_RULE_SET_4 names no release' : !hasRegressionCases(),
}, (context) => {
  const load = (usePrefilter: boolean) =>
    loadRuleSet({
      sources: [
        { name: 'settings', text: bareSettings },
        { file: `${release}/crs-setup.conf.example` },
        {
          name: 'settings of the test',
          text: 'SecAction "id:900005,phase:1,nolog,pass,setvar:tx.blocking_paranoia_level=4,setvar:tx.detection_paranoia_level=4"',
        },
        { name: 'rules', text: `Include ${release}/rules/*.conf` },
      ],
      usePrefilter,
      injections: openLibinjection(),
    })
  assert.equal(hasLinearRegExpEngine(), false)
  const counted = load(true)
  enableLinearRegExpEngine()
  const [filtered, plain] = [load(true), load(false)]
  let matches = 0
  for (const { title, stages } of readRegressionCases(casesFolder)) {
    for (const { input } of stages) {
      const request = caseRequest(input)
      const expected: readonly number[] = runRequest(request, plain).ruleIds
      assert.deepEqual(runRequest(request, filtered).ruleIds, expected, title)
      assert.deepEqual(runRequest(request, counted).ruleIds, expected, title)
      matches += expected.length
    }
  }
  context.diagnostic(`${plain.size} rules, ${matches} matches`)
  assert.ok(plain.size > 100 && matches > 1_000)
})
