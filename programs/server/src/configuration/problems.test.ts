import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { expectedBy, namesIn } from './expected.ts'
import { ConfigurationError, loadConfiguration } from './load.ts'
import { overridableMembers } from './overrides.ts'
import { ConfigurationSchema } from './schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'configuration-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'palisade.json')

/** A member of the configuration, or an item of a list in it. */
interface Member {
  /** ["email", "accounts", "0", "id"] */
  readonly path: readonly string[]
  readonly schema: TSchema
}

const members = membersOf(ConfigurationSchema, [])

function membersOf(schema: TSchema, path: readonly string[]): Member[] {
  if (Type.IsObject(schema)) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => withInner(inner, [...path, name]))
  }
  return Type.IsArray(schema) ? withInner(schema.items, [...path, '0']) : []
}

function withInner(schema: TSchema, path: readonly string[]): Member[] {
  return [{ path, schema }, ...membersOf(schema, path)]
}

/** Members of which an object has to have one, and no other: it has the first unless another one is put into it. */
const exclusive = ['webhook', 'email', 'syslog']

/** Something that the schema takes. */
function sample(schema: TSchema): unknown {
  if (Type.IsObject(schema)) {
    const needed = Object.entries(schema.properties).filter(
      ([name, inner]) => (!Type.IsOptional(inner) && !('default' in inner)) || name === exclusive[0],
    )
    return Object.fromEntries(needed.map(([name, inner]) => [name, sample(inner)]))
  }
  if ('default' in schema) return schema.default
  if (Type.IsArray(schema)) return 'minItems' in schema ? [sample(schema.items)] : []
  if ('examples' in schema && Array.isArray(schema.examples)) return schema.examples[0]
  const [name] = namesIn(schema) ?? []
  if (name !== undefined) return name
  if (Type.IsBoolean(schema)) return true
  return Type.IsInteger(schema) ? 1 : 'a-sample-text'
}

/** A channel that routes may name by the text that stands for any name. */
const channel = {
  name: 'a-sample-text',
  webhook: { url: 'https://hooks.example.org/', secret: 'a secret of the webhook' },
}

/** Whom listeners may have their certificates from. */
const authority = { directory: 'https://authority.example.org/directory' }

/** A configuration that is good but for what stands at the path. */
function documentWith(path: readonly string[], value: unknown): unknown {
  const document = holding(path, value, ConfigurationSchema)
  if (path[2] === 'routes') Object(document).administration.notifications.channels = [channel]
  if (path[1] === 'tls') Object(document).firewall = { ...Object(document).firewall, acme: authority }
  if (path[1] === 'advertiseAddress')
    Object(document).database = 'postgres://palisade@db.example.org/palisade'
  if (path[1] === 'openid') Object(document).administration.publicUrl = 'https://palisade.example.org'
  return document
}

function holding(path: readonly string[], value: unknown, schema: TSchema): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Type.IsArray(schema)) return [holding(rest, value, schema.items)]
  if (!Type.IsObject(schema)) throw new Error(`nothing can be at ${path}`)
  const inner = schema.properties[name]
  const whole = Object.entries(Object(sample(schema))).filter(
    ([member]) => !(exclusive.includes(name) && exclusive.includes(member)),
  )
  return { ...Object.fromEntries(whole), [name]: inner === undefined ? value : holding(rest, value, inner) }
}

/** The sentences by which a document is refused; none when it is not. */
function refusal(document: unknown): string[] {
  writeFileSync(file, JSON.stringify(document))
  try {
    loadConfiguration({ file, environment: {}, flags: {} })
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error))
    const [first, ...lines] = error.message.split('\n')
    assert.equal(first, `The configuration ${file} is not valid:`)
    return lines.map((line) => {
      assert.ok(line.startsWith(`${file}:1:`), line)
      return line.slice(file.length).replace(/^:1:\d+: /, '')
    })
  }
}

