import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { onEveryStore, send, settableClock } from '@palisade/platform/testing'
import { logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

const dayMs = 86_400_000
const user = { name: 'olga', role: 'guest', 'email-address': 'olga@example.com' }

onEveryStore('the password policy', (newStore) => {
  async function serve(t: TestContext) {
    const clock = settableClock()
    const served = await serveFirewall({ store: await newStore(), clock })
    t.after(() => served.close())
    const admin = await logIn(served.baseUrl)
    const setPolicy = async (members: object) => {
      const { status, text } = await admin.call('PUT', 'system/password-policy', members)
      assert.equal(status, 200, text)
    }
    const logInAs = async (username: string, password: string) =>
      (await send(`${served.baseUrl}/restapi/v3.2/login`, { method: 'POST', body: { username, password } }))
        .status
    const setPassword = (password: unknown) => admin.call('PUT', 'users/olga', { password })
    const created = await admin.call('POST', 'users', { ...user, password: 'first Secret 1!' })
    assert.equal(created.status, 201)
    return { ...served, clock, admin, setPolicy, setPassword, logInAs }
  }

  test('asks for eight characters, or as many as it says', async (t) => {
    const { admin, setPassword, setPolicy } = await serve(t)
    const { status, json } = await setPassword('seven77')
    assert.equal(status, 406)
    assert.match(json.msg, /The member password must have at least 8 characters\./)
    assert.equal((await setPassword('eight888')).status, 200)
    await setPolicy({ 'minimum-characters': 12 })
    assert.equal((await setPassword('eleven 1111')).status, 406)
    assert.equal(
      (await admin.call('POST', 'users', { ...user, name: 'ivan', password: 'eleven 1111' })).status,
      406,
    )
  })

  test('asks for each sort of character where it is the custom one', async (t) => {
    const { setPassword, setPolicy } = await serve(t)
    const rules: [contains: string, lacking: RegExp, without: string, having: string][] = [
      ['Atleast One Digit', /a digit/, 'No-Digits-Here', 'One-Digit-1'],
      ['Atleast One Lower Case Character', /a lower-case letter/, 'NO LOWER 1!', 'NO LOWEr 1!'],
      ['Atleast One Upper Case Character', /an upper-case letter/, 'no upper 1!', 'no uppeR 1!'],
      ['Atleast One Special Character', /a special character/, 'nothing Special 1', 'something special!'],
    ]
    for (const [contains, lacking, without, having] of rules) {
      await setPolicy({ policy: 'Default', contains: [contains] })
      assert.equal((await setPassword(without)).status, 200, `${contains}, but not custom`)
      await setPolicy({ policy: 'Custom' })
      const { status, json } = await setPassword(without)
      assert.equal(status, 406, contains)
      assert.match(json.msg, lacking)
      assert.ok(!json.msg.includes(without), 'the password is not repeated')
      assert.equal((await setPassword(having)).status, 200, contains)
    }
    await setPolicy({ contains: rules.map(([contains]) => contains) })
    const { json } = await setPassword('        ')
    for (const [, lacking] of rules) assert.match(json.msg, lacking)
  })

  test('takes no password again until as many others have been in between', async (t) => {
    const { setPassword, setPolicy } = await serve(t)
    await setPolicy({ policy: 'Custom', 'number-of-passwords-to-lookup': 3 })
    assert.equal((await setPassword('first Secret 1!')).status, 406, 'the one that it is')
    for (const other of ['second Secret', 'third Secret'])
      assert.equal((await setPassword(other)).status, 200)
    assert.equal((await setPassword('first Secret 1!')).status, 406)
    assert.equal((await setPassword('fourth Secret')).status, 200)
    assert.equal((await setPassword('first Secret 1!')).status, 200)
    assert.equal((await setPassword('third Secret')).status, 406)
  })

  test('lets passwords expire after the time that it says', async (t) => {
    const { baseUrl, clock, setPolicy, logInAs } = await serve(t)
    await setPolicy({ policy: 'Custom', 'expiry-time': 'Other', 'other-expiry-time': 30 })
    clock.advance(30 * dayMs)
    assert.equal(await logInAs('olga', 'first Secret 1!'), 200)
    const { call } = await logIn(baseUrl)
    clock.advance(1)
    assert.equal(await logInAs('olga', 'first Secret 1!'), 401)
    assert.equal((await call('PUT', 'users/olga', { password: 'second Secret' })).status, 200)
    assert.equal(await logInAs('olga', 'second Secret'), 200)
    const times: [expiry: string, days: number][] = [
      ['3 Months', 91],
      ['6 Months', 182],
      ['1 Year', 365],
    ]
    for (const [expiry, days] of times) {
      const changed = await call('PUT', 'system/password-policy', { 'expiry-time': expiry })
      assert.equal(changed.status, 200)
      clock.advance(days * dayMs)
      assert.equal(await logInAs('olga', 'second Secret'), 200, expiry)
      clock.advance(1)
      assert.equal(await logInAs('olga', 'second Secret'), 401, expiry)
      clock.advance(-days * dayMs - 1)
    }
  })

  test('is kept by whoever changes other members, and by repeating the password', async (t) => {
    const { admin, logInAs } = await serve(t)
    const different = { password: 'a new Secret 1', 're-enter-password': 'another Secret 1' }
    assert.equal((await admin.call('PUT', 'users/olga', different)).status, 406)
    assert.equal((await admin.call('PUT', 'users/olga', { password: '' })).status, 406)
    const repeated = { password: 'a new Secret 1', 're-enter-password': 'a new Secret 1' }
    assert.equal((await admin.call('PUT', 'users/olga', repeated)).status, 200)
    assert.equal((await admin.call('PUT', 'users/olga', { 'email-address': 'olga@example.org' })).status, 200)
    assert.equal(await logInAs('olga', 'a new Secret 1'), 200, 'no change brings the earlier password back')
    assert.equal(await logInAs('olga', 'first Secret 1!'), 401)
  })
})
