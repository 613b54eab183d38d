import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { HostFailure } from '../failure.ts'
import { machine, testHostConformance } from '../testing/conformance.ts'
import type { HostUnderTest } from '../testing/host-under-test.ts'
import { HyperVHost } from './hyper-v-host.ts'
import { hyperVScript } from './script.ts'
import { SimulatedShell } from './simulated-shell.ts'

function hyperV(t: TestContext): { readonly shell: SimulatedShell; readonly host: HostUnderTest } {
  const shell = new SimulatedShell()
  const driver = new HyperVHost({ shell })
  const again = () => new HyperVHost({ shell })
  const directory = temporaryDirectory(t)
  return { shell, host: { driver, again, directory, switchId: shell.switchId, diskFormat: 'vhd' } }
}

testHostConformance('Hyper-V in a simulated shell', async (t) => hyperV(t).host)

test('Hyper-V: the script is always the same, and what comes from outside is data in ASCII', async (t) => {
  const { shell, host } = hyperV(t)
  const name = `'; Remove-Item C:\\ -Recurse; "ä$(x)\u2019`
  await host.driver.define({ ...machine(host), name })
  assert.ok(shell.runs.length > 0)
  for (const { script, input } of shell.runs) {
    assert.equal(script, hyperVScript)
    assert.match(input, /^[\x20-\x7e]*$/)
  }
  assert.ok(shell.runs.some(({ input }) => JSON.parse(input).parameters.name === name))
})

test('Hyper-V: a generation 2 machine gets its disks on SCSI, a generation 1 machine on IDE', async (t) => {
  const { shell, host } = hyperV(t)
  for (const [firmware, generation, controller] of [
    ['bios', 1, 'IDE'],
    ['uefi', 2, 'SCSI'],
  ] as const) {
    const disks = [...machine(host).disks, ...machine(host).disks, ...machine(host).disks]
    await host.driver.define({ ...machine(host), firmware, disks, switchId: shell.switchId })
    const { command, parameters } = JSON.parse(shell.runs.at(-1)?.input ?? '')
    assert.equal(command, 'define')
    assert.equal(parameters.generation, generation)
    assert.equal(parameters.switchId, shell.switchId)
    assert.deepEqual(
      parameters.disks.map(({ controller, number, location }: Record<string, unknown>) => [
        controller,
        number,
        location,
      ]),
      generation === 1
        ? [
            [controller, 0, 0],
            [controller, 0, 1],
            [controller, 1, 0],
          ]
        : [
            [controller, 0, 0],
            [controller, 0, 1],
            [controller, 0, 2],
          ],
    )
  }
})

test('Hyper-V: what a killed script left is unfinished and can be removed, and others are left alone', async (t) => {
  const { shell, host } = hyperV(t)
  const ids = [machine(host).id, machine(host).id]
  const [first = '', second = ''] = ids
  shell.machines.set(first, { id: first, name: `palisade-${first}`, notes: '', state: 'Off' })
  shell.machines.set(second, { id: second, name: 'half', notes: `palisade:0:${second}`, state: 'Off' })
  shell.machines.set('x', { id: 'x', name: 'theirs', notes: 'palisade is great', state: 'Running' })
  assert.deepEqual(
    (await host.driver.list()).map(({ id, state }) => [id, state]),
    ids.map((id) => [id, 'unfinished']),
  )
  assert.deepEqual(await host.driver.find('THEIRS'), { name: 'theirs' })
  for (const id of ids) await host.driver.remove(id, { disks: true })
  assert.deepEqual([...shell.machines.keys()], ['x'])
})

test('Hyper-V: credentials go in as data and come out in no failure', async (t) => {
  const { shell } = hyperV(t)
  const credentials = { userName: 'EXAMPLE\\operator', password: 'wonderful-secret' }
  const driver = new HyperVHost({ shell, remote: { computerName: 'hv01', credentials } })
  shell.nextReply = {
    ok: false,
    id: 'AccessDenied,Get-VMHost',
    category: 'PermissionDenied',
    message: 'denied',
  }
  const [reason] = await driver.unsupportedReasons()
  assert.equal(reason?.code, 'access-denied')
  assert.deepEqual(JSON.parse(shell.runs[0]?.input ?? '').credentials, credentials)
  shell.nextReply = 'nonsense'
  const failure: unknown = await driver.capabilities().catch((error: unknown) => error)
  assert.ok(failure instanceof HostFailure)
  assert.doesNotMatch(`${failure.message}${JSON.stringify(failure)}`, /wonderful-secret/)
})