function onlySentence(path: readonly string[], value: unknown): string {
  const sentences = refusal(documentWith(path, value))
  assert.equal(sentences.length, 1, `${path.join('.')}: ${sentences}`)
  const [sentence = ''] = sentences
  assert.doesNotMatch(sentence, /schema|constant|pattern|additional|undefined|\[object/, sentence)
  return sentence
}

const secret = 's3cret-that-nobody-may-read'

/** Something that no member of this type takes, which stands for a secret in the wrong place. */
function ofAnotherType(schema: TSchema): unknown {
  return Type.IsObject(schema) || Type.IsArray(schema) ? secret : { [secret]: secret }
}

/** A value of the right type that is wrong; undefined where every value of the type will do. */
function wrongValue(schema: TSchema): unknown {
  const limits: { minimum?: number; minLength?: number; pattern?: string } = schema
  if (Type.IsUnion(schema) && namesIn(schema) === undefined) return schema.anyOf.map(wrongValue).find(Boolean)
  if (namesIn(schema) !== undefined) return 'none-of-them'
  if (Type.IsInteger(schema)) return limits.minimum === undefined ? 0.5 : limits.minimum - 1
  if (!Type.IsString(schema)) return undefined
  if (limits.pattern !== undefined) return '\u0007'
  return limits.minLength === undefined ? undefined : 'x'.repeat(limits.minLength - 1)
}

/** Members that are refused where another one is missing beside them, or is a default. */
const needOthers = [
  'administration.operators.0.grants.0.service',
  'administration.operators.0.grants.0.account',
  'administration.openid.0.grants.0.grants.0.service',
  'administration.openid.0.grants.0.grants.0.account',
  'backup.vault.s3.accessKeyId',
  'backup.vault.s3.secretAccessKey',
  'backup.vault.s3.sessionToken',
  'firewall.acme.eabKeyId',
  'firewall.acme.eabHmacKey',
  'firewall.acme.eabHmacKeyFile',
]

test('an address for other servers is refused where there is no database that they share', () => {
  assert.deepEqual(refusal({ backup: { advertiseAddress: 'https://10.0.0.2:8444' } }), [
    'backup.advertiseAddress is for servers that share a database: name a PostgreSQL as "database", or leave it out',
  ])
})

test('the documents of these tests are good but for what is put into them', () => {
  let ran = 0
  for (const { path, schema } of members) {
    const sentences = refusal(documentWith(path, sample(schema)))
    assert.equal(
      sentences.length,
      needOthers.includes(path.join('.')) ? 1 : 0,
      `${path.join('.')}: ${sentences}`,
    )
    ran++
  }
  assert.ok(ran > 80, `${ran} members`)
})

test('a value of a wrong type is refused with the name of the member and what it may be, and is not repeated', () => {
  let ran = 0
  for (const { path, schema } of members) {
    const sentence = onlySentence(path, ofAnotherType(schema))
    assert.equal(sentence, `${path.join('.')} must be ${expectedBy(schema)}`)
    ran++
  }
  assert.ok(ran > 80, `${ran} members`)
  assert.equal(ran, members.length)
})

test('a wrong value is refused with the name of the member and what it may be', () => {
  const anyOfType: string[] = []
  let ran = 0
  for (const { path, schema } of members) {
    const value = wrongValue(schema)
    if (value === undefined) {
      anyOfType.push(path.filter((name) => name !== '0').join('.'))
      continue
    }
    const sentence = onlySentence(path, value)
    const says = namesIn(schema) || Type.IsInteger(schema) ? `is ${JSON.stringify(value)}: it ` : ''
    assert.equal(sentence, `${path.join('.')} ${says}must be ${expectedBy(schema)}`)
    ran++
  }
  const texts = anyOfType.filter((name) => {
    const member = members.find(({ path }) => path.filter((one) => one !== '0').join('.') === name)
    return member && Type.IsString(member.schema)
  })
  assert.deepEqual(texts, [
    'backup.vault.s3.prefix', // an empty one is none; the rest is checked when the vault is opened
  ])
  assert.ok(ran > 50, `${ran} members`)
})

test('a misspelt member is refused, and the one that may be meant is named', () => {
  let ran = 0
  for (const { path } of members) {
    const name = path.at(-1) ?? ''
    if (name === '0') continue
    const misspelt = `${name.slice(0, -1)}${name.slice(-2)}`
    const above = path.slice(0, -1)
    const sentences = refusal(documentWith([...above, misspelt], secret))
    const where = above.length === 0 ? 'the configuration' : above.join('.')
    const sentence = `${misspelt} is no member of ${where}: did you mean ${name}?`
    assert.ok(sentences.includes(sentence), sentences.join('\n'))
    assert.ok(!sentences.join().includes(secret), name)
    ran++
  }
  assert.ok(ran > 70, `${ran} members`)
})

test('what nobody can have meant is answered by what there is', () => {
  assert.deepEqual(refusal({ log: { verbosity: 'debug' } }), [
    'verbosity is no member of log: there are level and format',
  ])
})

test('a member that is missing is named with what it may be', () => {
  let ran = 0
  for (const { path, schema } of members) {
    if (!Type.IsObject(schema)) continue
    for (const [name, inner] of Object.entries(schema.properties)) {
      if (Type.IsOptional(inner) || 'default' in inner) continue
      const whole = sample(schema) as Record<string, unknown>
      delete whole[name]
      assert.deepEqual(refusal(documentWith(path, whole)), [
        `${[...path, name].join('.')} is missing: it must be ${expectedBy(inner)}`,
      ])
      ran++
    }
  }
  assert.ok(ran > 15, `${ran} members`)
})

test('a wrong flag or variable is named where a file would be', () => {
  let ran = 0
  for (const { path, flag, variable } of overridableMembers) {
    const { schema } = members.find((member) => member.path.join() === path.join()) ?? {}
    const value = schema && wrongValue(schema)
    if (value === undefined) continue
    const text = String(value)
    const name = path.join('.')
    const start = (what: string) => new RegExp(`\\n${what}: ${name.replaceAll('.', '\\.')} .*must be `)
    assert.throws(() => loadConfiguration({ environment: {}, flags: { [flag]: text } }), start(`--${flag}`))
    assert.throws(() => loadConfiguration({ environment: { [variable]: text }, flags: {} }), start(variable))
    ran++
  }
  assert.ok(ran > 20, `${ran} members`)
})

test('a misspelt variable is refused, and the one that may be meant is named', () => {
  let ran = 0
  for (const { variable } of overridableMembers) {
    const misspelt = `${variable}X`
    assert.throws(() => loadConfiguration({ environment: { [misspelt]: secret }, flags: {} }), {
      message: `The configuration is not valid:\n${misspelt}: there is no such variable: did you mean ${variable}?`,
    })
    ran++
  }
  assert.equal(ran, overridableMembers.length)
})

test('a number, a yes or a null that YAML has read where a text is meant has to be quoted', () => {
  const id = ['email', 'accounts', '0', 'id']
  for (const value of [5584599, true, null]) {
    assert.match(
      onlySentence(id, value),
      /^email\.accounts\.0\.id must be a text, and not empty; put it into quotation marks$/,
    )
  }
})

test('a port that two members name is refused, and both members are named', () => {
  const listening = (firewall: object, services: object) => ({ firewall, services })
  const cases = [
    [
      listening({ listen: { http: 9000, https: 9000 } }, {}),
      'firewall.listen.https is 9000, which firewall.listen.http has already',
    ],
    [
      listening({ listen: { http: 8080 } }, {}),
      'services.listen.http is 8080, which firewall.listen.http has already',
    ],
    [
      listening({ listen: { host: '0.0.0.0' } }, { listen: { host: '192.0.2.1', https: 8443 } }),
      'services.listen.https is 8443, which firewall.listen.https has already',
    ],
    [
      listening({ proxyMetrics: { port: 8000 } }, {}),
      'firewall.proxyMetrics.port is 8000, which firewall.listen.http has already',
    ],
    [
      listening({ acme: { ...authority, challengeListener: { port: 8080 } } }, {}),
      'firewall.acme.challengeListener.port is 8080, which services.listen.http has already',
    ],
  ] as const
  let ran = 0
  for (const [document, sentence] of cases) {
    assert.deepEqual(refusal(document), [sentence])
    ran++
  }
  assert.equal(ran, cases.length)
  assert.deepEqual(
    refusal(listening({ listen: { http: 0, https: 0 } }, { listen: { http: 0, https: 0 } })),
    [],
  )
  assert.deepEqual(refusal(listening({ listen: { host: '127.0.0.2', http: 8080 } }, {})), [])
  assert.deepEqual(refusal(listening({ runProxy: false, proxyMetrics: { port: 8000 } }, {})), [])
})

test('a certificate that cannot be obtained for a listener is refused, and the member is named', () => {
  const tls = (...domains: readonly string[]) => ({ acme: { domains } })
  const services = { tls: tls('palisade.example.com') }
  assert.deepEqual(refusal({ firewall: { acme: authority }, services }), [])
  assert.deepEqual(refusal({ services }), [
    'services.tls.acme needs an authority: name its directory in firewall.acme.directory',
  ])
  const files = { certificateFile: '/a.pem', keyFile: '/a.key' }
  assert.ok(
    refusal({ firewall: { acme: authority, certificate: files, tls: services.tls } }).includes(
      'firewall.tls.acme says the same as firewall.certificate: expected was one of the two',
    ),
  )
  const wildcard = { tls: tls('a.example.com', '*.example.com') }
  const sentence =
    'services.tls.acme.domains.1 stands for many hosts, which is proven by DNS alone: name a program in firewall.acme.dnsHook, and dns-01 in firewall.acme.challenges'
  assert.deepEqual(refusal({ firewall: { acme: authority }, services: wildcard }), [sentence])
  const acme = { ...authority, dnsHook: '/etc/hook' }
  assert.deepEqual(refusal({ firewall: { acme }, services: wildcard }), [])
  assert.deepEqual(
    refusal({ firewall: { acme: { ...acme, challenges: ['http-01'] } }, services: wildcard }),
    [sentence],
  )
  for (const wrong of ['localhost', '192.0.2.1', 'a.*.example', 'https://a.example', '-a.example', '']) {
    assert.deepEqual(refusal({ firewall: { acme: authority }, services: { tls: tls(wrong) } }), [
      'services.tls.acme.domains.0 must be a host name such as palisade.example.com, or *.example.com',
    ])
  }
})

test('a trusted proxy that is no address and no network is refused', () => {
  const problemsWith = (trustedProxies: readonly string[]) => refusal({ services: { trustedProxies } })
  assert.deepEqual(problemsWith(['192.0.2.1', '192.0.2.0/24', '2001:db8::/32', 'loopback']), [])
  let ran = 0
  for (const wrong of ['proxy.example.org', '192.0.2', '192.0.2.0/33', '::1/129', '192.0.2.1:80', '*']) {
    assert.deepEqual(problemsWith(['127.0.0.1', wrong]), [
      'services.trustedProxies.1 must be an address such as 192.0.2.1, a network such as 192.0.2.0/24, or one of loopback, linklocal, uniquelocal',
    ])
    ran++
  }
  assert.equal(ran, 6)
})
