import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type {
  SnapshotJsonProfile,
  SnapshotPolicy,
  SnapshotService,
  SnapshotWebSocketPolicy,
} from '@palisade/proxy-protocol'
import { MemoryRoom, messagesBytesMax } from '../../rate-control/memory-room.ts'
import { type Carried, carried } from '../../testing/carried.ts'
import { allAttackTypes, noAttackTypes, testChecks, testPolicy } from '../../testing/policies.ts'
import { ruleSetsOf } from '../../testing/rules.ts'
import { switchingProtocols, webSocketRequest } from '../../testing/web-socket.ts'

const rules = ruleSetsOf(`
  SecRule REQUEST_HEADERS:Content-Type "@beginsWith application/json" "id:1,phase:1,pass,nolog,ctl:requestBodyProcessor=JSON"
  SecRule ARGS "@rx union\\s+select" "id:942100,phase:2,deny,status:403,log,t:lowercase,severity:CRITICAL,tag:attack-sqli,msg:'SQL'"
`)

function policy(more: Partial<SnapshotWebSocketPolicy> = {}): SnapshotWebSocketPolicy {
  return {
    name: 'chat',
    host: '*',
    url: '/chat*',
    extendedMatch: '*',
    sequence: 0,
    isPassive: false,
    origins: [],
    framesMax: 0,
    frameBytesMax: 0,
    payload: 'any',
    ...more,
  }
}

const messages = { checksJson: false, isJson: false }

/** A frame as clients send them, unless a test says otherwise. */
function frame(
  payload: string | Buffer,
  {
    opcode = 1,
    isFinal = true,
    isMasked = true,
    first = (isFinal ? 0x80 : 0) | opcode,
    length = 'short',
  }: {
    opcode?: number
    isFinal?: boolean
    isMasked?: boolean
    first?: number
    length?: 'short' | 'padded'
  } = {},
): Buffer {
  const bytes = Buffer.from(payload)
  const mask = Buffer.from([1, 2, 3, 4])
  const masked = isMasked ? bytes.map((byte, index) => byte ^ (mask[index & 3] ?? 0)) : bytes
  const maskBit = isMasked ? 0x80 : 0
  const size =
    bytes.length > 65_535
      ? Buffer.from([maskBit | 127, 0, 0, 0, 0, ...uint32(bytes.length)])
      : bytes.length > 125 || length === 'padded'
        ? Buffer.from([maskBit | 126, bytes.length >> 8, bytes.length & 0xff])
        : Buffer.from([maskBit | bytes.length])
  return Buffer.concat([Buffer.from([first]), size, isMasked ? mask : Buffer.alloc(0), masked])
}

function uint32(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
}

/** The end that a client is told for what its policy forbids. */
const refusal = Buffer.from([0x88, 2, 1008 >> 8, 1008 & 0xff])

interface Opened extends Carried {
  readonly client: Socket
  /** What the application has got, and what the client has got behind the head of its answer. */
  readonly got: { server: Buffer; client: Buffer }
  /** The head of the answer to the client, and what the application was asked. */
  head: string
  asked: Readonly<Record<string, string | string[] | undefined>>
  /** The application's side. */
  readonly server: () => Socket | undefined
}

