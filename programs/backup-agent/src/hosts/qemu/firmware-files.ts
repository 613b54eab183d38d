import { existsSync } from 'node:fs'

/** UEFI for a machine: its code, shared by all, and the empty variable store that each machine gets a copy of. */
export interface FirmwareFiles {
  readonly code: string
  readonly variables: string
}

/**
 * Where distributions put OVMF without Secure Boot. Code and variables belong together in size, and raw files are
 * meant, not the qcow2 ones.
 */
const candidates: readonly FirmwareFiles[] = [
  // Debian and Ubuntu, "ovmf"
  { code: '/usr/share/OVMF/OVMF_CODE_4M.fd', variables: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
  { code: '/usr/share/OVMF/OVMF_CODE.fd', variables: '/usr/share/OVMF/OVMF_VARS.fd' },
  // Fedora and its relatives, "edk2-ovmf"
  { code: '/usr/share/edk2/ovmf/OVMF_CODE.fd', variables: '/usr/share/edk2/ovmf/OVMF_VARS.fd' },
  // Arch, "edk2-ovmf"
  { code: '/usr/share/edk2/x64/OVMF_CODE.4m.fd', variables: '/usr/share/edk2/x64/OVMF_VARS.4m.fd' },
  // QEMU's own
  { code: '/usr/share/qemu/edk2-x86_64-code.fd', variables: '/usr/share/qemu/edk2-i386-vars.fd' },
]

/** The UEFI of this machine's QEMU; undefined when none is installed. */
export function findFirmwareFiles(): FirmwareFiles | undefined {
  return candidates.find(({ code, variables }) => existsSync(code) && existsSync(variables))
}
