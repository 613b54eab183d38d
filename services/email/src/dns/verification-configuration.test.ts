import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { Compile } from 'typebox/compile'
import { type EmailConfiguration, EmailConfigurationSchema } from '../configuration.ts'
import { configuration, serveEmail } from '../testing/email-service.ts'

onEveryStore('the configuration of verification', (newStore) => {
  test('is refused where it is wrong, with the member named', async () => {
    const form = Compile(EmailConfigurationSchema)
    for (const wrong of [
      { nameServers: '::1' },
      { nameServers: [''] },
      { mailHost: '' },
      { nameServer: [] },
    ]) {
      const verification = { nameServers: [], ...wrong }
      assert.equal(form.Check({ ...configuration, verification }), false, JSON.stringify(wrong))
    }
    const store = await newStore()
    const serve = (verification: EmailConfiguration['verification']) =>
      serveEmail(store, { ...configuration, verification })
    const servers = [
      'localhost',
      '127.0.0.1:99999',
      '[::1]:0',
      '127.0.0.1:',
      '127.0.0.1:65536',
      '1.2.3',
      'fe80::1%lo',
    ]
    for (const server of servers) {
      await assert.rejects(serve({ nameServers: ['127.0.0.1', server] }), {
        message: `The configuration of email is not valid:\n  email.verification.nameServers.1 must be an address such as 192.0.2.1, or an address and a port such as [::1]:53`,
      })
    }
    for (const mailHost of ['no host', '127.0.0.1', `${'a.'.repeat(110)}example`]) {
      await assert.rejects(serve({ nameServers: [], mailHost }), {
        message: `The configuration of email is not valid:\n  email.verification.mailHost must be the name of a host, of at most 212 characters`,
      })
    }
    const nameServers = ['127.0.0.1', '127.0.0.1:5353', '::1', '[::1]', '[::1]:5353']
    await (await serve({ nameServers, mailHost: 'Mail.Example.' })).close()
  })
})
