import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostFailure } from '../failure.ts'
import { runBounded } from '../run-bounded.ts'
import type { Accelerator } from './command-line.ts'
import { giveTo, type MachineUser } from './machine-user.ts'

/** A BIOS that works needs a tenth of it. */
const probeTimeoutMs = 5_000

/**
 * Whether KVM runs machines here, found out by running one: `/dev/kvm` can be there, and open, and answer, and machines
 * still hang in their first instructions, or stop at the first one that KVM has to emulate and cannot (both seen with nested
 * virtualisation; UEFI then stops when it sets up the floating-point unit). The machine has one sector, which ends QEMU.
 *
 * @param user who is to run machines; the agent's own when left out
 */
export async function chooseAccelerator(
  program: string,
  user: MachineUser | undefined = undefined,
): Promise<Accelerator> {
  const directory = await mkdtemp(join(tmpdir(), 'palisade-kvm-'))
  try {
    const sector = join(directory, 'sector.raw')
    await writeFile(sector, bootSector())
    await giveTo(sector, user)
    await chmod(directory, 0o711)
    const { status } = await runBounded(program, probeParameters, {
      timeoutMs: probeTimeoutMs,
      directory,
      ...(user === undefined ? {} : { user }),
    })
    return status === exitStatusOfSector ? 'kvm' : 'tcg'
  } catch (error) {
    if (error instanceof HostFailure && error.problem.code === 'timed-out') return 'tcg'
    throw error
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const probeParameters = [
  ...['-nodefaults', '-no-user-config', '-machine', 'pc', '-accel', 'kvm', '-cpu', 'host', '-m', '32'],
  ...['-display', 'none', '-vga', 'none', '-nic', 'none'],
  ...['-device', 'isa-debug-exit,iobase=0xf4,iosize=1'],
  ...['-drive', 'file=sector.raw,format=raw,if=ide'],
]

/** QEMU's `isa-debug-exit` ends it with twice the written byte plus one. */
const byteOfSector = 0x15
const exitStatusOfSector = byteOfSector * 2 + 1

/** A sector that a BIOS starts: `wait; fninit; mov al, 0x15; out 0xf4, al; hlt`. */
function bootSector(): Buffer {
  const sector = Buffer.alloc(512)
  sector.set([0x9b, 0xdb, 0xe3, 0xb0, byteOfSector, 0xe6, 0xf4, 0xf4])
  sector.set([0x55, 0xaa], 510)
  return sector
}
