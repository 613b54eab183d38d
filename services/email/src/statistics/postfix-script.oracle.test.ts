import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { onEveryStore, settableClock } from '@palisade/platform/testing'
import { configuration, serveEmail } from '../testing/email-service.ts'
import { statistics } from '../testing/mail-reports.ts'

const page = new URL('../../../../docs/operating/mail-statistics.md', import.meta.url)

/** Lines as Postfix writes them, which the journal has of the hour before. */
const journal = `
postfix/smtpd[1]: NOQUEUE: reject: RCPT from a[192.0.2.1]: 554 5.7.1 <u@example.org>: Relay access denied; from=<x@y> to=<u@example.org> proto=ESMTP
postfix/smtpd[1]: NOQUEUE: reject: RCPT from a[192.0.2.1]: 450 4.7.1 <u@example.org>: Greylisted; from=<x@y> to=<u@example.org> proto=ESMTP
postfix/lmtp[1]: A: to=<u@example.org>, relay=x, delay=1, dsn=2.0.0, status=sent (250 2.0.0 ok)
postfix/lmtp[1]: B: to=<Another.User@Example.ORG>, relay=x, delay=1, dsn=2.0.0, status=sent (250 2.0.0 ok)
postfix/virtual[1]: F: to=<u@EXAMPLE.ORG>, relay=x, delay=1, dsn=2.0.0, status=sent (delivered to maildir)
postfix/lmtp[1]: C: to=<u@example-org>, relay=x, delay=1, dsn=2.0.0, status=sent (250 2.0.0 ok)
postfix/lmtp[1]: D: to=<u@mail.example.org>, relay=x, delay=1, dsn=2.0.0, status=sent (250 2.0.0 ok)
postfix/lmtp[1]: E: to=<u@example.org>, relay=x, delay=1, dsn=4.2.2, status=deferred (mailbox full)
`

onEveryStore('the script of the operators’ page', (newStore) => {
  test('reports what Postfix did with mail for the domain, once', {
    skip: !['jq', 'curl'].every((name) => existsSync(`/usr/bin/${name}`)) && 'jq or curl is not installed',
  }, async (t) => {
    const hour = '2030-03-10T11:00:00.000Z'
    const served = await serveEmail(
      await newStore(),
      configuration,
      settableClock(Date.UTC(2030, 2, 10, 12, 5)),
    )
    const bin = mkdtempSync(join(tmpdir(), 'palisade-postfix-'))
    t.after(async () => {
      await served.close()
      rmSync(bin, { recursive: true })
    })
    writeFileSync(join(bin, 'journalctl'), `#!/bin/sh\ncat <<'END'${journal}END\n`, { mode: 0o755 })
    const [, script = ''] = /```sh\n(#!\/bin\/sh\n[^`]*)```/.exec(readFileSync(page, 'utf8')) ?? []
    const command = script.replace(/BASE=\S+/, `BASE=${served.baseUrl}`).replace('1 hour ago', hour)
    const env = { PATH: `${bin}:/usr/bin:/bin`, CLIENT_ID: 'checker', CLIENT_SECRET: 'ch3ck' }
    for (const isNew of [true, false]) {
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { env })
      assert.equal(JSON.parse(stdout).isNew, isNew)
    }
    const { inbound } = await statistics(served, '?period=1h&count=2')
    assert.deepEqual(inbound, {
      'allowed:none:none': { [hour]: 3 },
      'blocked:none:recipient_policies': { [hour]: 1 },
      'deferred:none:recipient_policies': { [hour]: 1 },
    })
  })
})
