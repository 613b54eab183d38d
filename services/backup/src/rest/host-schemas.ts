import { machineNameLengthMax } from '@palisade/agent-protocol'
import { type Static, Type } from 'typebox'
import { pathLengthMax } from '../given-source.ts'
import type { Host, HostSession } from '../hosts/host.ts'
import { capabilitiesOf, type HostOffer } from '../machines/checks.ts'
import { proveSignLength, proveTimeoutSeconds, proveTimeoutSecondsDefault } from '../machines/read-proof.ts'
import * as examples from './examples.ts'

/*
 * What is said about hosts, and what calls about them are sent; the shapes are those of the reference, section 2.4. Bodies are
 * read by `machines/`, which answers in the words of the specification and the reference; here they are for the OpenAPI
 * document.
 */

const guid = Type.String({ format: 'uuid' })
const when = Type.String({ format: 'date-time' })
const diskFormat = Type.Union([Type.Literal('Vhd'), Type.Literal('Vhdx')])
const firmwareType = Type.Union([Type.Literal('Bios'), Type.Literal('Uefi')])
const revisions = Type.Array(Type.Integer(), { minItems: 1, description: 'one per volume' })
const credentials = Type.Object(
  { userName: Type.String(), password: Type.String() },
  { title: 'HostCredentials' },
)
const diskLocation = Type.Object(
  {
    path: Type.String({ maxLength: pathLengthMax, description: 'a local folder or a network share' }),
    credentials: Type.Optional(credentials),
  },
  { title: 'DiskLocation' },
)
const size = {
  cores: Type.Integer(),
  memory: Type.Integer({ description: 'mebibytes' }),
}

/** A session in which hosts are looked at. It expires; each use of it makes it last longer. */
export const SessionView = Type.Object(
  { sessionId: guid, state: Type.Enum(['Active', 'Expired']), created: when, expires: when },
  { title: 'HostSession', examples: [examples.hostSession] },
)

/** The view of a session. @param isExpired at the time of the reply */
export function sessionView(session: HostSession, isExpired: boolean): Static<typeof SessionView> {
  return {
    sessionId: session.id,
    state: isExpired ? 'Expired' : 'Active',
    created: new Date(session.createdAt).toISOString(),
    expires: new Date(session.expiresAt).toISOString(),
  }
}

/** Numbers from 2 on are ours: the reference's list ends with 1, which cannot occur. */
const unsupportedReasons: readonly string[] = [
  'none',
  'vhd-uefi-unsupported',
  'hypervisor-missing',
  'hypervisor-too-old',
  'host-unreachable',
  'access-denied',
  'path-unusable',
]
/** The number for reasons that a later version of the agent may give and this server does not know. */
const otherReason = unsupportedReasons.length

/** A registered host as callers see it, usable or not. */
export const HostView = Type.Object(
  {
    identifier: Type.Object({ id: Type.Integer() }),
    hostName: Type.String(),
    hostUnsupported: Type.Boolean({ description: 'whether nothing can be restored to it, as it is' }),
    hostUnsupportedReason: Type.Integer({
      description:
        '0 none, 2 no hypervisor, 3 hypervisor too old, 4 unreachable, 5 access denied, 6 machines cannot be kept, 7 other',
    }),
    hostUnsupportedMessage: Type.String({
      description: 'the same for people; empty when there is no reason',
    }),
  },
  { title: 'Host', examples: [examples.host] },
)

/** The view of a host; reasons that this server does not know are 7. */
export function hostView({ id, hostName, unsupported }: Host): Static<typeof HostView> {
  const reason = unsupportedReasons.indexOf(unsupported?.code ?? 'none')
  return {
    identifier: { id },
    hostName,
    hostUnsupported: unsupported !== null,
    hostUnsupportedReason: unsupported === null ? 0 : reason > 0 ? reason : otherReason,
    hostUnsupportedMessage: unsupported?.message ?? '',
  }
}

/** What a host can do, in the members of the reference. */
export const CapabilitiesView = Type.Object(
  {
    supportsVmGenerations: Type.Boolean({ description: 'whether machines can have UEFI' }),
    supportsVmDynamicMemory: Type.Boolean({
      description: 'always false: nothing here makes machines with dynamic memory, and nothing uses this',
    }),
    supportsVhdxFormat: Type.Boolean(),
  },
  { title: 'HostCapabilities', examples: [examples.hostCapabilities] },
)

/** The view of what a host offers. */
export function capabilitiesView(offer: HostOffer): Static<typeof CapabilitiesView> {
  const { generations, vhdx } = capabilitiesOf(offer)
  return { supportsVmGenerations: generations, supportsVmDynamicMemory: false, supportsVhdxFormat: vhdx }
}

const Allocation = Type.Object(
  {
    default: Type.Integer(),
    minimum: Type.Integer(),
    maximum: Type.Integer(),
    increment: Type.Integer(),
  },
  { title: 'Allocation' },
)

