import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { createLog } from '@palisade/platform'
import { onEveryStore } from '@palisade/platform/testing'
import { logIn } from '../testing/client.ts'
import { everyRow } from '../testing/every-row.ts'
import { administrator, serveFirewall } from '../testing/firewall.ts'

/** Texts that are nowhere else. */
const secrets = {
  provisioned: administrator.password,
  created: 'Zyxwvu-created-1',
  changed: 'Zyxwvu-changed-2',
  refused: 'zyxwv#7',
  guessed: 'Zyxwvu-guessed-3',
}

onEveryStore('passwords of administrators', (newStore) => {
  test('are in no reply, no log, no entry of the audit log and no row of the store', async (t) => {
    const lines: string[] = []
    const destination = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk))
        done()
      },
    })
    const store = await newStore()
    const served = await serveFirewall({ store, log: createLog('trace', destination) })
    t.after(() => served.close())
    const client = await logIn(served.baseUrl)
    const user = { name: 'olga', role: 'guest', 'email-address': 'olga@example.com' }
    const bodies: [method: string, path: string, body: unknown][] = [
      ['POST', 'users', { ...user, password: secrets.created, 're-enter-password': secrets.created }],
      ['POST', 'users', { ...user, password: secrets.created }],
      ['POST', 'users', { ...user, name: 'ivan', password: secrets.refused }],
      ['PUT', 'users/olga', { password: secrets.changed }],
      ['PUT', 'users/olga', { password: [secrets.changed] }],
      ['PUT', 'users/olga', { password: secrets.changed, 're-enter-password': secrets.created }],
      ['PUT', 'users/olga', `{"password":"${secrets.changed}"`],
      ['GET', 'users', undefined],
      ['GET', 'users/olga', undefined],
      ['GET', 'users?parameters=password', undefined],
      ['GET', 'users?parameters=earlier-passwords', undefined],
      ['POST', 'login', { username: 'olga', password: secrets.guessed }],
      ['POST', 'login', { username: 'olga', password: { of: secrets.guessed } }],
      ['DELETE', 'users/olga', undefined],
      ['GET', 'audit-logs?limit=1000', undefined],
    ]
    const replies: string[] = []
    for (const [method, path, body] of bodies) replies.push((await client.call(method, path, body)).text)
    const audit = replies.at(-1) ?? ''
    assert.ok(audit.includes('(hidden)'), 'that a password was set is told')
    const rows = await everyRow(store)
    assert.ok(rows.length > 1_000, `${rows.length} characters`)
    const places = { replies: replies.join(), rows, log: lines.join() }
    for (const [name, secret] of Object.entries(secrets)) {
      const encoded = Buffer.from(secret).toString('base64').slice(0, -4)
      for (const [place, text] of Object.entries(places)) {
        assert.ok(!text.includes(secret), `${name} in the ${place}`)
        assert.ok(!text.includes(encoded), `${name} in the ${place}, as base64`)
      }
    }
    assert.ok(!rows.includes('$argon2'), 'not even their hashes are readable in the store')
    assert.ok(!replies.join().includes('$argon2'))
  })
})
