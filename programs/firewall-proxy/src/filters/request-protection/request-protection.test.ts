import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type {
  SnapshotParameterProfile,
  SnapshotPolicy,
  SnapshotProfiles,
  SnapshotService,
  SnapshotUrlProfile,
} from '@palisade/proxy-protocol'
import { carried } from '../../testing/carried.ts'
import { allAttackTypes, noAttackTypes, testChecks, testPolicy } from '../../testing/policies.ts'
import { ruleSetsOf } from '../../testing/rules.ts'

const rules = ruleSetsOf(`
SecRule ARGS|REQUEST_FILENAME|REQUEST_HEADERS "@rx evil" "id:942100,phase:2,pass,log,tag:'attack-sqli',msg:'evil',setvar:'tx.score=+5'"
SecRule ARGS "@rx shell" "id:932100,phase:2,pass,log,tag:'attack-rce',msg:'shell',setvar:'tx.score=+5'"
SecRule ARGS "@rx java" "id:944100,phase:2,pass,log,tag:'attack-rce',tag:'language-java',msg:'java',setvar:'tx.score=+5'"
SecRule ARGS "@rx metadata" "id:934110,phase:2,pass,log,tag:'attack-ssrf',msg:'metadata',setvar:'tx.score=+5'"
SecRule MULTIPART_PART_HEADERS "@rx utf-7" "id:922110,phase:2,pass,log,msg:'utf-7',setvar:'tx.score=+5'"
SecRule TX:score "@ge 5" "id:949110,phase:2,deny,status:403,nolog"
`)

const form = { 'content-type': 'application/x-www-form-urlencoded' }

interface Told {
  readonly policy?: Partial<SnapshotPolicy>
  readonly service?: Partial<SnapshotService>
}

/** A protected service, and what becomes of a request to it: the attacks that are told, "reached" behind those that pass. */
async function protectedBy(t: TestContext, { policy = {}, service = {} }: Told) {
  const { port, exchanges } = await carried(t, {
    application: (request, response) => request.resume().on('end', () => response.end('reached')),
    service: { inspection: { mode: 'active' }, ...service },
    rules,
    policy: testPolicy(policy),
  })
  return async (target: string, init: RequestInit = {}) => {
    const reply = await fetch(`http://127.0.0.1:${port}${target}`, init)
    const text = await reply.text()
    const attacks = exchanges.at(-1)?.violations.map(({ attack }) => attack) ?? []
    const matched = exchanges.at(-1)?.transaction?.matches.map(({ ruleId }) => ruleId) ?? []
    return [...attacks, ...matched, ...(text === 'reached' ? ['reached'] : [])].join(' ')
  }
}

const base = testPolicy()

test('methods, types, sizes and numbers are those that the policy allows', async (t) => {
  const send = await protectedBy(t, {
    policy: {
      urlProtection: {
        methods: ['GET', 'POST'],
        contentTypes: ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'],
        contentBytes: 40,
        parameters: 3,
        parameterNameCharacters: 5,
        files: 1,
        allowsQuery: true,
        attackTypes: allAttackTypes,
      },
    },
  })
  const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = form) =>
    send('/', { method: 'POST', body, headers })
  assert.equal(await send('/', { method: 'DELETE' }), 'method-not-allowed')
  for (const name of ['X-HTTP-Method-Override', 'x-http-method', 'X-Method-Override']) {
    const instead = (method: string) => send('/', { method: 'POST', headers: { [name]: method } })
    assert.equal(await instead('delete'), 'method-not-allowed', name)
    assert.equal(await instead('get'), 'reached', name)
  }
  assert.equal(await post('x', { 'content-type': 'text/csv' }), 'unknown-content-type')
  assert.equal(await post('{"a":1}', { 'content-type': 'Application/JSON; charset=utf-8' }), 'reached')
  assert.equal(await send('/', { method: 'POST' }), 'reached')
  assert.equal(await post('a=1'), 'reached')
  assert.equal(await post(`a=${'1'.repeat(39)}`), 'content-length-exceeded')
  assert.equal(await send('/?a=1&b=2&c=3&d=4'), 'too-many-parameters')
  assert.equal(
    await send('/?a=1&b=2', { method: 'POST', body: 'c=3&d=4', headers: form }),
    'too-many-parameters',
  )
  assert.equal(await send('/?longer=1'), 'parameter-name-length-exceeded')
  // JSON under the type of a form, and what only begins as it does.
  assert.equal(await post('{"title":"boats"}'), 'reached')
  assert.equal(await post('{"title":"boats"'), 'parameter-name-length-exceeded')
  assert.equal(await post('{"a":"&longer=1"}'), 'parameter-name-length-exceeded')
  const upload = (files: number, text: string) => {
    const body = new FormData()
    body.append('a', text)
    for (let file = 0; file < files; file++) body.append('f', new Blob(['x'.repeat(500)]), 'a.txt')
    return send('/', { method: 'POST', body })
  }
  // What stands between the files counts as content, and their names do.
  assert.equal(await upload(2, 'a'), 'content-length-exceeded')
  const stream = new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.from('x'.repeat(41)))
      controller.close()
    },
  })
  const chunked = {
    method: 'POST',
    body: stream,
    duplex: 'half',
    headers: { 'content-type': 'application/json' },
  }
  assert.equal(await send('/', chunked as RequestInit), 'content-length-exceeded')
})

