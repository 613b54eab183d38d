import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './create-log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void, level = 'trace'): string {
  const lines: string[] = []
  write(createLog(level, { write: (line) => void lines.push(line) }))
  return lines.join('')
}

const secretMembers = [
  'password',
  'currentPassword',
  'newPassword',
  'bof_ticket_pw',
  'api_key',
  'access_token',
  'token',
  'authorization',
  'client_secret',
  'clientSecret',
  'enrolmentKey',
  'credential',
  'credentials',
  'secretAccessKey',
  'sessionToken',
  'passphrase',
  'key',
  'privateKey',
  'naming',
  'sealing',
  'marking',
]

test('blots out every secret member, at the top and two levels deep', () => {
  let ran = 0
  for (const member of secretMembers) {
    const secret = { [member]: 's3cret', harmless: 'seen' }
    const text = logged((log) => log.info({ ...secret, one: secret, two: { deep: secret } }, 'message'))
    assert.doesNotMatch(text, /s3cret/, member)
    assert.equal(text.match(/\[redacted\]/g)?.length, 3, member)
    assert.equal(text.match(/seen/g)?.length, 3, member)
    ran++
  }
  assert.equal(ran, secretMembers.length)
})

test('blots out secrets that an error or a child log carries', () => {
  const error = Object.assign(new Error('refused'), { password: 's3cret', client_secret: 's3cret' })
  const text = logged((log) => log.child({ token: 's3cret' }).error({ err: error }, 'failed'))
  assert.doesNotMatch(text, /s3cret/)
  assert.match(text, /refused/)
})

test('leaves the logged object as it was', () => {
  const request = { headers: { authorization: 'Bearer s3cret' } }
  assert.doesNotMatch(
    logged((log) => log.info(request)),
    /s3cret/,
  )
  assert.equal(request.headers.authorization, 'Bearer s3cret')
})

test('writes one JSON object a line, from the given level on', () => {
  const text = logged((log) => {
    log.debug('too quiet')
    log.info({ ports: { http: 1 } }, 'two\nlines')
    log.error('loud')
  }, 'info')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      [30, 'two\nlines'],
      [50, 'loud'],
    ],
  )
  assert.deepEqual(lines[0].ports, { http: 1 })
  assert.match(lines[0].time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('writes nothing when silent', () => {
  assert.equal(
    logged((log) => log.fatal('nobody hears'), 'silent'),
    '',
  )
})
