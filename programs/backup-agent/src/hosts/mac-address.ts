import { createHash } from 'node:crypto'

/**
 * The address of a machine's network card, for hosts that do not choose one: always the same for one machine, and different
 * for two machines on a switch. It begins with what QEMU's machines have.
 */
export function macOf(machineId: string): string {
  const [one, two, three] = createHash('sha256').update(machineId).digest()
  return [0x52, 0x54, 0, one ?? 0, two ?? 0, three ?? 0]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join(':')
}
