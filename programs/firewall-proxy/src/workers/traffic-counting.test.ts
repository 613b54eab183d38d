import assert from 'node:assert/strict'
import { test } from 'node:test'
import { counterNames } from '@palisade/proxy-protocol'
import { carried, exchangeBytes } from '../testing/carried.ts'
import { TrafficCounting } from './traffic-counting.ts'

test('a request is counted as one of another method, whatever that is called', async (t) => {
  const { port, exchanges } = await carried(t, { application: (_, response) => response.end() })
  const methods = ['GET', 'get', 'DEBUG', 'constructor', '__proto__', 'toString']
  for (const method of methods) await exchangeBytes(port, `${method} / HTTP/1.1\r\nHost: a\r\n\r\n`)
  const counting = new TrafficCounting()
  for (const exchange of exchanges) counting.ended(exchange, 0)
  const [counted] = counting.take(0)
  assert.deepEqual([counted?.counts['requests-get'], counted?.counts['requests-other-method']], [1, 5])
  const names: readonly string[] = counterNames
  assert.deepEqual(
    Object.keys(counted?.counts ?? {}).filter((name) => !names.includes(name)),
    [],
  )
})

test('a request that is denied is counted once, however many rules it breaks; one that is only logged is not', () => {
  const counting = new TrafficCounting()
  counting.attacks('shop', [
    { time: 0, action: 'DENY' },
    { time: 0, action: 'DENY' },
    { time: 0, action: 'LOG' },
  ])
  counting.attacks('shop', [{ time: 0, action: 'DENY' }])
  counting.attacks('shop', [{ time: 0, action: 'LOG' }])
  const [counted] = counting.take(0)
  assert.deepEqual([counted?.counts['requests-denied'], counted?.counts['attacks-denied']], [2, 3])
})
