import type { Firmware, MachineDiskFormat } from './machine.ts'

/** What can be wrong, in words that a program can compare, with what a message about it needs. */
export type HostProblem =
  /** Nobody answers where the hypervisor should be. */
  | { readonly code: 'host-unreachable' }
  /** The host knows us and does not let us. */
  | { readonly code: 'access-denied' }
  | { readonly code: 'definition-invalid'; readonly field: string; readonly expected: string }
  | { readonly code: 'name-taken'; readonly name: string }
  | { readonly code: 'machine-absent'; readonly id: string }
  | { readonly code: 'machine-unfinished'; readonly id: string }
  | { readonly code: 'machine-differs'; readonly id: string }
  | { readonly code: 'switch-absent'; readonly switchId: string }
  | { readonly code: 'firmware-unsupported'; readonly firmware: Firmware }
  | { readonly code: 'format-unsupported'; readonly format: MachineDiskFormat }
  | {
      readonly code: 'cores-out-of-range' | 'memory-out-of-range' | 'disks-out-of-range'
      readonly minimum: number
      readonly maximum: number
      readonly provided: number
    }
  /** The host cannot read and write the file. */
  | { readonly code: 'disk-unusable'; readonly path: string }
  | { readonly code: 'timed-out'; readonly afterMs: number }
  | { readonly code: 'host-error' }

/** What a program compares; the server is sent it as it is. */
export type HostProblemCode = HostProblem['code']

/** The only error that drivers throw on purpose. The message goes to the operator: one sentence, no secrets. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure'
  readonly problem: HostProblem

  constructor(problem: HostProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** For calls about a machine that the host does not have, or that is not one of ours. */
export function machineAbsent(id: string): HostFailure {
  return new HostFailure({ code: 'machine-absent', id }, `there is no machine of ours with the id ${id}`)
}

/** For calls about a machine whose definition was interrupted: it can only be removed, or defined again. */
export function machineUnfinished(id: string): HostFailure {
  return new HostFailure({ code: 'machine-unfinished', id }, `the machine ${id} was never completely defined`)
}

/** For a definition under the id of a machine that has another one; the same one again is no failure. */
export function machineDiffers(id: string): HostFailure {
  return new HostFailure({ code: 'machine-differs', id }, `the machine ${id} exists with another definition`)
}

/** For a definition with the name of another machine of the host, ours or not. */
export function nameTaken(name: string): HostFailure {
  return new HostFailure({ code: 'name-taken', name }, `another machine on this host is called ${name}`)
}
