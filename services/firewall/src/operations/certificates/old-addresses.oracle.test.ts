import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, afterEach, before, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { onEveryStore, type ReceivedReply, type ServedService, send } from '@palisade/platform/testing'
import { certificateFamily } from '../../certificates/testing/certificate-family.ts'
import { type Openssl, openssl } from '../../certificates/testing/openssl.ts'
import { basic, type Client, logIn } from '../../testing/client.ts'
import { serveFirewall } from '../../testing/firewall.ts'

const run = promisify(execFile)
const versions = ['v3', 'v3.1', 'v3.2']

onEveryStore('certificates at the addresses of older clients', (newStore) => {
  let served: ServedService
  let client: Client
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
    client = await logIn(served.baseUrl)
  })
  after(() => served.close())
  afterEach(async () => {
    const { json } = await client.get('certificates')
    for (const { name } of json.data) {
      const { status } = await client.call('DELETE', `certificates/${encodeURIComponent(name)}`)
      assert.equal(status, 200, name)
    }
  })

  const call = (method: string, address: string, body?: unknown, headers = {}): Promise<ReceivedReply> =>
    send(`${served.baseUrl}/restapi/${address}`, {
      method,
      headers: { ...basic(`${client.token}:`), ...headers },
      ...(body === undefined ? {} : { body }),
    })

  function family(t: TestContext): Openssl | undefined {
    const judge = openssl(t)
    if (judge) certificateFamily(judge)
    return judge
  }

  /** A form sent by curl, from the directory of the judge's files. */
  async function curl(judge: Openssl, address: string, form: readonly string[]) {
    const { stdout: reply } = await run(
      'curl',
      [
        ...['-s', '-w', '\n%{http_code}', '-u', `${client.token}:`, `${served.baseUrl}/restapi/${address}`],
        ...form.flatMap((field) => ['-F', field]),
      ],
      { cwd: judge.directory },
    )
    const end = reply.lastIndexOf('\n')
    return { status: Number(reply.slice(end + 1)), json: JSON.parse(reply.slice(0, end)) }
  }

  test('are a list without any, too, on every version', async () => {
    for (const version of versions) {
      const { status, json } = await call('GET', `${version}/certificates`)
      assert.equal(status, 200)
      assert.deepEqual([json.object, json.data], ['Certificates', []])
      assert.equal(typeof json.token, 'string')
    }
  })

  test('are made of members with underscores, and shown so', async () => {
    for (const version of versions) {
      const { status, json } = await call('POST', `${version}/certificates`, {
        name: `basketball.com-${version}`,
        common_name: 'basketball.com',
        san_certificate: ['DNS:bucks.com', 'DNS:lakers.com'],
        city: 'Los_Angeles',
        state: null,
        country_code: 'US',
        curve_type: 'secp512r1',
        key_type: 'ecdsa',
        key_size: null,
        organization_name: 'Example',
        organization_unit: 'Sports',
        allow_private_key_export: 'Yes',
      })
      assert.deepEqual(
        [status, json.id, json.msg],
        [201, `basketball.com-${version}`, 'Successfully created.'],
      )
    }
    const { json } = await call('GET', 'v3/certificates')
    assert.equal(json.data.length, versions.length)
    const [first] = json.data
    assert.equal(first.type, 'created_certificate')
    assert.deepEqual(
      [first.name, first.common_name, first.elliptic_curve_name, first.organizational_unit, first.key_type],
      ['basketball.com-v3', 'basketball.com', 'secp521r1', 'Sports', 'ECDSA'],
    )
    assert.match(first.serial, /^[0-9A-F]+$/)
    assert.ok(
      !Object.keys(first).some(
        (member) => /certificate$|private_key$/.test(member) && member !== 'san_certificate',
      ),
    )
    const single = await call('GET', 'v3/certificates/basketball.com-v3')
    assert.deepEqual(single.json.data, { 'basketball.com-v3': first })
  })

  test('are uploaded as forms by curl, with key and those above them', async (t) => {
    const judge = family(t)
    if (!judge) return
    const fields = [
      ...['name=leaf', 'type=pem', 'key_type=rsa', 'signed_certificate=@leaf.pem', 'key=@leaf.key'],
      ...['intermediary_certificate=@chain.pem', 'assign_associated_key=no', 'allow_private_key_export=yes'],
    ]
    const { status, json } = await curl(judge, 'v3/certificates?upload=signed', fields)
    assert.deepEqual([status, json.id], [201, 'leaf'], json.msg)
    const again = await curl(judge, 'v3/certificates?upload=signed', fields)
    assert.equal(again.status, 400)
    assert.match(again.json.msg, /Duplicate certificate name is not allowed\./)
    const list = await call('GET', 'v3/certificates')
    const [certificate] = list.json.data
    assert.deepEqual(
      [certificate.name, certificate.type, certificate.key_type],
      ['leaf', 'uploaded_certificate', 'ECDSA'],
    )
    const pem = await call('GET', 'v3/certificates/leaf?download=PEM&password=')
    assert.equal(pem.text.match(/BEGIN CERTIFICATE/g)?.length, 4)
    assert.match(pem.text, /BEGIN PRIVATE KEY/)
    const locked = judge.write(
      'locked.pem',
      (await call('GET', 'v3/certificates/leaf?download=pem&password=abcdefgh')).text,
    )
    judge.run('pkey', '-in', locked, '-passin', 'pass:abcdefgh')
    const request = judge.write('leaf.csr', (await call('GET', 'v3/certificates/leaf?download=CSR')).text)
    assert.match(judge.run('req', '-in', request, '-verify', '-noout'), /OK/)
  })

  test('are uploaded as PKCS #12 and in DER, and refused with another password', async (t) => {
    const judge = family(t)
    if (!judge) return
    judge.run(
      ...['pkcs12', '-export', '-in', 'leaf.pem', '-inkey', 'leaf.key', '-certfile', 'chain.pem'],
      ...['-out', 'leaf.p12', '-passout', 'pass:abcdefgh'],
    )
    judge.run('x509', '-in', 'root.pem', '-outform', 'DER', '-out', 'root.der')
    const fields = ['name=token', 'type=pkcs12', 'signed_certificate=@leaf.p12;type=application/x-pkcs12']
    const wrong = await curl(judge, 'v3/certificates?upload=signed', [...fields, 'password=wrong'])
    assert.equal(wrong.status, 406)
    assert.match(wrong.json.msg, /The member signed-certificate: .*password/)
    const right = await curl(judge, 'v1/certificates?upload=signed', [...fields, 'password=abcdefgh'])
    assert.equal(right.status, 201)
    const { json } = await curl(judge, 'v3/certificates?upload=trusted', [
      'name=ca',
      'trusted_certificate=@root.der',
    ])
    assert.equal(json.id, 'ca', json.msg)
    const server = await curl(judge, 'v3.1/certificates?upload=trusted_server', [
      'name=server',
      'trusted_server_certificate=@leaf.pem',
    ])
    assert.equal(server.json.id, 'server', server.json.msg)
    const list = await call('GET', 'v3.1/certificates')
    assert.deepEqual(
      list.json.data.map(({ name, type }: { name: string; type: string }) => [name, type]),
      [
        ['token', 'uploaded_certificate'],
        ['ca', 'trusted_certificate'],
        ['server', 'trusted_server_certificate'],
      ],
    )
    assert.equal((await call('GET', 'v3.2/trusted-ca-certificate/ca')).json.data.ca['common-name'], 'Root')
  })

  for (const [ends, lineEnd] of [
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
  ] as const) {
    test(`are uploaded in forms that end too early, with ${ends}`, async (t) => {
      const judge = family(t)
      if (!judge) return
      const text = (file: string) => judge.read(file).toString('latin1').replaceAll('\n', lineEnd)
      const part = (name: string, value: string, blank = '') =>
        ['--0f8a-4711', `Content-Disposition: form-data; name="${name}"`, blank, value].join(lineEnd)
      const file = (name: string, path: string, blank = '') =>
        part(`${name}"; filename="${path}`, text(path), blank)
      const body = [
        part('name', 'leaf').replace('"name"', '"name" '),
        part('type', 'pem'),
        part('key_type', 'ecdsa'),
        file('signed_certificate', 'leaf.pem'),
        part('assign_associated_key', 'yes'),
        file('intermediary_certificate', 'two.pem'),
        part('allow_private_key_export', 'No'),
        // One script has blanks in the line that is to be empty.
        file('key', 'leaf.key', '                    '),
        '--0f8a-4711',
      ].join(lineEnd)
      const type = { 'content-type': 'multipart/form-data; boundary="0f8a-4711"' }
      const { status, text: reply } = await call('POST', 'v3/certificates?upload=signed', body, type)
      assert.equal(status, 201, reply)
      assert.equal((await call('GET', 'v3.2/signed-certificate/leaf')).json.data.leaf['key-type'], 'ECDSA')
    })
  }

  test('are refused when the form is none, or a file in it', async (t) => {
    const judge = family(t)
    if (!judge) return
    const type = { 'content-type': 'multipart/form-data; boundary=x' }
    const cut = await call('POST', 'v3/certificates?upload=signed', '--x\r\nContent-', type)
    assert.deepEqual([cut.status, cut.json.error.type], [406, 'not-acceptable'], cut.text)
    const key = await curl(judge, 'v3/certificates?upload=trusted', [
      'name=ca',
      'trusted_certificate=@leaf.key',
    ])
    assert.equal(key.status, 406)
    assert.match(key.json.msg, /The member certificate: .*no certificate/)
    const none = await curl(judge, 'v3/certificates?upload=signed', ['type=pem', 'unheard_of=1'])
    assert.equal(none.status, 406)
    assert.match(none.json.msg, /"unheard-of" is not a member/)
    const other = await curl(judge, 'v3/certificates?upload=other', ['name=x'])
    assert.equal(other.status, 400)
    assert.match(other.json.msg, /upload must be one of signed, trusted, trusted_server/)
    assert.deepEqual((await call('GET', 'v3/certificates')).json.data, [])
  })

  test('are refused as JSON where a form would be, unless the members hold the files', async (t) => {
    const judge = family(t)
    if (!judge) return
    const body = { name: 'ca', trusted_certificate: judge.read('root.pem').toString('utf8') }
    assert.equal((await call('POST', 'v3/certificates?upload=trusted', body)).status, 201)
    assert.equal(
      (await call('POST', 'v3/certificates?upload=trusted', '[]', { 'content-type': 'application/json' }))
        .status,
      406,
    )
  })

  test('answer for a certificate that is not there in the words that clients look for', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await call(method, 'v3/certificates/nobody')
      assert.equal(status, 404)
      assert.equal(json.error.status, '404')
    }
  })

  test('leave the addresses of the kinds to them', async () => {
    const { status, json } = await call('GET', 'v3.2/certificates/signed-certificate')
    assert.deepEqual([status, json.object], [200, 'Signed Certificate'])
    const refused = await call('DELETE', 'v3.2/certificates/signed-certificate')
    assert.deepEqual([refused.status, refused.headers.allow], [405, 'GET, POST'])
  })

  test('say which member of the configuration names an authority, where none does', async () => {
    const { status, json } = await call('POST', 'v3.1/certificates/letsencrypt', {
      name: 'shop',
      'common-name': 'shop.example.com',
      'multi-cert-trusted-service': 'shop',
    })
    assert.equal(status, 400)
    assert.match(json.msg, /firewall\.acme\.directory/)
  })
})