test('an asterisk among the content types stands for any characters, also for a body without a type', async (t) => {
  const allowing = (contentTypes: readonly string[]) => {
    const { urlProtection } = base
    assert.ok(urlProtection)
    return protectedBy(t, { policy: { urlProtection: { ...urlProtection, contentTypes } } })
  }
  const post = (type: string) => ({
    method: 'POST',
    body: Buffer.from('x'),
    headers: { 'content-type': type },
  })
  const any = await allowing(['*'])
  assert.equal(await any('/', post('application/vnd.api+json')), 'reached')
  assert.equal(await any('/', { method: 'POST', body: Buffer.from('x') }), 'reached')
  const some = await allowing(['application/*+json', 'text/csv'])
  assert.equal(await some('/', post('application/vnd.api+json')), 'reached')
  assert.equal(await some('/', post('Text/CSV')), 'reached')
  assert.equal(await some('/', post('application/json')), 'unknown-content-type')
  assert.equal(await some('/', { method: 'POST', body: Buffer.from('x') }), 'unknown-content-type')
})

test('a file is refused for any of its extensions that is excluded from those that are allowed', async (t) => {
  const { parameterProtection } = base
  assert.ok(parameterProtection)
  const uploads = { by: 'extension', allowed: ['*'], refused: ['php*', 'asp', 'htaccess'] } as const
  const send = await protectedBy(t, { policy: { parameterProtection: { ...parameterProtection, uploads } } })
  const upload = (name: string) => {
    const body = new FormData()
    body.append('f', new Blob(['x']), name)
    return send('/', { method: 'POST', body })
  }
  for (const name of ['a.png', 'LICENSE', 'a.', '.profile', 'about asp.net.pdf', 'php.txt', 'a.b.tar.gz']) {
    assert.equal(await upload(name), 'reached', name)
  }
  for (const name of [
    'a.PHP',
    'a.php7',
    'a.php.jpg',
    'a.asp;.jpg',
    'a.asp::$DATA',
    'a.asp. ',
    'a.asp ',
    'a.php%00.png',
    '.htaccess',
  ]) {
    assert.equal(await upload(name), 'forbidden-file-extension', name)
  }
})

