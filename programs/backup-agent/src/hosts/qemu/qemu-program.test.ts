import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'
import { HostFailure, type HostProblem } from '../failure.ts'
import type { MachineDefinition } from '../machine.ts'
import { QemuProgram } from './qemu-program.ts'

const definition: MachineDefinition = {
  id: '6c1f9f0c-5a5b-4f0e-9b0e-0d9b8f1c2a34',
  name: 'payroll',
  firmware: 'bios',
  cores: 1,
  memoryMebibytes: 64,
  disks: [
    { path: '/disks/first.vhd', format: 'vhd' },
    { path: '/disks/second.raw', format: 'raw' },
  ],
}

/** A program that says this, wherever QEMU would say it, and ends as QEMU would. */
function programThat(
  t: TestContext,
  says: { stdout?: string; stderr?: string; status: number },
): QemuProgram {
  const path = join(temporaryDirectory(t), 'qemu')
  const { stdout = '', stderr = '', status } = says
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const script = `#!/bin/sh\nprintf '%s' ${quoted(stdout)}\nprintf '%s' ${quoted(stderr)} >&2\nexit ${status}\n`
  writeFileSync(path, script, { mode: 0o700 })
  return new QemuProgram(path, 'tcg')
}

async function problemOf(work: Promise<unknown>): Promise<{ problem: HostProblem; message: string }> {
  const failure = await work.then(() => undefined).catch((error: unknown) => error)
  assert.ok(failure instanceof HostFailure)
  return failure
}

test('says its version, and what it says instead when it has none', async (t) => {
  const program = programThat(t, { stdout: 'QEMU emulator version 7.2.19 (Debian 1:7.2)', status: 0 })
  assert.equal(await program.version(), '7.2.19')
  const broken = await problemOf(programThat(t, { stderr: 'no libpng\nat all', status: 127 }).version())
  assert.equal(broken.problem.code, 'host-error')
  assert.match(broken.message, /does not say its version: no libpng$/)
})

const parts = { accelerator: 'tcg', firmware: undefined, network: undefined, socketName: 'qmp' } as const

/** Starts the machine of these tests, in a folder of its own. */
function start(t: TestContext, program: QemuProgram, diskNames: readonly string[] = []): Promise<void> {
  const directory = temporaryDirectory(t)
  const place = { id: definition.id, socketPath: join(directory, 'qmp') }
  const how = { place, directory, descriptors: [], parameters: [], user: undefined, isConfined: true }
  return program.start(definition, { ...parts, diskNames }, how, async () => {}, undefined)
}

for (const [what, stderr, problem] of [
  [
    'a disk by its path',
    'qemu: Could not open /disks/second.raw: Permission denied',
    { code: 'disk-unusable', path: '/disks/second.raw' },
  ],
  [
    'a disk by its node',
    'qemu: Failed to get "write" lock of node "disk0"',
    { code: 'disk-unusable', path: '/disks/first.vhd' },
  ],
  [
    'a disk by its descriptor',
    "qemu: Could not open '/dev/fdset/4': Invalid argument",
    { code: 'disk-unusable', path: '/disks/second.raw' },
  ],
  ['nothing that is known', 'qemu: something else\nmore of it', { code: 'host-error' }],
] as const) {
  test(`says that a machine does not start, when QEMU names ${what}`, async (t) => {
    const program = programThat(t, { stderr, status: 1 })
    const failure = await problemOf(start(t, program, ['/dev/fdset/3', '/dev/fdset/4']))
    assert.deepEqual(failure.problem, problem)
    assert.equal(failure.message, `QEMU does not start the machine: ${stderr.split('\n', 1)[0]}`)
  })
}

test('says how much memory a machine can have when QEMU gets none', async (t) => {
  const stderr = 'qemu: cannot set up guest memory: Cannot allocate memory'
  const program = programThat(t, { stderr, status: 1 })
  const { problem } = await problemOf(start(t, program))
  assert.ok(problem.code === 'memory-out-of-range')
  assert.deepEqual([problem.minimum, problem.provided], [32, 64])
  assert.ok(problem.maximum > 0)
})
