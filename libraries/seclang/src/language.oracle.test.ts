import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRuleSet } from './rule-set.ts'
import { Apache, type ApacheMatch, hasApache } from './testing/apache.ts'
import { type OracleRequest, oracleRequests } from './testing/oracle-requests.ts'
import { matchesOf } from './testing/run-case.ts'

const show = (id: number, phase: number, variables: string) =>
  `SecRule ${variables} "@unconditionalMatch" "id:${id},phase:${phase},pass,log,msg:'%{MATCHED_VAR_NAME}',logdata:'%{MATCHED_VAR}'"`

/** Rules that tell what variables hold, and rules that use what the language has. */
const rules = `
SecRuleEngine DetectionOnly
SecRequestBodyAccess On
SecRequestBodyJsonDepthLimit 5
SecRule REQUEST_HEADERS:Content-Type "^(?:application(?:/soap\\+|/)|text/)xml" \\
  "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "^application/json" \\
  "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
${show(1, 1, 'REQUEST_URI_RAW|REQUEST_LINE|QUERY_STRING|REQUEST_COOKIES|REQUEST_COOKIES_NAMES')}
${show(2, 1, 'REQUEST_HEADERS_NAMES|REQUEST_METHOD|REQUEST_PROTOCOL|SERVER_NAME|&ARGS|&REQUEST_COOKIES:a|ARGS_GET|ARGS_GET_NAMES')}
${show(3, 2, 'ARGS|ARGS_NAMES|ARGS_COMBINED_SIZE|FILES|FILES_NAMES|FILES_SIZES|FILES_COMBINED_SIZE|MULTIPART_PART_HEADERS|XML:/*|REQUEST_BODY')}
${show(4, 2, 'REQBODY_ERROR|REQBODY_PROCESSOR|REQBODY_PROCESSOR_ERROR|URLENCODED_ERROR|INBOUND_DATA_ERROR')}
${show(5, 2, 'MULTIPART_STRICT_ERROR|MULTIPART_UNMATCHED_BOUNDARY|MULTIPART_BOUNDARY_QUOTED|MULTIPART_BOUNDARY_WHITESPACE|MULTIPART_DATA_BEFORE')}
${show(6, 2, 'MULTIPART_DATA_AFTER|MULTIPART_HEADER_FOLDING|MULTIPART_LF_LINE|MULTIPART_CRLF_LF_LINES|MULTIPART_MISSING_SEMICOLON')}
${show(7, 2, 'MULTIPART_INVALID_QUOTING|MULTIPART_INVALID_HEADER_FOLDING')}
${show(8, 2, 'REQUEST_FILENAME|REQUEST_BASENAME')}
SecRule ARGS:/^a/|!ARGS:ab "@rx ^(.)(.)?" "id:10,phase:2,pass,log,capture,chain,\\
  msg:'%{MATCHED_VAR_NAME} %{TX.0} %{TX.1} %{TX.2}',setvar:tx.n=+2,setvar:'tx.list=%{tx.list},%{matched_var}',logdata:'%{tx.n} %{tx.list}'"
  SecRule ARGS "@rx b" "setvar:tx.c=-1"
${show(11, 2, 'TX:n|TX:c|&TX:zz|TX:/^l/|MATCHED_VARS|HIGHEST_SEVERITY')}
SecRule ARGS "@rx b" "id:12,phase:2,pass,log,severity:'CRITICAL',t:lowercase,t:removeNulls,multiMatch,\\
  msg:'%{MATCHED_VAR_NAME}',logdata:'%{MATCHED_VAR} %{tx.nothing}|%{HIGHEST_SEVERITY}|%{request_headers.host}'"
SecRule ARGS:skip "@rx 1" "id:20,phase:2,pass,nolog,skip:1"
SecAction "id:21,phase:2,pass,log,msg:'not skipped'"
SecRule ARGS:skip "@rx 2" "id:22,phase:2,pass,nolog,skipAfter:LATER"
SecAction "id:23,phase:2,pass,log,msg:'not skipped after'"
SecMarker LATER
SecRule ARGS:ctl "@rx 1" "id:24,phase:2,pass,nolog,ctl:ruleRemoveTargetById=25;ARGS:b,ctl:ruleRemoveById=26"
${show(25, 2, 'ARGS')}
SecAction "id:26,phase:2,pass,log,msg:'not removed'"
SecRule ARGS "!@rx b" "id:27,phase:2,pass,log,msg:'%{MATCHED_VAR_NAME}'"
SecRule ARGS|REQUEST_HEADERS:Host "@rx ^[bl]" "id:31,phase:2,pass,log,chain,msg:'%{MATCHED_VAR_NAME}',logdata:'%{MATCHED_VAR}'"
  SecRule MATCHED_VARS "@rx b|o"
SecRule ARGS "@rx b" "id:32,phase:2,pass,log,chain,msg:'%{MATCHED_VAR_NAME}',logdata:'%{MATCHED_VAR}'"
  SecRule MATCHED_VARS_NAMES "@rx a"
SecRule ARGS:skip "@rx 3" "id:28,phase:2,pass,nolog,skipAfter:NOWHERE"
SecAction "id:29,phase:2,pass,log,msg:'end of the phase'"
SecAction "id:30,phase:5,pass,log,msg:'another phase'"
`

test('variables, bodies and actions are what Apache with ModSecurity 2 makes of them', {
  skip: !hasApache() && 'Apache with mod_security2 (libapache2-mod-security2) is not installed',
}, async (context) => {
  const apache = new Apache(rules)
  context.after(() => apache.stop())
  await apache.start()
  const requests = oracleRequests()
  const answers = await apache.answers(requests.map(({ bytes }) => bytes))
  const ruleSet = loadRuleSet({ sources: [{ name: 'rules', text: rules }] })
  const different: string[] = []
  let compared = 0
  requests.forEach((request, number) => {
    const theirs = answers[number]
    // Apache answers a body that ends too early with 500, and what it cannot read with 400, before phase 2.
    if (theirs === undefined || theirs.status !== 200) return
    compared++
    const difference = compare(linesOf(request, ruleSet), theirs.matches.map(lineOf))
    if ((difference === '') === (request.differs !== undefined))
      different.push(`${request.title}: ${difference || 'no difference any more'}`)
  })
  context.diagnostic(`${compared} of ${requests.length} requests compared`)
  assert.ok(compared > requests.length * 0.8)
  assert.deepEqual(different, [])
})

function linesOf({ bytes }: OracleRequest, ruleSet: ReturnType<typeof loadRuleSet>): readonly string[] {
  return matchesOf(bytes, ruleSet).map(lineOf)
}

function lineOf({ ruleId, message, data }: Pick<ApacheMatch, 'ruleId' | 'message' | 'data'>): string {
  // Apache cuts long values off.
  return `${ruleId} ${message} ${data.slice(0, 100)}`
}

/** Lines that only one of the two has; their order is that of hash tables in Apache. */
function compare(ours: readonly string[], theirs: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const line of ours) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (const line of theirs) counts.set(line, (counts.get(line) ?? 0) - 1)
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([line, count]) => `${count > 0 ? 'ours' : 'theirs'} ${line}`)
    .join('; ')
}
