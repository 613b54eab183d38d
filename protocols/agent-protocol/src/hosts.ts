import { type Static, Type } from 'typebox'

/** What a restored disk is written as, spelled as the specification does. */
export const DiskFormat = Type.Union([Type.Literal('Vhd'), Type.Literal('Vhdx')])
export type DiskFormat = Static<typeof DiskFormat>

/** Who is to be logged on, at a host or a share. */
const Logon = Type.Object({ username: Type.String(), password: Type.String() })

/** A folder of the computer or of a share in its network, with who may write there. */
export const DiskFolder = Type.Object({
  path: Type.String(),
  credentials: Type.Optional(Logon),
})
export type DiskFolder = Static<typeof DiskFolder>

/** A hypervisor that an agent reaches. */
export const HostAddress = Type.Object({
  /** As the agent was told it, or of another machine; left out for the hypervisor of the agent's own machine. */
  hostName: Type.Optional(Type.String()),
  /** Left out when the agent gets in as the user that it runs as. */
  credentials: Type.Optional(Logon),
})
export type HostAddress = Static<typeof HostAddress>

/** What may be chosen: multiples of `increment`, and the values that the host would choose and can give. */
export const Allocation = Type.Object({
  default: Type.Integer(),
  minimum: Type.Integer(),
  maximum: Type.Integer(),
  increment: Type.Integer({ minimum: 1 }),
})
export type Allocation = Static<typeof Allocation>

/** A host as its agent finds it. */
export const HostDescription = Type.Object({
  hostName: Type.String(),
  /** Why it cannot be used, in words for programs and for people; none when it can. */
  unsupported: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  /** Left out when the host cannot be used. */
  offer: Type.Optional(
    Type.Object({
      hypervisor: Type.Object({ name: Type.String(), version: Type.String() }),
      firmware: Type.Array(Type.Union([Type.Literal('bios'), Type.Literal('uefi')])),
      diskFormats: Type.Array(Type.String(), { description: 'vhd, vhdx, raw' }),
      cores: Allocation,
      memoryMebibytes: Allocation,
      /** Absolute, as the host sees it. */
      virtualDisksPath: Type.String(),
      virtualSwitches: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
      /** Whether machines can run before their disks are copied. Left out by agents that cannot do that. */
      startsInstantly: Type.Optional(Type.Boolean()),
    }),
  ),
})
export type HostDescription = Static<typeof HostDescription>

/** What an agent is asked about hosts and about folders for disks of machines. */
export const HostQuestion = Type.Union([
  /** Answered with `described`. All others are answered with `checked`. */
  Type.Object({ about: Type.Literal('host'), host: HostAddress }),
  /** Makes the folder and writes to it. Problems have the codes of the specification's destination table. */
  Type.Object({ about: Type.Literal('path'), folder: DiskFolder }),
  /** Whether the agent itself can read and write in a folder that is there: `no-access`. */
  Type.Object({ about: Type.Literal('agent'), folder: DiskFolder }),
  /** Whether disks of this format can lie in a folder that is there: `sector-size`, `sparse`, `fat`. */
  Type.Object({ about: Type.Literal('network'), folder: DiskFolder, diskFormat: DiskFormat }),
  /** Whether the host can use disks of a folder that is there: `no-access`, `machines-path`, `unknown`. */
  Type.Object({ about: Type.Literal('permissions'), folder: DiskFolder, host: HostAddress }),
  /** Whether a machine of this name can be made: `taken`. */
  Type.Object({ about: Type.Literal('name'), name: Type.String(), host: HostAddress }),
  /** Not a question but a wish: that a machine which a restore made is gone, with its disks. Nothing stands against it then. */
  Type.Object({ about: Type.Literal('removal'), machineId: Type.String(), host: HostAddress }),
])
export type HostQuestion = Static<typeof HostQuestion>

/** What stands against something: a code, and one sentence for the operator without secrets. */
export const Obstacle = Type.Object({ code: Type.String(), message: Type.String() })
export type Obstacle = Static<typeof Obstacle>

/** What an agent answers. */
export const HostAnswer = Type.Union([
  Type.Object({ kind: Type.Literal('described'), host: HostDescription }),
  /** None when all is well. */
  Type.Object({ kind: Type.Literal('checked'), obstacles: Type.Array(Obstacle, { maxItems: 100 }) }),
  /** The question could not be answered, and why. */
  Type.Object({ kind: Type.Literal('failed'), obstacle: Obstacle }),
])
export type HostAnswer = Static<typeof HostAnswer>

/** The machine that a restore makes from its disks. */
export const MachineToMake = Type.Object({
  host: HostAddress,
  /** A UUID in lower case: the machine is found again by it. */
  id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
  name: Type.String(),
  firmware: Type.Union([Type.Literal('bios'), Type.Literal('uefi')]),
  cores: Type.Integer(),
  memoryMebibytes: Type.Integer(),
  /** Without one the machine has no network. */
  switchId: Type.Optional(Type.String()),
  /** Whether it is started when it is made. */
  start: Type.Boolean(),
  /** It is started at once from what is in the vault, while its disks are copied; the step of that is `copying`. */
  instantStart: Type.Optional(Type.Boolean()),
  /** It is not to stay: it is started without a network, watched for so long, and removed with its disks. */
  proof: Type.Optional(
    Type.Object({
      timeoutSeconds: Type.Integer({ minimum: 1 }),
      /** What else it says, word for word, when its system runs: on its serial line or a screen of text. */
      sign: Type.Optional(Type.String({ minLength: 1 })),
    }),
  ),
})
export type MachineToMake = Static<typeof MachineToMake>

/** What a restore made on a host, and what of it is there when the restore has ended. */
export const MadeMachine = Type.Object({
  id: Type.String(),
  name: Type.String(),
  isStarted: Type.Boolean(),
})
export type MadeMachine = Static<typeof MadeMachine>
