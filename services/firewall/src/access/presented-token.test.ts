import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, send } from '@palisade/platform/testing'
import { basic, logIn } from '../testing/client.ts'
import { administrator, serveFirewall } from '../testing/firewall.ts'
import { presentedToken } from './token-text.ts'

/** The token with the two characters backslash and n where it has line feeds. */
const escaped = (token: string) => token.replaceAll('\n', '\\n')
const { password } = administrator

/** What known clients put into HTTP basic credentials for a token. */
const forms: Record<string, (token: string) => string> = {
  'the token with its line feeds, a colon': (token) => `${token}:`,
  'the token with its line feeds, no colon': (token) => token,
  'backslash and n for the line feeds, a colon': (token) => `${escaped(token)}:`,
  'backslash and n for the line feeds, a colon, the login password': (token) =>
    `${escaped(token)}:${password}`,
  'the token, a colon, the login password': (token) => `${token}:${password}`,
  'the token, CR LF, a colon': (token) => `${token}\r\n:`,
  'the token, two colons': (token) => `${token}::`,
  'an empty user, then the escaped token between colons': (token) => `:${escaped(token)}:`,
  'two backslashes and n for the line feeds': (token) => `${token.replaceAll('\n', '\\\\n')}:`,
  'CR LF for every line feed': (token) => `${token.replaceAll('\n', '\r\n')}:`,
  'backslash and r, backslash and n for every line feed': (token) => `${token.replaceAll('\n', '\\r\\n')}:`,
  'blanks for the line feeds': (token) => `${token.replaceAll('\n', ' ')}:`,
  'in quotation marks, as cut out of JSON': (token) => `"${escaped(token)}":`,
  'an opening quotation mark only': (token) => `"${escaped(token)}`,
  'its first line as the user, the rest as the password': (token) => token.replace('\n', ':'),
  'in quotation marks, half of it as the password': (token) => `"${escaped(token).replace('\\n', ':')}"`,
  'no line feeds at all': (token) => `${token.replaceAll('\n', '')}:`,
  'no line feed at the end': (token) => `${token.trimEnd()}:`,
}

onEveryStore('a presented token', (newStore) => {
  let served: ServedService
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
  })
  after(() => served.close())

  for (const [form, credentials] of Object.entries(forms)) {
    test(`is understood as ${form}`, async () => {
      const { baseUrl } = served
      const { token } = await logIn(baseUrl)
      for (const scheme of ['Basic', 'BASIC', 'basic']) {
        const headers = basic(credentials(token), scheme)
        assert.equal((await send(`${baseUrl}/restapi/v3.1/services`, { headers })).status, 200)
      }
      const headers = basic(credentials(token))
      const ended = await send(`${baseUrl}/restapi/v3/logout`, { method: 'DELETE', headers })
      assert.equal(ended.status, 202)
      assert.equal((await send(`${baseUrl}/restapi/v3.1/services`, { headers })).status, 401)
    })
  }

  test('is refused when it is none: 401 with the reason and the scheme', async () => {
    const { baseUrl } = served
    const { token } = await logIn(baseUrl)
    const wrong: (string | undefined)[] = [
      undefined,
      '',
      'Basic',
      'Basic ',
      'Basic !!!',
      'Basic OjpB',
      `Bearer ${Buffer.from(`${token}:`).toString('base64')}`,
      `Basic ${Buffer.from(`A${token}:`).toString('base64')}`,
      `Basic ${Buffer.from(`${token.slice(0, -9)}:`).toString('base64')}`,
      `Basic ${Buffer.from(`${token}${token}:`).toString('base64')}`,
      `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
    ]
    for (const authorization of wrong) {
      const headers = authorization === undefined ? {} : { authorization }
      const reply = await send(`${baseUrl}/restapi/v3.2/services`, { headers })
      assert.equal(reply.status, 401, authorization)
      assert.match(reply.headers['www-authenticate'] ?? '', /^Basic realm=/)
      assert.match(reply.json.msg, /^Invalid Credentials\. /)
      assert.deepEqual(reply.json.error, { status: '401', type: 'unauthenticated', msg: reply.json.msg })
      assert.deepEqual(reply.json.errors, reply.json.error)
      assert.ok(!('token' in reply.json))
    }
  })
})

test('a presented token is read in time that grows with its length, and not with the square of it', () => {
  const length = 2_000_000
  for (const text of ['\\'.repeat(length), `${'\\'.repeat(length)}x`, ' '.repeat(length)]) {
    assert.equal(presentedToken(basic(text).authorization), text.endsWith('x') ? 'x' : undefined)
  }
})
