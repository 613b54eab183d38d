import { arch, cpus, release, totalmem } from 'node:os'
import type { Hardware } from '@palisade/agent-protocol'

const architecturesOf64Bit: ReadonlySet<string> = new Set([
  'x64',
  'arm64',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
])

/** The machine that the agent runs on, as it is kept with revisions of boot volumes. */
export function ownHardware(): Hardware {
  return {
    cores: Math.max(1, cpus().length),
    memoryMebibytes: Math.max(1, Math.round(totalmem() / 1024 ** 2)),
    osVersion: release(),
    is64Bit: architecturesOf64Bit.has(arch()),
  }
}
