import { machineNameLengthMax } from '@palisade/agent-protocol'
import { restoreMessages } from '../restore/restore-refused.ts'

/**
 * Texts about machines: those of the specification ("Restore request rules"), of the reference (section 2.5), and of members
 * that neither names, in the same form (reference, section 3).
 */
export const machineMessages = {
  session: '[sessionid] is missing or invalid',
  host: '[hostid] is missing or invalid',
  recoveryType: '[recoverytype] is missing or invalid; allowed values are testrecovery, productionrecovery',
  firmwareType: '[firmwaretype] is missing or invalid; allowed values are bios, uefi',
  hostProperties: '[hostproperties] is missing or invalid',
  name: '[hostproperties][name] must be a string',
  nameInvalid: `[hostproperties][name] is invalid: it must have 1 to ${machineNameLengthMax} characters on one line, and no blanks at its ends`,
  cores: '[hostproperties][cores] must be an integer',
  memory: '[hostproperties][memory] must be an integer',
  switchMissing:
    '[hostproperties][virtualswitchid] is mandatory for Production Recovery and must be a string',
  switchNotAllowed: 'VirtualSwitchId can only be used for Production Recovery',
  skipValidations: '[skipvalidations] must be a boolean',
  start: '[start] must be a boolean',
  prove: '[prove] must be a boolean',
  proveNotAllowed: '[prove] can only be used for Test Recovery',
  proveSign: '[provesign] must be a string of 1 to 200 characters on one line, and only be set with [prove]',
  proveTimeout: '[provetimeoutseconds] must be an integer from 10 to 86400, and only be set with [prove]',
  instantStart: '[instantstart] must be a boolean',
  instantNeeds: '[instantstart] needs Vhdx and a local folder, and cannot be combined with [prove]',

  hostNotInCatalog: 'ErrorCode.HostNotInCatalog',
  vhdxNotSupported: 'Vhdx format is not supported by the host, choose Vhd',
  noBootVolume: 'Restoring as Virtual Machine is not allowed without selecting a boot volume',
  windows2008R2:
    'Restoring to a Windows Server 2008 R2 host is not supported on VMs running Windows 10 or Windows Server 2016 with the ' +
    'latest updates installed.',
  windows2012: 'Windows Server 2012 does not support boot volumes over 2TB in size.',
  uefiNotSelectable: 'When restoring to a 2008 R2 or 2012 server you cannot select UEFI firmware.',
  uefiNeeds64Bit: 'UEFI is only supported on 64-bit operating systems.',
  biosTooLarge:
    'BIOS firmware is not supported for volumes over 2TB in size. Please select UEFI to continue.',
  windows7Uefi:
    'Boot volumes from 64-bit versions of Windows Server 2008 R2 or Windows 7 cannot be restored using EFI.',
  machinesPath:
    "The 'Virtual Machines' path is set to an invalid location in Hyper-V Manager. Please change this path in Hyper-V " +
    'manager to a valid location.',
  instantNotSupported:
    'The host cannot start a machine before its disks are copied; only QEMU without libvirt can',
  offline: restoreMessages.offline,

  agentAccess: (path: string) => `Need to have read/write permissions on path ${path}`,
  largeSectors: (path: string) =>
    `When restoring as VHD type, you cannot set the disk path on a 4k drive: ${path}`,
  sparse: (path: string) => `You cannot set the differencing disk path on a sparse file system: ${path}`,
  fat: (path: string) => `You cannot set the differencing disk path on a FAT, FAT32 or exFAT drive: ${path}`,
  permissionsUnknown: (hostId: number, path: string) =>
    `Unknown error while validating host permissions for host ${hostId} on path ${path}`,
  permissions: (path: string) =>
    `Please provide Full Control permission for the host in the share permissions of folder ${path}.`,
  permissionsOld: (path: string) =>
    `Please provide Full Control permission for the host in the share permissions of folder ${path} and provide Full ` +
    'Control permissions for everyone in the security permissions of this folder.',
  memoryExceeds: (maximum: number, provided: number) =>
    "The source machine's original Memory configuration exceeds the available RAM resources on the target machine. " +
    `Maximum value is ${maximum}, provided value was ${provided}`,
  coresExceed: (maximum: number, provided: number) =>
    "The source machine's original CPU Cores configuration exceeds the available CPU resources on the target machine. " +
    `Maximum value is ${maximum}, provided value was ${provided}`,
  notOffered: (member: 'cores' | 'memory', minimum: number, increment: number) =>
    `[hostproperties][${member}] is invalid: the host takes multiples of ${increment}, and at least ${minimum}`,
  nameTaken: '[hostproperties][name] is invalid: another machine on the host has this name',
  switchUnknown: '[hostproperties][virtualswitchid] is invalid: the host has no such switch',
  agentSilent: (why: string) => `The agent cannot tell: ${why}`,
  hostUnusable: (why: string) => `The host cannot be used: ${why}`,
} as const
