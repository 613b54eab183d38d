import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { startHeartbeat } from './heartbeat.ts'

class FakePulse extends EventEmitter {
  pings = 0
  ping() {
    this.pings++
  }
}

const [heartbeatMs, linkMaxMs] = [10_000, 30_000]

test('pings at the heartbeat, and takes a server for dead that was silent for too long', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const socket = new FakePulse()
  let silences = 0
  const stop = startHeartbeat(socket, { heartbeatMs, linkMaxMs }, () => silences++)
  for (const sign of ['pong', 'ping', 'message']) {
    t.mock.timers.tick(linkMaxMs - 1)
    assert.equal(silences, 0)
    socket.emit(sign)
  }
  assert.equal(socket.pings, Math.floor((3 * (linkMaxMs - 1)) / heartbeatMs))
  t.mock.timers.tick(linkMaxMs)
  assert.equal(silences, 1)
  stop()
  t.mock.timers.tick(linkMaxMs * 2)
  assert.equal(silences, 1)
})