test('values and files of parameters are those that the policy allows', async (t) => {
  const send = await protectedBy(t, {
    policy: {
      parameterProtection: {
        ignored: ['__VIEW*'],
        deniedCharacters: '\0\\',
        valueCharacters: 10,
        instances: 2,
        checksNames: true,
        decodesBase64: true,
        uploads: { by: 'extension', allowed: ['jpg'], fileBytes: 100 },
        attackTypes: {
          ...allAttackTypes,
          patterns: [{ name: 'own', type: 'mine', regex: 'bad', isCaseSensitive: false, isPassive: false }],
        },
      },
    },
  })
  const post = (body: NonNullable<RequestInit['body']>) => send('/', { method: 'POST', body, headers: form })
  assert.equal(await send('/?a=12345678901'), 'parameter-value-length-exceeded')
  assert.equal(await post('a=12345678901'), 'parameter-value-length-exceeded')
  assert.equal(await send('/?__VIEWSTATE=12345678901'), 'reached')
  assert.equal(await post('a=1%00'), 'metacharacter-in-parameter')
  assert.equal(await send('/?a=1&a=2'), 'reached')
  assert.equal(
    await send('/?a=1&a=2', { method: 'POST', body: 'a=3', headers: form }),
    'maximum-instances-of-parameter-exceeded',
  )
  assert.equal(await post('a=BAD'), 'custom-attack-pattern-in-parameter')
  assert.equal(await post('bad=1'), 'custom-attack-pattern-in-parameter')
  assert.equal(
    await post(`a=${encodeURIComponent(Buffer.from('is bad').toString('base64'))}`),
    'custom-attack-pattern-in-parameter',
  )
  const upload = (name: string, size: number) => {
    const body = new FormData()
    body.append('f', new Blob(['x'.repeat(size)]), name)
    return send('/', { method: 'POST', body })
  }
  assert.equal(await upload('a.JPG', 100), 'reached')
  assert.equal(await upload('a.exe', 10), 'forbidden-file-extension')
  assert.equal(await upload('noextension', 10), 'forbidden-file-extension')
  assert.equal(await upload('a.jpg', 101), 'file-upload-size-exceeded')
})

test('no file without a name hides the value of a parameter', async (t) => {
  const rules = ruleSetsOf('SecRule ARGS "@contains attack" "id:1,phase:2,deny,log"')
  const { port } = await carried(t, {
    application: (_, response) => response.end('reached'),
    service: { inspection: { mode: 'active' } },
    rules,
  })
  const statusOf = async (name: string) => {
    const body = new FormData()
    body.append('a', new Blob(['an attack']), name)
    return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).status
  }
  assert.equal(await statusOf(''), 403)
  assert.equal(await statusOf('a.txt'), 200)
})

test('each file is of the type that its own part says, whatever others of its name are', async (t) => {
  const uploads = { by: 'type', allowed: ['image/*'] } as const
  const send = await protectedBy(t, {
    policy: { parameterProtection: { ...need(base.parameterProtection), uploads } },
  })
  const upload = (...types: string[]) => {
    const body = new FormData()
    for (const type of types) body.append('f', new Blob(['x'], { type }), 'a')
    return send('/', { method: 'POST', body })
  }
  assert.equal(await upload('image/png', 'image/gif'), 'reached')
  assert.equal(await upload('text/html'), 'forbidden-file-extension')
  assert.equal(await upload('image/png', 'text/html'), 'forbidden-file-extension')
})

test('rules look for what the policy lists, where it lists it', async (t) => {
  const send = await protectedBy(t, {
    policy: {
      parameterProtection: { ...need(base.parameterProtection), attackTypes: noAttackTypes, ignored: [] },
    },
  })
  assert.equal(await send('/?a=evil'), 'reached')
  assert.equal(await send('/evil'), '942100')
  assert.equal(await send('/', { headers: { 'x-a': 'evil' } }), '942100')
})

test('rules about Java are what one type means, and rules about commands another, though they share a tag', async (t) => {
  const listing = (type: string) =>
    protectedBy(t, {
      policy: {
        parameterProtection: {
          ...need(base.parameterProtection),
          attackTypes: { ...noAttackTypes, ofRules: [type] },
        },
      },
    })
  const java = await listing('Apache Struts attacks')
  assert.deepEqual([await java('/?a=java'), await java('/?a=shell')], ['944100', 'reached'])
  const commands = await listing('OS Command Injection')
  assert.deepEqual([await commands('/?a=java'), await commands('/?a=shell')], ['reached', '932100'])
})

