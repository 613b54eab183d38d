import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { logIn } from '../testing/client.ts'
import { serveFirewall } from '../testing/firewall.ts'

onEveryStore('whoever asks for what nothing does', (newStore) => {
  test('is told so in the reply', async (t) => {
    const served = await serveFirewall({ store: await newStore() })
    t.after(() => served.close())
    const client = await logIn(served.baseUrl)
    let ran = 0
    for (const [method, path, body, sentence, withdrawn] of [
      [
        'PUT',
        'system/two-factor-auth',
        { 'enable-dual-authentication': 'Enable' },
        /not asked for a second proof/,
        { 'enable-dual-authentication': 'Disable' },
      ],
      [
        'PUT',
        'system/email-notifications',
        { 'smtp-server': 'mail.example.com' },
        /No mail is sent/,
        { 'smtp-server': '' },
      ],
      [
        'PUT',
        'system/ftp-access-logs',
        { 'server-ip': '192.0.2.1' },
        /not copied to FTP servers/,
        { 'server-ip': '' },
      ],
      [
        'PUT',
        'backup',
        { 'day-of-week': 'Daily' },
        /Nothing is backed up by itself/,
        { 'day-of-week': 'Off' },
      ],
      [
        'POST',
        'system/trap-receivers',
        { 'ip-address': '192.0.2.162', 'community-string': 'watch-the-walls', port: 162 },
        /No traps are sent/,
        undefined,
      ],
    ] as const) {
      const reply = await client.call(method, path, body)
      assert.ok(reply.status === 200 || reply.status === 201, reply.text)
      assert.match(String(reply.json.warning), sentence, path)
      ran++
      if (withdrawn === undefined) continue
      const after = await client.call(method, path, withdrawn)
      assert.equal(after.status, 200, after.text)
      assert.equal(after.json.warning, undefined, path)
    }
    assert.equal(ran, 5)
  })
})
