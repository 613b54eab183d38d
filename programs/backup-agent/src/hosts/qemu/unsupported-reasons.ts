import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemCode } from '@palisade/private-files'
import { HostFailure } from '../failure.ts'
import type { UnsupportedReason } from '../host-driver.ts'
import { MachineFolder } from './machine-folder.ts'
import type { QemuProgram } from './qemu-program.ts'

/** What Linux has room for in the address of a local socket, without its final zero. */
const socketPathBytesMaximum = 107

/**
 * Why this computer cannot run machines, if it cannot: the folder of machines, or its QEMU.
 *
 * @param root the folder of machines, which need not be there yet
 */
export async function unsupportedReasons(root: string, program: QemuProgram): Promise<UnsupportedReason[]> {
  const reasons: UnsupportedReason[] = []
  const folder = new MachineFolder(root, '00000000-0000-0000-0000-000000000000')
  if (Buffer.byteLength(folder.socketPath) > socketPathBytesMaximum) {
    const message = `${root} is too long a path for machines; choose one of at most 60 bytes`
    reasons.push({ code: 'path-unusable', message })
  } else if (!(await canHoldFiles(root))) {
    const message = `there can be no folders in ${root}; choose a folder that the agent may write to`
    reasons.push({ code: 'path-unusable', message })
  }
  try {
    await program.version()
    if (!(await program.canBeConfined())) {
      const message =
        'this QEMU was built without seccomp, so a machine could do more than run; install another'
      reasons.push({ code: 'hypervisor-missing', message })
    }
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error
    reasons.push({ code: 'hypervisor-missing', message: `${error.message}; install QEMU for x86` })
  }
  return reasons
}

/** Whether files can be made in a folder, or in it once it and its parents are made; nothing is made. */
async function canHoldFiles(path: string): Promise<boolean> {
  try {
    if (!(await stat(path)).isDirectory()) return false
    await access(path, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    const parent = dirname(path)
    return systemCode(error) === 'ENOENT' && parent !== path && (await canHoldFiles(parent))
  }
}