test('attacks that newer rules find follow the actions of policies', async (t) => {
  const action = { category: 'Injection Attacks', denies: false, logs: true, denial: 0 }
  const send = await protectedBy(t, {
    policy: { actions: { 'remote-file-inclusion-in-parameter': action, 'malformed-parameter': action } },
  })
  assert.equal(await send('/?a=metadata'), '934110 reached')
  const body =
    '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-7\r\n\r\nx\r\n--b--\r\n'
  const multipart = { method: 'POST', body, headers: { 'content-type': 'multipart/form-data; boundary=b' } }
  assert.equal(await send('/', multipart), '922110 reached')
  const strict = await protectedBy(t, {})
  assert.deepEqual([await strict('/?a=metadata'), await strict('/', multipart)], ['934110', '922110'])
})

test('rules pass over what is excepted: rules by number, and parameters that are ignored', async (t) => {
  const parameterProtection = need(base.parameterProtection)
  const excepting = await protectedBy(t, {
    policy: {
      parameterProtection: {
        ...parameterProtection,
        attackTypes: { ...allAttackTypes, exceptRules: [942_100] },
      },
    },
  })
  assert.equal(await excepting('/?a=evil'), 'reached')
  assert.equal(await excepting('/evil'), '942100')
  const ignoring = await protectedBy(t, {
    policy: { parameterProtection: { ...parameterProtection, ignored: ['note*'] } },
  })
  assert.equal(await ignoring('/?note1=evil'), 'reached')
  assert.equal(await ignoring('/?note1=evil&b=evil'), '942100')
  const body = { method: 'POST', headers: form }
  assert.equal(await ignoring('/', { ...body, body: 'Note[x]=evil' }), 'reached')
  assert.equal(await ignoring('/', { ...body, body: 'a=evil' }), '942100')
})

test('an attack that is to be allowed and logged is in the log and refuses nothing', async (t) => {
  const action = { category: 'SQL Attacks', denies: false, logs: true, denial: 0 }
  const send = await protectedBy(t, { policy: { actions: { 'sql-injection-in-parameter': action } } })
  assert.equal(await send('/?a=evil'), '942100 reached')
  assert.equal(await send('/evil'), '942100')
  const silent = await protectedBy(t, {
    policy: { actions: { 'sql-injection-in-parameter': { ...action, logs: false } } },
  })
  assert.equal(await silent('/?a=evil'), 'reached')
})

function urlProfile(more: Partial<SnapshotUrlProfile>): SnapshotUrlProfile {
  return {
    name: 'profile',
    host: '*',
    url: '/*',
    extendedMatch: '*',
    sequence: 1,
    isPassive: false,
    ...need(base.urlProtection),
    referrers: [],
    parameterProfiles: [],
    ...more,
  }
}

function parameterProfile(more: Partial<SnapshotParameterProfile>): SnapshotParameterProfile {
  return {
    name: 'parameter',
    parameter: 'a',
    isIgnored: false,
    isRequired: false,
    isFile: false,
    shapes: [],
    ...need(base.parameterProtection),
    ...more,
  }
}

function profiles(more: Partial<SnapshotProfiles>): { readonly service: Partial<SnapshotService> } {
  const all = {
    isPassive: false,
    isStrict: false,
    hosts: [],
    exceptUrls: ['*.css'],
    urlsAllTheSame: [],
    urls: [],
    ...more,
  }
  return { service: { inspection: { mode: 'active' }, checks: testChecks({ profiles: all }) } }
}

test('values are like one of the patterns, which say whether case counts and what check digit a number has', async (t) => {
  const card = { regex: '^[0-9-]+$', isCaseSensitive: false, checkDigits: 'credit-card' } as const
  const send = await protectedBy(
    t,
    profiles({
      urls: [
        urlProfile({
          url: '/pay',
          parameterProfiles: [
            parameterProfile({
              shapes: ['^older proxies go by this$'],
              inputPatterns: [
                card,
                { regex: '^[a-z]{3}$', isCaseSensitive: false },
                { regex: '^[a-z]{4}$', isCaseSensitive: true },
              ],
            }),
          ],
        }),
      ],
    }),
  )
  for (const value of ['4111-1111-1111-1111', 'abc', 'ABC', 'abcd', '']) {
    assert.equal(await send(`/pay?a=${value}`), 'reached', value)
  }
  for (const value of ['4111-1111-1111-1112', '4111', 'ABCD', 'older proxies go by this']) {
    assert.equal(await send(`/pay?a=${value}`), 'parameter-input-validation-failed', value)
  }
})

