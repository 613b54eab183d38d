import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { heartbeatMs, silenceMaxMs } from '@palisade/agent-protocol/wire'
import { startHeartbeat } from './heartbeat.ts'

class FakePulse extends EventEmitter {
  pings = 0
  ping() {
    this.pings++
  }
}

test('pings at the heartbeat, and takes a server for dead that was silent for too long', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  const socket = new FakePulse()
  let silences = 0
  const stop = startHeartbeat(socket, () => silences++)
  for (const sign of ['pong', 'ping', 'message']) {
    t.mock.timers.tick(silenceMaxMs - 1)
    assert.equal(silences, 0)
    socket.emit(sign)
  }
  assert.equal(socket.pings, Math.floor((3 * (silenceMaxMs - 1)) / heartbeatMs))
  t.mock.timers.tick(silenceMaxMs)
  assert.equal(silences, 1)
  stop()
  t.mock.timers.tick(silenceMaxMs * 2)
  assert.equal(silences, 1)
})