/** A WebSocket through a service that blocks, to an application that says nothing by itself. */
async function opened(
  t: TestContext,
  webSocketPolicies: readonly SnapshotWebSocketPolicy[],
  more: {
    service?: Partial<SnapshotService>
    policy?: SnapshotPolicy
    request?: string
    jsonProfiles?: readonly SnapshotJsonProfile[]
  } = {},
): Promise<Opened> {
  let side: Socket | undefined
  const got: Opened['got'] = { server: Buffer.alloc(0), client: Buffer.alloc(0) }
  const opening = { asked: {} as Opened['asked'] }
  const service = await carried(t, {
    application: (request) => {
      side = request.socket
      opening.asked = request.headers
      side.on('data', (bytes) => {
        got.server = Buffer.concat([got.server, bytes])
      })
      side.write(switchingProtocols(request))
    },
    rules,
    policy: more.policy ?? testPolicy(),
    service: {
      allowsWebSockets: true,
      inspection: { mode: 'active' },
      checks: testChecks({
        webSocketPolicies,
        ...(more.jsonProfiles ? { jsonProfiles: more.jsonProfiles } : {}),
      }),
      ...more.service,
    },
  })
  const client = connect(service.port, '127.0.0.1')
  t.after(() => client.destroy())
  client.on('error', () => undefined)
  client.write(more.request ?? webSocketRequest, 'latin1')
  const [first] = (await once(client, 'data')) as [Buffer]
  const end = first.indexOf('\r\n\r\n') + 4
  got.client = first.subarray(end)
  client.on('data', (bytes) => {
    got.client = Buffer.concat([got.client, bytes])
  })
  return {
    ...service,
    client,
    got,
    head: first.toString('latin1', 0, end),
    asked: opening.asked,
    server: () => side,
  }
}

async function until(what: string, isTrue: () => boolean): Promise<void> {
  for (let turns = 0; !isTrue(); turns++) {
    assert.ok(turns < 3_000, `waited in vain for ${what}`)
    await pause(1)
  }
}

/** Sends these bytes and waits until the client was told that it is refused. @returns the attacks that were found */
async function refusedFor(socket: Opened, bytes: Buffer): Promise<string[]> {
  socket.client.write(bytes)
  await until('the refusal', () => socket.got.client.includes(refusal))
  return attacksOf(socket)
}

function attacksOf({ found }: Opened): string[] {
  return found.flatMap(({ violations, transaction }) => [
    ...violations.map(({ attack }) => attack),
    ...(transaction?.matches ?? []).map(({ ruleId }) => String(ruleId)),
  ])
}

async function passes({ client, got }: Opened, bytes: Buffer): Promise<void> {
  const before = got.server.length
  client.write(bytes)
  await until('the bytes at the server', () => got.server.length >= before + bytes.length)
  assert.deepEqual(got.server.subarray(before), bytes)
}

const attack = 'x union select y'

test('ordinary messages of a watched WebSocket pass as they came, in both directions', async (t) => {
  const socket = await opened(t, [policy({ messages, framesMax: 8, frameBytesMax: 100_000 })])
  await passes(socket, frame('hello'))
  await passes(socket, frame('{"a": [1, "two"]}'))
  await passes(socket, frame('é'.repeat(5_000)))
  await passes(socket, frame(Buffer.from([0, 1, 2, 255]), { opcode: 2 }))
  await passes(socket, frame(''))
  await passes(
    socket,
    Buffer.concat([
      frame('half ', { isFinal: false }),
      frame('of it', { opcode: 0, isFinal: true }),
      frame('next'),
    ]),
  )
  socket.server()?.write(frame(attack, { isMasked: false }))
  await until('the message at the client', () => socket.got.client.includes(attack))
  assert.deepEqual(socket.found, [])
  const ended = once(socket.client, 'close')
  socket.client.write(frame(Buffer.from([3, 232]), { opcode: 8 }))
  socket.server()?.end(frame(Buffer.from([3, 232]), { opcode: 8, isMasked: false }))
  socket.client.end()
  await ended
  assert.deepEqual(socket.got.client.subarray(-4), Buffer.from([0x88, 2, 3, 232]))
})

test('frames of every length pass as they came however they are cut', async (t) => {
  const socket = await opened(t, [policy({ messages })])
  const all = Buffer.concat([
    frame('short'),
    frame('m'.repeat(300)),
    frame('', { opcode: 9 }),
    frame('l'.repeat(70_000)),
  ])
  for (const size of [1, 7, 4_096]) {
    const before = socket.got.server.length
    for (let at = 0; at < all.length; at += size) {
      socket.client.write(all.subarray(at, at + size))
      if (size < all.length / 100 && at < 500) await pause(0)
    }
    await until('all frames', () => socket.got.server.length >= before + all.length)
    assert.deepEqual(socket.got.server.subarray(before), all, `pieces of ${size}`)
  }
})

