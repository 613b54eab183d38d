import { randomUUID } from 'node:crypto'
import { agentOffline } from '../agents/agent-links.ts'
import type { Computer } from '../computers/computers.ts'
import type { Host } from '../hosts/host.ts'
import type { HostSessions } from '../hosts/host-sessions.ts'
import type { Hosts } from '../hosts/hosts.ts'
import { type ChosenRevisions, chooseRevisions, revisionsOfRestore } from '../restore/chosen-revisions.ts'
import { restoreRefused } from '../restore/restore-refused.ts'
import { restoreObstacles } from '../restore/restore-rules.ts'
import { enterRestore, type RestoreDependencies } from '../restore/start-restore.ts'
import {
  bootObstacles,
  capabilityObstacles,
  formatObstacles,
  type HostOffer,
  instantStartObstacles,
  sizeObstacles,
  sourceMachineObstacles,
  switchObstacles,
} from './checks.ts'
import { machineMessages } from './messages.ts'
import { type MachineRestoreRequest, readMachineRestore } from './read-machine-restore.ts'
import type { Validations } from './validations.ts'

/** What a restore as a machine needs beside any restore: the hosts of the computer, their sessions, the validations. */
export interface MachineRestoreDependencies extends RestoreDependencies {
  readonly hosts: Hosts
  readonly hostSessions: HostSessions
  readonly validations: Validations
}

/**
 * Starts a restore as a virtual machine. Checked in this order: the form of the request, whether the agent is there, then
 * everything else at once: session and host, what depends on the revisions, and unless they are skipped the validations.
 *
 * @param body what the caller sent
 * @returns the id of the restore, which is in the store; the machine has it too
 * @throws RequestInvalid in the words of the specification and the reference
 */
export async function startMachineRestore(
  computer: Computer,
  body: unknown,
  deps: MachineRestoreDependencies,
): Promise<string> {
  const request = readMachineRestore(body)
  if (!deps.links.isOnline(computer)) throw agentOffline()
  const hasSession = await deps.hostSessions.use(computer, request.sessionId)
  const host = await deps.hosts.find(computer, request.hostId)
  const choice = await chooseRevisions(computer, request.revisionIds, deps.revisions)
  const obstacles = [
    ...(hasSession ? [] : [machineMessages.session]),
    ...(host ? [] : [machineMessages.hostNotInCatalog]),
    ...restoreObstacles(choice.ids, choice.found, request.diskFormat),
    ...bootObstacles(choice.found),
    ...(host && !request.skipValidations ? await validate(computer, host, request, choice, deps) : []),
  ]
  if (!host || obstacles.length > 0) throw restoreRefused([...new Set(obstacles)])
  return enterMachineRestore(computer, host, request, choice, deps)
}

/** The built-in validations: the same that callers can make one by one. */
async function validate(
  computer: Computer,
  host: Host,
  request: MachineRestoreRequest,
  { found }: ChosenRevisions,
  { validations, hosts }: MachineRestoreDependencies,
): Promise<readonly string[]> {
  const { diskFormat, firmware, name, switchId } = request
  const sourceMachine = sourceMachineObstacles(firmware, found)
  const hostOffer = await validations.offer(computer, host)
  const offer = 'offer' in hostOffer ? hostOffer.offer : undefined
  const folder = await validateFolder(computer, host, offer, request, validations)
  if ('obstacle' in hostOffer) return [hostOffer.obstacle, ...sourceMachine, ...folder]
  return [
    ...formatObstacles(diskFormat, firmware, hostOffer.offer),
    ...sourceMachine,
    ...capabilityObstacles(firmware, found, hostOffer.offer),
    ...instantStartObstacles(request.instantStart, hostOffer.offer),
    ...sizeObstacles(request, hostOffer.offer),
    ...switchObstacles(switchId, hostOffer.offer),
    ...(await validations.name(computer, hosts.addressOf(computer, host), name)),
    ...folder,
  ]
}

/** The other validations need the folder, so they are made when it is there. */
async function validateFolder(
  computer: Computer,
  host: Host,
  offer: HostOffer | undefined,
  { folder, diskFormat }: MachineRestoreRequest,
  validations: Validations,
): Promise<readonly string[]> {
  const path = await validations.path(computer, folder)
  if (path.length > 0) return path
  return [
    ...(await validations.agent(computer, folder)),
    ...(await validations.network(computer, folder, diskFormat)),
    ...(await validations.permissions(computer, host, folder, offer)),
  ]
}

/** What is known of a restore when nothing stands against it. */
export type MachineRestoreToEnter = Omit<
  MachineRestoreRequest,
  'sessionId' | 'hostId' | 'revisionIds' | 'skipValidations'
>

/** Enters a restore, and tells the agent of it. @returns its id @throws RequestInvalid as `enterRestore` does */
export async function enterMachineRestore(
  computer: Computer,
  host: Host,
  { folder, diskFormat, recoveryType, firmware, ...request }: MachineRestoreToEnter,
  { found }: ChosenRevisions,
  { hosts, tasks, dispatch, seal }: Pick<MachineRestoreDependencies, 'hosts' | 'tasks' | 'dispatch' | 'seal'>,
): Promise<string> {
  const id = randomUUID()
  const { name, cores, memoryMebibytes, switchId, start, proof, instantStart } = request
  const { credentials: logon, ...address } = hosts.addressOf(computer, host)
  const make = {
    host: address,
    id,
    name,
    firmware,
    cores,
    memoryMebibytes,
    start,
    ...(switchId === undefined ? {} : { switchId }),
    ...(instantStart ? { start: true, instantStart } : {}),
    ...(proof === undefined ? {} : { start: false, proof: { ...proof } }),
  }
  const secrets = {
    ...(folder.credentials ? { share: folder.credentials } : {}),
    ...(logon ? { host: logon } : {}),
  }
  const hasSecrets = Object.keys(secrets).length > 0
  await enterRestore(
    computer,
    {
      destination: { path: folder.path },
      diskFormat,
      ...revisionsOfRestore(computer, found),
      machine: { hostId: host.id, hostName: host.hostName, recoveryType, make },
    },
    { id, sealedCredentials: hasSecrets ? seal.seal(id, secrets) : null },
    { tasks, dispatch },
  )
  return id
}
