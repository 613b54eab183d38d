/**
 * Who a machine's QEMU is. A guest that breaks out of its machine has the rights of that user, so an agent that is root gives each machine
 * one of its own, which nobody else is and which owns nothing: QEMU gets its files open, and needs no rights to any. The numbers are from
 * a range that no distribution and no service of systemd gives to anybody (systemd, "Users, Groups, UIDs and GIDs on systemd Systems").
 */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { chown } from 'node:fs/promises'

/** A user and group of the system. */
export interface MachineUser {
  readonly uid: number
  readonly gid: number
}

const ownFirst = 0x7000_0000
const ownCount = 0x0fff_0000
const kvmDevice = '/dev/kvm'
const groupMayReadAndWrite = 0o060

/**
 * The user of a machine.
 *
 * @param chosen whom the owner of the computer names; each machine has one of its own when it is left out
 * @returns undefined for the agent's own user, as always where that is not root
 */
export function userOfMachine(machineId: string, chosen: MachineUser | undefined): MachineUser | undefined {
  if (process.getuid?.() !== 0 || chosen?.uid === 0) return undefined
  const number = createHash('sha256').update(`palisade machine ${machineId}`).digest().readUInt32BE(0)
  const uid = ownFirst + (number % ownCount)
  return withKvm(chosen ?? { uid, gid: uid })
}

/** In the group that may use KVM, where the system has one: the machine would compute every instruction otherwise. */
function withKvm(user: MachineUser): MachineUser {
  const { gid, mode } = statSync(kvmDevice, { throwIfNoEntry: false }) ?? { gid: 0, mode: 0 }
  const isOpenToGroup = gid !== 0 && (mode & groupMayReadAndWrite) === groupMayReadAndWrite
  return isOpenToGroup ? { ...user, gid } : user
}

/**
 * A user that is named on the command line.
 *
 * @param text a name of the system's list of users, or a number
 * @throws Error of one sentence when there is no such user
 */
export function namedUser(text: string): MachineUser {
  if (/^\d{1,10}$/.test(text)) return { uid: Number(text), gid: Number(text) }
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name === text) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(`--machine-user: there is no user ${text} on this computer`)
}

/** Gives something in a folder of this agent's alone to a machine's user. */
export async function giveTo(path: string, user: MachineUser | undefined): Promise<void> {
  if (user !== undefined) await chown(path, user.uid, user.gid)
}