test('when messages take too much memory, whoever has been sending one for longest gives way', () => {
  const room = new MemoryRoom(messagesBytesMax)
  const gone: string[] = []
  const message = (name: string) => ({ giveWay: () => gone.push(name) })
  const [first, second, third] = [message('first'), message('second'), message('third')]
  const megabytes = (count: number) => count * 1024 * 1024
  room.hold(first, megabytes(1))
  room.hold(second, megabytes(20))
  room.hold(first, megabytes(12))
  assert.deepEqual(gone, [])
  room.hold(third, megabytes(1))
  assert.deepEqual(gone, ['first'])
  room.release(second)
  room.hold(third, megabytes(31))
  assert.deepEqual(gone, ['first'])
})

test('an attack in a message ends the WebSocket however the message is cut, and never reaches the server', async (t) => {
  const pieces = (text: string, isText = true) =>
    Buffer.concat([
      frame(text.slice(0, 5), { opcode: isText ? 1 : 2, isFinal: false }),
      frame('ping', { opcode: 9 }),
      frame('', { opcode: 0, isFinal: false }),
      frame(text.slice(5), { opcode: 0 }),
    ])
  const refused: Readonly<Record<string, Buffer>> = {
    'as text': frame(attack),
    'in capitals': frame(attack.toUpperCase()),
    'in JSON': frame(`{"a": ["b", "${attack}"]}`),
    'in escapes of JSON': frame(`{"a": "x \\u0075nion select y"}`),
    'as a string of JSON': frame(JSON.stringify(attack)),
    'in a document with a fault': frame(`{"a": "${attack}",}`),
    'as bytes': frame(attack, { opcode: 2 }),
    'as bytes with one that is no character': frame(
      Buffer.concat([Buffer.from(`{"a": "${attack}`), Buffer.from([0xff, 0x22, 0x7d])]),
      { opcode: 2 },
    ),
    'in fragments with a ping between': pieces(attack),
    'in fragments of bytes': pieces(attack, false),
    'behind an ordinary one in one piece': Buffer.concat([frame('hello'), frame(attack)]),
  }
  let ran = 0
  for (const [what, bytes] of Object.entries(refused)) {
    const socket = await opened(t, [policy({ messages })])
    assert.ok((await refusedFor(socket, bytes)).includes('942100'), what)
    await until('the end of the connection', () => socket.client.readableEnded)
    assert.ok(!socket.got.server.toString('latin1').includes('union'), what)
    ran++
  }
  assert.equal(ran, 11)
  const bytewise = await opened(t, [policy({ messages })])
  for (const byte of pieces(attack)) {
    bytewise.client.write(Buffer.from([byte]))
    await pause(0)
  }
  await until('the refusal', () => bytewise.got.client.includes(refusal))
  // The server is told as well, masked, behind the ping.
  await until('the end at the server', () =>
    bytewise.got.server.subarray(-8, -6).equals(Buffer.from([0x88, 0x82])),
  )
})

test('what comes in the same piece as the request for the WebSocket is looked at', async (t) => {
  const socket = await opened(t, [policy({ messages })], {
    request: webSocketRequest + frame(attack).toString('latin1'),
  })
  await until('the refusal', () => socket.got.client.includes(refusal))
  assert.ok(attacksOf(socket).includes('942100'))
})

test('no extension is agreed on where messages are looked at, and all are elsewhere', async (t) => {
  const offer = 'Sec-WebSocket-Extensions: permessage-deflate\r\nsec-websocket-extensions: x\r\n'
  const request = webSocketRequest.replace('\r\n\r\n', `\r\n${offer}\r\n`)
  const watched = await opened(t, [policy()], { request })
  assert.equal(watched.asked['sec-websocket-extensions'], undefined)
  assert.deepEqual(await refusedFor(watched, frame('compressed', { first: 0xc1 })), [
    'websocket-protocol-violation',
  ])
  const other = await opened(t, [policy({ url: '/else' })], { request })
  assert.equal(other.asked['sec-websocket-extensions'], 'permessage-deflate, x')
  await passes(other, frame(attack, { first: 0xc1 }))
})

