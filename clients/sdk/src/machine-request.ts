import type { components } from './backup.generated.ts'
import { answer, type BackupClient } from './clients.ts'

/*
 * What a restore as a machine is asked for with, chosen for the caller.
 */

const root = '/v2/accounts/{account_id}/computers/{computer_id}/restore'

/** Names a computer in the backup service's addresses. */
export interface ComputerPath {
  readonly account_id: string
  readonly computer_id: string
}

/**
 * Begins a session, and registers a host in it, which may not be usable.
 *
 * @param hostName another one than the hypervisor of the computer's own machine
 * @param credentials with which the agent logs on to it there; as itself when left out
 */
export async function registerHost(
  client: BackupClient,
  path: ComputerPath,
  hostName: string | undefined,
  credentials?: components['schemas']['HostCredentials'],
) {
  const params = { path }
  const { sessionId } = await answer(client.POST(`${root}/hyperv/session`, { params }))
  const logon = credentials
    ? { authenticationMode: 'Credentials' as const, credentials }
    : { authenticationMode: 'Sspi' as const }
  const { identifier, ...registered } = await answer(
    hostName === undefined
      ? client.POST(`${root}/hyperv/host/register/local`, { params, body: { sessionId } })
      : client.POST(`${root}/hyperv/host/register/remote`, {
          params,
          body: { sessionId, hostName, ...logon },
        }),
  )
  return { ...registered, id: identifier.id, sessionId }
}

/** What a host can do and offers, asked of it now. */
export async function offersOf(
  client: BackupClient,
  path: ComputerPath,
  body: components['schemas']['HostWish'],
) {
  const params = { path }
  return {
    settings: await answer(client.POST(`${root}/hyperv/host/settings`, { params, body })),
    capabilities: await answer(client.POST(`${root}/hyperv/host/capabilities`, { params, body })),
  }
}

/** The machine that was backed up; undefined when none of the revisions knows it. */
export async function originalOf(client: BackupClient, path: ComputerPath, revisions: readonly number[]) {
  for (const id of revisions) {
    const { data } = await client.POST(`${root}/diskimage/standard/hardware`, {
      params: { path },
      body: { id },
    })
    if (data !== undefined) return data
  }
  return undefined
}

/** Cores and mebibytes of memory: those of the machine that was backed up, as far as the host has them. */
export function sizeOn(
  settings: { readonly processorAllocation: Allocation; readonly memoryAllocation: Allocation },
  original: { readonly cores: number; readonly memorySize: number } | undefined,
): { readonly cores: number; readonly memory: number } {
  return {
    cores: fitting(original?.cores, settings.processorAllocation),
    memory: fittingMemory(original?.memorySize, settings.memoryAllocation),
  }
}

interface Allocation {
  readonly default: number
  readonly minimum: number
  readonly maximum: number
  readonly increment: number
}

/** What the machine had, as far as the host has it; else what the host would choose. */
function fitting(
  original: number | undefined,
  { default: usual, minimum, maximum, increment }: Allocation,
): number {
  const wanted = Math.min(Math.max(original ?? usual, minimum), maximum)
  return wanted - (wanted % increment)
}

/** The same for memory, of which a host that has less keeps half: what is free now is not free in a moment. */
function fittingMemory(original: number | undefined, allocation: Allocation): number {
  const { default: usual, maximum } = allocation
  const isTooMuch = original !== undefined && original > maximum
  return fitting(isTooMuch ? Math.max(usual, Math.floor(maximum / 2)) : original, allocation)
}
