import { type HostQuestions, HostSilent } from '../agents/host-questions.ts'
import type { Computer } from '../computers/computers.ts'
import { RequestInvalid } from '../envelope.ts'
import type { Hosts } from '../hosts/hosts.ts'
import type { RestoreRecord } from '../tasks/task.ts'
import type { Tasks } from '../tasks/tasks.ts'
import { machineMessages } from './messages.ts'

/**
 * Removes the machine that a restore made, running or not, with its disks. May be asked for again when it failed in between.
 *
 * @returns whether there was one, as far as this server knows
 * @throws RequestInvalid when the agent cannot be reached, or its host does not remove it
 */
export async function removeMachine(
  computer: Computer,
  { id, request, machine: made }: RestoreRecord,
  { tasks, hosts, hostQuestions }: { tasks: Tasks; hosts: Hosts; hostQuestions: HostQuestions },
): Promise<boolean> {
  const { machine } = request
  if (!machine || !made) return false
  const registered = await hosts.find(computer, machine.hostId)
  const host = registered ? hosts.addressOf(computer, registered) : machine.make.host
  try {
    await hostQuestions.check(computer, { about: 'removal', machineId: made.id, host })
  } catch (error) {
    if (error instanceof HostSilent) throw new RequestInvalid([machineMessages.hostUnusable(error.message)])
    throw error
  }
  await tasks.forgetMachine(id)
  return true
}
