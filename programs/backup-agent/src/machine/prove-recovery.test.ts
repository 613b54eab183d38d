import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { HostFailure } from '../hosts/failure.ts'
import { SimulatedHost } from '../hosts/simulated/simulated-host.ts'
import { temporaryDirectory } from '../testing/temporary-directory.ts'
import { type ProofRequest, proveRecovery } from './prove-recovery.ts'

function requestFor(t: TestContext, more: Partial<ProofRequest> = {}): ProofRequest {
  const path = join(temporaryDirectory(t), 'disk.vhdx')
  writeFileSync(path, '')
  const machine = {
    id: randomUUID(),
    name: 'proof',
    firmware: 'bios' as const,
    cores: 1,
    memoryMebibytes: 512,
    disks: [{ path, format: 'vhdx' }],
  } as const
  return { machine, timeoutMs: 60_000, everyMs: 5, removeDisks: true, ...more }
}

/** As OVMF says it on the serial line. */
const firmwareShell =
  'BdsDxe: starting Boot0003 "EFI Internal Shell"\r\n\x1b[2J\x1b[01;01HUEFI Interactive Shell v2.2\r\nPress ESC in 5 seconds to skip startup.nsh or '

const never = new AbortController().signal

test('what a guest says decides, and nothing of the machine is left', async (t) => {
  const cases = [
    ['Debian GNU/Linux 12 web01 ttyS0\r\n\r\nweb01 login: ', 'runs', /asks who logs in/],
    ['[  OK  ] Reached target Multi-User System.\r\n', 'runs', /has started its services/],
    ['BdsDxe: No bootable option or device was found.\r\n', 'fails', /nothing to start from/],
    [`${firmwareShell}any other key to continue.\r\n\x1b[1m\x1b[33m\x1b[40mShell> `, 'fails', /no loader/],
    [`${firmwareShell}any other key`, 'unclear', /ran for/],
    [`${firmwareShell}any other key to continue.\r\nweb01 login: `, 'runs', /logs in/],
    ['error: no such partition.\r\nEntering rescue mode...\r\ngrub rescue> ', 'fails', /boot loader/],
    ['[    1.1] Kernel panic - not syncing: VFS', 'fails', /cannot go on/],
    ['ALERT!  UUID=1234 does not exist.  Dropping to a shell!\r\n', 'fails', /root/],
    ['web01 says: login failed before\r\n', 'unclear', /ran for \d+ seconds/],
  ] as const
  let ran = 0
  for (const [serialOutput, verdict, reason] of cases) {
    const host = new SimulatedHost({ serialOutput })
    const request = requestFor(t, verdict === 'unclear' ? { timeoutMs: 30 } : {})
    const proof = await proveRecovery(host.driver(), request, never)
    assert.equal(proof.verdict, verdict, serialOutput)
    assert.match(proof.reason, reason)
    assert.equal(proof.output, serialOutput.replaceAll('\r', ''))
    assert.equal(host.machines.size, 0)
    assert.ok(!existsSync(request.machine.disks[0]?.path ?? ''))
    ran++
  }
  assert.equal(ran, cases.length)
})

test('a sign of one’s own counts, and disks are kept on demand', async (t) => {
  const host = new SimulatedHost({ serialOutput: 'the shop is open\n' })
  const request = requestFor(t, { signOfLife: /shop is open/, removeDisks: false })
  const { verdict } = await proveRecovery(host.driver(), request, never)
  assert.equal(verdict, 'runs')
  assert.ok(existsSync(request.machine.disks[0]?.path ?? ''))
})

test('the machine has no network and records its serial line', async (t) => {
  const host = new SimulatedHost({ serialOutput: 'x login: ' })
  const driver = host.driver()
  const defined: object[] = []
  const define = driver.define.bind(driver)
  driver.define = async (definition, signal) => {
    defined.push(definition)
    await define(definition, signal)
  }
  await proveRecovery(driver, requestFor(t), never)
  assert.equal(defined.length, 1)
  assert.ok(
    defined.every((one) => 'recordSerial' in one && one.recordSerial === true && !('switchId' in one)),
  )
})

test('a host that does not start the machine is the failure, and nothing is left there', async (t) => {
  const host = new SimulatedHost()
  host.failNext('start', new HostFailure({ code: 'host-error' }, 'no'))
  await assert.rejects(proveRecovery(host.driver(), requestFor(t), never), HostFailure)
  assert.equal(host.machines.size, 0)
})

test('a proof that is cancelled removes its machine', async (t) => {
  const host = new SimulatedHost()
  const stop = new AbortController()
  const proving = proveRecovery(host.driver(), requestFor(t), stop.signal)
  setTimeout(() => stop.abort(new Error('enough')), 20)
  await assert.rejects(proving)
  assert.equal(host.machines.size, 0)
})
