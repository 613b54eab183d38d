import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEveryStore, type ServedService, send } from '@palisade/platform/testing'
import { basic, logIn as logInAs } from '../testing/client.ts'
import { administrator, serveFirewall } from '../testing/firewall.ts'

const { username, password } = administrator

onEveryStore('login', (newStore) => {
  let served: ServedService
  before(async () => {
    served = await serveFirewall({ store: await newStore() })
  })
  after(() => served.close())
  const logIn = (sent: Parameters<typeof send>[1], path = '/restapi/v3.2/login') =>
    send(`${served.baseUrl}${path}`, { method: 'POST', ...sent })

  const json = JSON.stringify({ username, password })
  const boundary = 'xxBOUNDARYxx'
  const fieldsOf = (fields: Record<string, string>) =>
    Object.entries(fields)
      .map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join('')
  const form = (fields: Record<string, string>) => ({
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `${fieldsOf(fields)}--${boundary}--\r\n`,
  })
  const typed = (body: string, type = 'application/json') => ({ headers: { 'content-type': type }, body })

  test('takes JSON in every form that clients send', async () => {
    const forms = [
      typed(json),
      typed(json, 'application/json; charset=utf-8'),
      typed(json, 'Application/JSON;charset=UTF-8'),
      typed(`{\r\n    "username":  "${username}",\r\n    "password":  "${password}"\r\n}\r\n`),
    ]
    for (const sent of forms) assert.equal((await logIn(sent)).status, 200)
  })

  test('takes a form with the two fields', async () => {
    const { status, text } = await logIn(form({ username, password }))
    assert.equal(status, 200)
    assert.match(text, /^\{"token":"[^"]+\\n"\}$/)
  })

  test('is found with doubled and trailing slashes, blanks at the end and in any case', async () => {
    for (const path of [
      '//restapi/v3/login',
      '/restapi/v3.1/login/',
      '/restapi//v3.2//login',
      '/restapi/v3.2/login%20',
      '/restapi/v3.2/login%20%20/?',
      '/restapi/v3/LOGIN',
    ]) {
      assert.equal((await logIn(typed(json), path)).status, 200, path)
    }
    for (const path of ['/restapi/v3.2/login%20x', '/restapi/v3.2/xlogin', '/restapi/v3.2/login/x']) {
      assert.equal((await logIn(typed(json), path)).status, 401, path)
    }
  })

  test('is ended by a logout in any spelling', async () => {
    for (const path of ['logout', 'logout/', 'logout%20', 'Logout']) {
      const client = await logInAs(served.baseUrl)
      assert.equal((await client.call('DELETE', path)).status, 202, path)
      assert.equal((await client.get('services')).status, 401, path)
    }
  })

  test('and logout are there in v1, and of the rest only the upload of certificates', async () => {
    const { token } = (await logIn(typed(json), '/restapi/v1/login')).json
    const call = (method: string, path: string) =>
      send(`${served.baseUrl}/restapi/v1/${path}`, { method, headers: basic(`${token}:`) })
    for (const [method, path, status] of [
      ['GET', 'services', 404],
      ['POST', 'services', 404],
      ['GET', 'system', 404],
      ['POST', 'ops/import-configuration', 404],
      ['GET', 'certificates', 405],
      ['GET', 'certificates/ghost', 404],
      ['POST', 'certificates?upload=signed', 415],
      ['DELETE', 'logout', 202],
      ['POST', 'certificates?upload=signed', 401],
    ] as const) {
      assert.equal((await call(method, path)).status, status, `${method} ${path}`)
    }
  })

  test('refuses a wrong password and an unknown user with the same words', async () => {
    const replies = [
      await logIn({ body: { username, password: `${password}!` } }),
      await logIn({ body: { username: 'nobody', password } }),
      await logIn({ body: { username: 'no\0body', password } }),
      await logIn(form({ username, password: 'x' })),
    ]
    for (const { status, json: body } of replies) {
      assert.equal(status, 401)
      assert.deepEqual(body, {
        msg: 'Invalid Credentials. The username or the password is wrong, or the account is locked or its password has expired.',
        error: {
          status: '401',
          type: 'unauthenticated',
          msg: 'Invalid Credentials. The username or the password is wrong, or the account is locked or its password has expired.',
        },
        errors: {
          status: '401',
          type: 'unauthenticated',
          msg: 'Invalid Credentials. The username or the password is wrong, or the account is locked or its password has expired.',
        },
      })
    }
  })

  const wrong: [what: string, sent: Parameters<typeof send>[1], status: number, words: RegExp][] = [
    ['no body', {}, 415, /Invalid JSON data specified/],
    ['an empty body', typed(''), 415, /Invalid JSON data specified/],
    ['broken JSON', typed('{"username":'), 415, /Invalid JSON data specified/],
    ['a text', typed('"admin"'), 415, /username and a password/],
    ['no password', { body: { username } }, 400, /member password is required/],
    ['a number as password', { body: { username, password: 1 } }, 400, /member password/],
    ['more than a login needs', { body: { username, password: 'x'.repeat(16 * 1024) } }, 413, /larger/],
    ['a list', { body: [username, password] }, 400, /member username/],
    [
      'a form type that is not taken',
      typed(`username=${username}`, 'application/x-www-form-urlencoded'),
      415,
      /Invalid JSON/,
    ],
    ['another type', typed(json, 'text/plain'), 415, /Invalid JSON data specified/],
    ['a form without boundary', typed(json, 'multipart/form-data'), 400, /form/],
    ['a form that breaks off', { ...form({ username }), body: `--${boundary}\r\nContent-Dis` }, 400, /form/],
    ['a form with one field', form({ username }), 400, /member password/],
    [
      'a password twice',
      typed(`{"password":"x",${json.slice(1)}`),
      400,
      /"password" is given more than once/,
    ],
    [
      'a form with a password twice',
      {
        ...form({}),
        body: `${fieldsOf({ username, password })}${fieldsOf({ password })}--${boundary}--\r\n`,
      },
      400,
      /"password" is given more than once/,
    ],
    [
      'a form with many fields',
      form(Object.fromEntries(Array.from('abcdefghij', (name) => [name, '']))),
      400,
      /form/,
    ],
    [
      'a form that reaches for prototypes',
      form(JSON.parse(`{"__proto__":"x","constructor":"y","username":"${username}"}`)),
      400,
      /form|password/,
    ],
  ]
  for (const [what, sent, status, words] of wrong) {
    test(`refuses ${what} with ${status}`, async () => {
      const reply = await logIn(sent)
      assert.equal(reply.status, status)
      assert.match(reply.json.msg, words)
      assert.equal(reply.json.error.status, String(status))
    })
  }

  test('and logout answer to one method each, and name it', async () => {
    for (const [path, allow] of [
      ['/restapi/v3.2/login', 'POST'],
      ['/restapi/v3/logout', 'DELETE'],
    ] as const) {
      for (const method of ['GET', 'PUT', 'PATCH', 'OPTIONS', 'HEAD']) {
        const reply = await send(`${served.baseUrl}${path}`, { method })
        assert.equal(reply.status, 405, `${method} ${path}`)
        assert.equal(reply.headers.allow, allow)
      }
    }
  })
})