/** What a host offers for a machine. Memory is mebibytes, processors are cores; a value has to be a multiple of the increment. */
export const SettingsView = Type.Object(
  {
    virtualDisksPath: Type.String({ description: 'offered as the place for disks' }),
    memoryAllocation: Allocation,
    processorAllocation: Allocation,
    virtualSwitches: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  },
  { title: 'HostSettings', examples: [examples.hostSettings] },
)

/** The view of what a host offers for a machine. */
export function settingsView(offer: HostOffer): Static<typeof SettingsView> {
  const { virtualDisksPath, memoryMebibytes, cores, virtualSwitches } = offer
  return { virtualDisksPath, memoryAllocation: memoryMebibytes, processorAllocation: cores, virtualSwitches }
}

/** The body of calls that need a session and nothing else. */
export const SessionWish = Type.Object(
  { sessionId: guid },
  { title: 'SessionWish', examples: [examples.sessionWish] },
)
/** The body of a call about a registered host. */
export const HostWish = Type.Object(
  { id: Type.Integer(), sessionId: guid },
  { title: 'HostWish', examples: [examples.hostWish] },
)
/** The body by which another host than the agent's own computer is registered; `Sspi` logs on as the agent's own account. */
export const RemoteHost = Type.Object(
  {
    sessionId: guid,
    hostName: Type.String(),
    authenticationMode: Type.Union([Type.Literal('Sspi'), Type.Literal('Credentials')]),
    credentials: Type.Optional(credentials),
  },
  { title: 'RemoteHost', examples: [examples.remoteHost] },
)

/** What each validation is sent. */
export const validationBodies = {
  path: Type.Object({ diskLocation }, { title: 'PathValidation', examples: [examples.validations.path] }),
  agent: Type.Object({ diskLocation }, { title: 'AgentValidation', examples: [examples.validations.agent] }),
  network: Type.Object(
    { diskFormat, diskLocation },
    { title: 'NetworkValidation', examples: [examples.validations.network] },
  ),
  sourceMachine: Type.Object(
    { firmwareType, revisions },
    { title: 'SourceMachineValidation', examples: [examples.validations.sourceMachine] },
  ),
  capabilities: Type.Object(
    { hostId: Type.Integer(), sessionId: guid, firmwareType, revisions },
    { title: 'HostCapabilitiesValidation', examples: [examples.validations.capabilities] },
  ),
  permissions: Type.Object(
    { hostId: Type.Integer(), diskLocation },
    { title: 'HostPermissionsValidation', examples: [examples.validations.permissions] },
  ),
  server: Type.Object(
    { sessionId: guid, hostId: Type.Integer(), hostProperties: Type.Object(size) },
    { title: 'HostServerValidation', examples: [examples.validations.server] },
  ),
} as const

/** The body of a restore as a machine. */
export const MachineRestore = Type.Object(
  {
    sessionId: guid,
    hostId: Type.Integer(),
    recoveryType: Type.Union([Type.Literal('TestRecovery'), Type.Literal('ProductionRecovery')]),
    diskLocation,
    diskFormat,
    firmwareType,
    hostProperties: Type.Object({
      name: Type.String({
        minLength: 1,
        maxLength: machineNameLengthMax,
        description: 'one line, without blanks at its ends',
      }),
      ...size,
      virtualSwitchId: Type.Optional(
        Type.String({ description: 'mandatory for ProductionRecovery, and for nothing else' }),
      ),
    }),
    revisions,
    skipValidations: Type.Optional(
      Type.Boolean({ description: 'the caller has made the validations already' }),
    ),
    start: Type.Optional(Type.Boolean({ description: 'whether the machine is started when it is made' })),
    instantStart: Type.Optional(
      Type.Boolean({
        description:
          'the machine is started at once from the vault and its disks, Vhdx in a local folder, are copied behind it. Until ' +
          'that has ended it depends on the agent, with which it would be lost. Only where the host can',
      }),
    ),
    prove: Type.Optional(
      Type.Boolean({
        description:
          'of a TestRecovery: the machine is started, watched until it shows that its system runs or does not, and removed ' +
          'with its disks. What came of it is shown with the restore and with the revisions',
      }),
    ),
    proveTimeoutSeconds: Type.Optional(
      Type.Integer({
        ...proveTimeoutSeconds,
        description: `how long its system may take; ${proveTimeoutSecondsDefault} when left out`,
      }),
    ),
    proveSign: Type.Optional(
      Type.String({
        ...proveSignLength,
        description:
          'what else the machine says when its system runs, word for word, on its first serial line or a screen of text; a ' +
          'login prompt and the targets of systemd are known',
      }),
    ),
  },
  { title: 'MachineRestore', examples: [examples.machineRestore] },
)