test('a profile stands in for the policy at its URL', async (t) => {
  const send = await protectedBy(t, {
    policy: { urlProtection: { ...need(base.urlProtection), methods: ['GET'] } },
    ...profiles({
      urls: [
        urlProfile({ url: '/api', methods: ['PUT'], allowsQuery: false }),
        urlProfile({
          url: '/search',
          referrers: ['/start*'],
          parameterProfiles: [
            parameterProfile({ parameter: 'number', isRequired: true, shapes: ['^[0-9]+$'] }),
            parameterProfile({ parameter: 'sort', values: ['up', 'down'] }),
            parameterProfile({ parameter: 'html', isIgnored: true }),
          ],
        }),
        urlProfile({ url: '/quiet', isPassive: true, methods: ['GET'], allowsQuery: false }),
      ],
    }),
  })
  assert.equal(await send('/', { method: 'PUT' }), 'method-not-allowed')
  assert.equal(await send('/api', { method: 'PUT' }), 'reached')
  assert.equal(await send('/api', { method: 'GET' }), 'method-not-allowed')
  assert.equal(await send('/api?a=1', { method: 'PUT' }), 'query-string-not-allowed')
  const referer = { headers: { referer: 'http://shop.example/start/1' } }
  assert.equal(await send('/search?number=1&sort=up&html=evil&other=1', referer), 'reached')
  assert.equal(await send('/search?number=1'), 'session-context-not-found')
  assert.equal(await send('/search?sort=up', referer), 'mandatory-parameter-missing')
  assert.equal(await send('/search?number=x', referer), 'parameter-input-validation-failed')
  assert.equal(await send('/search?number=1&sort=left', referer), 'parameter-input-validation-failed')
  assert.equal(await send('/search?number=1&other=evil', referer), '942100')
  assert.equal(await send('/quiet?a=evil'), 'query-string-not-allowed 942100 reached')
})

test('a value that a profile has decided about is not for the rules, and each other one is', async (t) => {
  const chosen = parameterProfile({ parameter: 'kind', values: ['evil twin', 'other'] })
  const search = (isPassive: boolean) => urlProfile({ url: '/', isPassive, parameterProfiles: [chosen] })
  const send = await protectedBy(t, profiles({ urls: [search(false)] }))
  assert.equal(await send('/?kind=evil+twin'), 'reached')
  assert.equal(await send('/?kind=evil+twin&other=evil'), '942100')
  const post = { method: 'POST', headers: form }
  assert.match(await send('/?kind=evil+twin', { ...post, body: 'kind=evil' }), /input-validation-failed/)
  assert.equal(await send('/?kind=evil+twin', { ...post, body: 'kind=evil+twin' }), 'reached')
  assert.match(await send('/?kind=evil+twin&kind=evil'), /parameter-input-validation-failed/)
  const quiet = await protectedBy(t, profiles({ urls: [search(true)] }))
  assert.match(await quiet('/?kind=evil+twin'), /942100/)
  const passive = await protectedBy(t, profiles({ isPassive: true, urls: [search(false)] }))
  assert.match(await passive('/?kind=evil+twin'), /942100/)
})

test('where profiles are strict, requests need one; excepted URLs need none', async (t) => {
  const known = [urlProfile({ url: '/known', parameterProfiles: [parameterProfile({})] })]
  const send = await protectedBy(t, profiles({ isStrict: true, urls: known, hosts: ['127.*'] }))
  assert.equal(await send('/known?a=1'), 'reached')
  assert.equal(await send('/known?b=1'), 'no-param-profile-match')
  assert.equal(await send('/other'), 'no-url-profile-match')
  assert.equal(await send('/style.css'), 'reached')
  const elsewhere = await protectedBy(t, profiles({ isStrict: true, urls: known, hosts: ['*.example'] }))
  assert.equal(await elsewhere('/known'), 'domain-not-found-in-profile')
  const passive = await protectedBy(t, profiles({ isStrict: true, isPassive: true }))
  assert.equal(await passive('/other'), 'no-url-profile-match reached')
})

function need<Value>(value: Value | undefined): Value {
  assert.ok(value !== undefined)
  return value
}
