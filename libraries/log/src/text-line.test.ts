import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { createLog } from './create-log.ts'
import { textLine } from './text-line.ts'

/** What is written for people, without colours. */
function textOf(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('trace', { write: (line) => void lines.push(textLine(line, false)) }))
  return lines.join('')
}

test('has the local time, the level, what is told, and members by name', () => {
  const text = textOf((log) => {
    log.info({ ports: { http: 8000 }, services: 3 }, 'ready')
    log.warn({ reason: 'connect ECONNREFUSED', proxy: 'p1', empty: '' }, 'the management is away')
    log.error('plain')
  })
  const [first = '', second = '', third = ''] = text.split('\n')
  assert.match(
    first,
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} INFO {2}ready {2}ports=\{"http":8000\} services=3$/,
  )
  assert.match(second, / WARN {2}the management is away {2}reason="connect ECONNREFUSED" proxy=p1 empty=""$/)
  assert.match(third, / ERROR plain$/)
})

test('is in the time zone of the process', (t) => {
  const before = process.env.TZ
  t.after(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
  process.env.TZ = 'Asia/Kolkata'
  const line = '{"level":30,"time":"2030-01-31T23:59:59.123Z","msg":"x"}\n'
  assert.equal(textLine(line, false), '2030-02-01 05:29:59.123 INFO  x\n')
})

test('shows an error with its causes, and from where it was thrown', () => {
  const error = new Error('cannot be read', { cause: new Error('disk on fire') })
  const [first = '', ...frames] = textOf((log) => log.error({ err: error, file: 'a b' }, 'failed'))
    .trimEnd()
    .split('\n')
  assert.match(first, / ERROR failed {2}file="a b" reason="cannot be read: disk on fire"$/)
  assert.ok(frames.length > 2)
  for (const frame of frames) assert.match(frame, /^ {4}(at |caused by)/)
})

test('has no secrets', () => {
  const text = textOf((log) => log.info({ password: 's3cret', one: { token: 's3cret' } }, 'x'))
  assert.doesNotMatch(text, /s3cret/)
  assert.match(text, /password=\[redacted\]/)
})

test('is coloured for a terminal, by the level', () => {
  const line = '{"level":50,"time":"2030-01-31T23:59:59.123Z","msg":"x","a":1}\n'
  const coloured = textLine(line, true)
  assert.ok(coloured.includes('\u001b[31mERROR\u001b[0m x'))
  assert.equal(stripVTControlCharacters(coloured), textLine(line, false))
})

test('gives a terminal no orders, wherever they stand', () => {
  const orders = [
    '\u001b[2J',
    '\u001b]0;title\u0007',
    '\u009b2J',
    '\r',
    '\n2030-01-01 00:00:00.000 INFO  forged',
    '\u0008',
    '\u007f',
    '\u202eevil',
    '\u2028',
    '\u0000',
    '\ud800',
  ]
  let ran = 0
  for (const order of orders) {
    const error = Object.assign(new Error(`message${order}`), { stack: `Error: x\n    at ${order}` })
    const text = textOf((log) => {
      log.info(
        { [`name${order}`]: 1, value: order, bare: `a${order}b`, inner: { deep: [order] } },
        `message${order}`,
      )
      log.error({ err: error }, 'failed')
    })
    const lines = text.trimEnd().split('\n')
    for (const line of lines) {
      assert.doesNotMatch(line, /[\p{Cc}\p{Cs}\u2028-\u202e]/u, JSON.stringify(order))
      assert.match(line, /^(\d{4}-\d\d-\d\d .*| {4}at)/, JSON.stringify(order))
    }
    assert.match(lines[0] ?? '', /message\\/, 'what was there is told, as an escape')
    ran++
  }
  assert.equal(ran, orders.length)
})