test('frames that are none, and more or larger ones than the policy has it, end the WebSocket', async (t) => {
  const large = Buffer.alloc(70_000, 'a')
  const refused: readonly (readonly [what: string, bytes: Buffer, more: Partial<SnapshotWebSocketPolicy>])[] =
    [
      ['not masked', frame('a', { isMasked: false }), {}],
      ['an unknown opcode', frame('a', { opcode: 3 }), {}],
      ['an unknown control opcode', frame('a', { opcode: 11 }), {}],
      ['a long ping', frame('a'.repeat(126), { opcode: 9 }), {}],
      ['a ping in pieces', frame('a', { opcode: 9, isFinal: false }), {}],
      ['a continuation of nothing', frame('a', { opcode: 0 }), {}],
      ['a message within another', Buffer.concat([frame('a', { isFinal: false }), frame('b')]), {}],
      ['a padded length', frame('a', { length: 'padded' }), {}],
      ['no UTF-8', frame(Buffer.from([0xc0, 0x80])), { messages }],
      ['too large a frame', frame(large), { frameBytesMax: 69_999 }],
      ['too large a length', Buffer.concat([Buffer.from([0x81, 0xff]), Buffer.alloc(12, 0x7f)]), {}],
      [
        'too many frames',
        Buffer.concat([
          frame('a', { isFinal: false }),
          frame('', { opcode: 0, isFinal: false }),
          frame('b', { opcode: 0 }),
        ]),
        { framesMax: 2 },
      ],
    ]
  for (const [what, bytes, more] of refused) {
    const socket = await opened(t, [policy(more)])
    assert.deepEqual(await refusedFor(socket, bytes), ['websocket-protocol-violation'], what)
  }
  const formats = [
    ['text', frame('a', { opcode: 2 })],
    ['binary', frame('a')],
  ] as const
  for (const [payload, bytes] of formats) {
    const socket = await opened(t, [policy({ payload })])
    assert.deepEqual(await refusedFor(socket, bytes), ['websocket-message-not-allowed'], payload)
  }
  const masked = await opened(t, [policy()])
  masked.server()?.write(frame('a'))
  await until('the refusal', () => masked.got.client.includes(refusal))
  assert.deepEqual(attacksOf(masked), ['websocket-protocol-violation'])
})

test('a message that is longer than what is looked at is refused, in one frame or in a thousand empty ones', async (t) => {
  const one = await opened(t, [policy({ messages })])
  assert.deepEqual(await refusedFor(one, frame(Buffer.alloc(140_000, 'a'))), [
    'websocket-message-not-allowed',
  ])
  const many = await opened(t, [policy({ messages })])
  const empty = frame('', { opcode: 0, isFinal: false })
  const flood = Buffer.concat([
    frame('a', { isFinal: false }),
    ...Array.from({ length: 25_000 }, () => empty),
  ])
  assert.deepEqual(await refusedFor(many, flood), ['websocket-message-not-allowed'])
})

test('pages of other origins open no WebSocket; who is no page does', async (t) => {
  const origins = ['https://shop.example.com', 'https://*.partner.example']
  const statusFor = async (...lines: string[]) => {
    const request = webSocketRequest.replace('\r\n\r\n', ['', ...lines, '', ''].join('\r\n'))
    const { head, client } = await opened(t, [policy({ origins })], { request })
    client.destroy()
    return head.slice('HTTP/1.1 '.length, 'HTTP/1.1 101'.length)
  }
  for (const good of ['https://shop.example.com', 'HTTPS://Shop.example.com', 'https://a.partner.example']) {
    assert.equal(await statusFor(`Origin: ${good}`), '101', good)
  }
  assert.equal(await statusFor(), '101')
  const bad = [
    'https://evil.example',
    'http://shop.example.com',
    'https://shop.example.com:8443',
    'https://shop.example.com.evil.example',
    'https://evil.example/.partner.example',
    'https://evil.example?.partner.example',
    'null',
  ]
  for (const one of bad) assert.equal(await statusFor(`Origin: ${one}`), '403', one)
  assert.equal(await statusFor('Origin: https://shop.example.com', 'oRigin: https://evil.example'), '403')
})

