import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { testChecks, testPolicy } from '../testing/policies.ts'
import { ruleSetsOf } from '../testing/rules.ts'

const rules = ruleSetsOf(`SecRule ARGS "@rx evil" "id:1,phase:2,deny,status:403,log,msg:'evil'"`)

test('the address of a client is the last that a proxy before us tells, and goes to logs, rules and servers', async (t) => {
  let forwarded: string | undefined
  const { port, exchanges } = await carried(t, {
    application: (request, response) => {
      forwarded = request.headers['x-forwarded-for'] as string
      response.end('reached')
    },
    service: { checks: testChecks({ clientAddressHeader: 'x-real' }) },
  })
  const addressFor = async (header: string) => {
    await exchangeBytes(port, `GET / HTTP/1.1\r\nHost: a\r\n${header}\r\n`)
    return exchanges.at(-1)?.clientAddress
  }
  assert.equal(await addressFor(''), '127.0.0.1')
  assert.equal(await addressFor('X-Real: 192.0.2.9, 192.0.2.1\r\n'), '192.0.2.1')
  assert.equal(forwarded, '192.0.2.1, 127.0.0.1')
  assert.equal(await addressFor('X-Real: 2001:db8::7\r\n'), '2001:db8::7')
  assert.equal(await addressFor('X-Real: [2001:db8::7]:4000\r\n'), '2001:db8::7')
  assert.equal(await addressFor('X-Real: 192.0.2.1:4000\r\n'), '192.0.2.1')
  for (const address of ['2001:db8::1:2', '2001:db8:1:2:3:4:5:6']) {
    assert.equal(await addressFor(`X-Real: ${address}\r\n`), address, 'the last group is no port')
  }
  assert.equal(await addressFor('X-Real: nobody\r\n'), '127.0.0.1')
})

test('trusted clients are not checked, or only logged; others are met as ever', async (t) => {
  const meet = async (does: 'allow' | 'passive', client: string) => {
    const { port, exchanges } = await carried(t, {
      application: (_, response) => response.end('reached'),
      service: {
        inspection: { mode: 'active' },
        trustedProxies: ['127.0.0.1'],
        checks: testChecks({
          clientAddressHeader: 'x-real',
          trusted: { does, clients: ['192.0.2.0/24', '2001:db8::/32'] },
        }),
      },
      rules,
      policy: testPolicy(),
    })
    const answer = await exchangeBytes(port, `GET /?a=evil HTTP/1.1\r\nHost: a\r\nX-Real: ${client}\r\n\r\n`)
    return [/reached/.test(answer), exchanges[0]?.transaction?.matches.length]
  }
  assert.deepEqual(await meet('allow', '192.0.2.7'), [true, undefined])
  assert.deepEqual(await meet('passive', '2001:db8::7'), [true, 1])
  assert.deepEqual(await meet('allow', '198.51.100.7'), [false, 1])
})

test('clients of the block list are refused where the service blocks, and logged where it does not', async (t) => {
  const checks = testChecks({ blockedClients: ['127.0.0.0/8'] })
  const meet = async (mode: 'active' | 'passive') => {
    const { port, exchanges } = await carried(t, {
      application: (_, response) => response.end('reached'),
      service: { inspection: { mode }, checks },
      rules,
      policy: testPolicy(),
    })
    const answer = await exchangeBytes(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    return [/reached/.test(answer), exchanges[0]?.violations[0]?.action]
  }
  assert.deepEqual(await meet('active'), [false, 'DENY'])
  assert.deepEqual(await meet('passive'), [true, 'LOG'])
})