test('JSON is judged by the profile of its address, and messages that are none are refused where there has to be JSON', async (t) => {
  const profile: SnapshotJsonProfile = {
    name: 'orders',
    host: '*',
    url: '/chat*',
    extendedMatch: '*',
    sequence: 0,
    isPassive: false,
    methods: ['POST'],
    contentTypes: [],
    ignoredKeys: [],
    checksNames: false,
    attackTypes: noAttackTypes,
    keys: [],
    limits: {
      depth: 3,
      keys: 0,
      siblings: 0,
      arrayElements: 0,
      keyCharacters: 0,
      valueCharacters: 0,
      numbers: {},
    },
  }
  const policies = [policy({ messages: { checksJson: true, isJson: true } })]
  const good = await opened(t, policies, { jsonProfiles: [profile] })
  await passes(good, frame('{"a":{"b":1}}'))
  assert.deepEqual(await refusedFor(good, frame('{"a":{"b":{"c":{}}}}')), ['json-depth-exceeded'])
  const plain = await opened(t, policies, { jsonProfiles: [profile] })
  assert.deepEqual(await refusedFor(plain, frame('hello')), ['websocket-message-not-allowed'])
})

test('patterns of parameters are looked for in text and in the values of JSON', async (t) => {
  const pattern = {
    name: 'word',
    type: 'SQL Injection strict',
    regex: 'forbidden',
    isCaseSensitive: false,
    isPassive: false,
  }
  const attackTypes = { ...allAttackTypes, patterns: [pattern] }
  const own = testPolicy()
  const { parameterProtection } = own
  assert.ok(parameterProtection)
  for (const text of ['a forbidden word', '{"a":["forbidd\\u0065n"]}']) {
    const strict = { ...own, parameterProtection: { ...parameterProtection, attackTypes } }
    const socket = await opened(t, [policy({ messages })], { policy: strict })
    assert.deepEqual(await refusedFor(socket, frame(text)), ['sql-injection-in-parameter'], text)
  }
})

test('where only is logged, everything passes as it came and is told of, frames that are none unread', async (t) => {
  for (const [policies, mode] of [
    [[policy({ messages, framesMax: 1, isPassive: true })], 'active'],
    [[policy({ messages, framesMax: 1 })], 'passive'],
  ] as const) {
    const socket = await opened(t, policies, { service: { inspection: { mode } } })
    await passes(socket, frame(attack))
    await passes(socket, Buffer.concat([frame('a', { isFinal: false }), frame('b', { opcode: 0 })]))
    await passes(socket, frame(Buffer.alloc(140_000, 'a')))
    await passes(socket, frame('after it'))
    const none = Buffer.concat([frame('a', { first: 0xf1 }), frame(attack), Buffer.from('anything')])
    await passes(socket, none)
    await until('the log', () => socket.found.length >= 4)
    assert.deepEqual(
      attacksOf(socket),
      [
        '942100',
        'websocket-protocol-violation',
        'websocket-message-not-allowed',
        'websocket-protocol-violation',
      ],
      mode,
    )
    assert.ok(socket.found.flatMap(({ violations }) => violations).every(({ action }) => action === 'LOG'))
  }
})

test('of a thousand bad messages of one WebSocket that only logs, fifty are told of', async (t) => {
  const socket = await opened(t, [policy({ payload: 'text', isPassive: true })])
  const all = Buffer.concat(Array.from({ length: 1_000 }, () => frame('a', { opcode: 2 })))
  await passes(socket, all)
  assert.equal(socket.found.length, 50)
})

test('trusted clients are not watched', async (t) => {
  const trusted = { does: 'allow', clients: ['127.0.0.0/8'] } as const
  const checks = testChecks({ webSocketPolicies: [policy({ messages, origins: ['https://a'] })], trusted })
  const request = webSocketRequest.replace('\r\n\r\n', '\r\nOrigin: https://b\r\n\r\n')
  const socket = await opened(t, [], { service: { checks }, request })
  await passes(socket, Buffer.concat([frame(attack), Buffer.from('no frame')]))
})
