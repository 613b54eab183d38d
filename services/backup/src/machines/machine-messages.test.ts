import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Hardware, VolumeDescription } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { Revisions } from '../revisions/revisions.ts'
import { TestService } from '../testing/backup-service.ts'
import { eventually } from '../testing/eventually.ts'
import { FakeAgent, someVolume } from '../testing/fake-agent.ts'
import { FakeHosts, plentifulOffer } from '../testing/fake-hosts.ts'
import { machineMessages } from './messages.ts'

/** The texts as the specification and the reference print them, and ours for members that have none there. */
const general = 'Could not create item.'
const session = '[sessionid] is missing or invalid'
const host = '[hostid] is missing or invalid'
const recoveryType =
  '[recoverytype] is missing or invalid; allowed values are testrecovery, productionrecovery'
const location = '[disklocation] is missing or invalid'
const path = '[disklocation][path] must be a string'
const credentials =
  '[disklocation][credentials][username] and [disklocation][credentials][password] must be set to a string'
const forLocal = '[disklocation][credentials] must not be specified for local paths'
const pathKind = '[disklocation][path] is invalid'
const diskFormat = '[diskformat] is missing or invalid; allowed values are vhd, vhdx'
const firmware = '[firmwaretype] is missing or invalid; allowed values are bios, uefi'
const properties = '[hostproperties] is missing or invalid'
const name = '[hostproperties][name] must be a string'
const nameInvalid =
  '[hostproperties][name] is invalid: it must have 1 to 100 characters on one line, and no blanks at its ends'
const cores = '[hostproperties][cores] must be an integer'
const memory = '[hostproperties][memory] must be an integer'
const noSwitch = '[hostproperties][virtualswitchid] is mandatory for Production Recovery and must be a string'
const switchNotAllowed = 'VirtualSwitchId can only be used for Production Recovery'
const revisions = '[revisions] is missing or invalid; [revisions] must be a valid list of id integers'
const skip = '[skipvalidations] must be a boolean'
const start = '[start] must be a boolean'
const prove = '[prove] must be a boolean'
const proveNotAllowed = '[prove] can only be used for Test Recovery'
const instantStart = '[instantstart] must be a boolean'
const instantNeeds = '[instantstart] needs Vhdx and a local folder, and cannot be combined with [prove]'
const proveSign =
  '[provesign] must be a string of 1 to 200 characters on one line, and only be set with [prove]'
const proveTimeout = '[provetimeoutseconds] must be an integer from 10 to 86400, and only be set with [prove]'
const offline = 'Agent cannot be reached or is offline'

const switchId = plentifulOffer.virtualSwitches[0]?.id
const production = { recoveryType: 'ProductionRecovery' }
const hostProperties = { name: 'files01', cores: 2, memory: 2048 }
const share = { path: '\\\\server\\share\\folder' }
const good = {
  sessionId: '5d05495f-39e5-4e4e-ad0c-e351cc2c78f3',
  hostId: 1,
  recoveryType: 'TestRecovery',
  diskLocation: { path: '/machines' },
  diskFormat: 'Vhdx',
  firmwareType: 'Bios',
  hostProperties,
  revisions: [1],
}
const withProperties = (more: object) => ({ ...good, hostProperties: { ...hostProperties, ...more } })

const malformed: [what: string, body: unknown, errors: string[]][] = [
  ['nothing', {}, [session, host, recoveryType, location, diskFormat, firmware, properties, revisions]],
  ['a session that is no GUID', { ...good, sessionId: '5d05495f' }, [session]],
  ['a session that is a number', { ...good, sessionId: 5 }, [session]],
  ['a host that is a text', { ...good, hostId: '1' }, [host]],
  ['a host that is a fraction', { ...good, hostId: 1.5 }, [host]],
  ['another type of recovery', { ...good, recoveryType: 'Recovery' }, [recoveryType]],
  ['a type from the prototype', { ...good, recoveryType: 'constructor' }, [recoveryType]],
  ['a location that is a text', { ...good, diskLocation: '/x' }, [location]],
  ['a location without a path', { ...good, diskLocation: {} }, [path]],
  ['a path that is a number', { ...good, diskLocation: { path: 7 } }, [path]],
  ['a relative path', { ...good, diskLocation: { path: 'x\\y' } }, [pathKind]],
  ['a path that no system takes', { ...good, diskLocation: { path: `/${'b'.repeat(4096)}` } }, [pathKind]],
  [
    'credentials for a local path',
    { ...good, diskLocation: { path: '/x', credentials: { userName: 'u', password: 'p' } } },
    [forLocal],
  ],
  [
    'a user that is a number',
    { ...good, diskLocation: { ...share, credentials: { userName: 7, password: 'p' } } },
    [credentials],
  ],
  [
    'a password that is missing',
    { ...good, diskLocation: { ...share, credentials: { userName: 'u' } } },
    [credentials],
  ],
  ['another format', { ...good, diskFormat: 'raw' }, [diskFormat]],
  ['another firmware', { ...good, firmwareType: 'Coreboot' }, [firmware]],
  ['properties that are a list', { ...good, hostProperties: [] }, [properties]],
  ['no properties at all', { ...good, hostProperties: {} }, [name, cores, memory]],
  ['a name that is a number', withProperties({ name: 1 }), [name]],
  ['a name that is empty', withProperties({ name: '' }), [nameInvalid]],
  ['a name of two lines', withProperties({ name: 'a\nb' }), [nameInvalid]],
  ['a name that ends with a blank', withProperties({ name: 'files01 ' }), [nameInvalid]],
  ['a name that no host takes', withProperties({ name: 'n'.repeat(101) }), [nameInvalid]],
  ['cores that are a text', withProperties({ cores: '2' }), [cores]],
  ['half a mebibyte', withProperties({ memory: 0.5 }), [memory]],
  ['a production recovery without a switch', { ...good, ...production }, [noSwitch]],
  [
    'a production recovery with an empty switch',
    { ...withProperties({ virtualSwitchId: '' }), ...production },
    [noSwitch],
  ],
  ['a test recovery with a switch', withProperties({ virtualSwitchId: switchId }), [switchNotAllowed]],
  [
    'a test recovery with a switch that is a number',
    withProperties({ virtualSwitchId: 7 }),
    [switchNotAllowed],
  ],
  ['no revision', { ...good, revisions: [] }, [revisions]],
  ['revisions that are texts', { ...good, revisions: ['1'] }, [revisions]],
  ['a wish to skip that is a text', { ...good, skipValidations: 'true' }, [skip]],
  ['a wish to start that is a number', { ...good, start: 1 }, [start]],
  ['a wish for a proof that is a text', { ...good, prove: 'yes' }, [prove]],
  [
    'a proof in production',
    { ...withProperties({ virtualSwitchId: switchId }), ...production, prove: true },
    [proveNotAllowed],
  ],
  ['a wish to start at once that is a text', { ...good, instantStart: 'yes' }, [instantStart]],
  ['a VHD at once', { ...good, instantStart: true, diskFormat: 'Vhd' }, [instantNeeds]],
  ['a share at once', { ...good, instantStart: true, diskLocation: share }, [instantNeeds]],
  ['a proof at once', { ...good, instantStart: true, prove: true }, [instantNeeds]],
  ['a proof that takes no time', { ...good, prove: true, proveTimeoutSeconds: 9 }, [proveTimeout]],
  ['a proof that takes days', { ...good, prove: true, proveTimeoutSeconds: 86_401 }, [proveTimeout]],
  ['a proof of half a second more', { ...good, prove: true, proveTimeoutSeconds: 60.5 }, [proveTimeout]],
  ['a sign that is a number', { ...good, prove: true, proveSign: 1 }, [proveSign]],
  ['a sign of blanks', { ...good, prove: true, proveSign: '  ' }, [proveSign]],
  ['a sign of two lines', { ...good, prove: true, proveSign: 'a\nb' }, [proveSign]],
  ['a sign that is long', { ...good, prove: true, proveSign: 'a'.repeat(201) }, [proveSign]],
  ['a sign for no proof', { ...good, proveSign: 'up' }, [proveSign]],
  ['time for no proof', { ...good, prove: false, proveTimeoutSeconds: 60 }, [proveTimeout]],
  [
    'everything wrong, though validations are skipped',
    {
      sessionId: {},
      hostId: null,
      recoveryType: 1,
      diskFormat: 'iso',
      firmwareType: [],
      revisions: 1,
      diskLocation: { path: 'nowhere', credentials: { userName: 1 } },
      hostProperties: { name: 1, cores: null, memory: '1', virtualSwitchId: {} },
      skipValidations: true,
      start: 'now',
    },
    [
      ...[session, host, recoveryType, credentials, pathKind, diskFormat, firmware, name, cores, memory],
      ...[revisions, start],
    ],
  ],
]

const windows7: Hardware = { cores: 2, memoryMebibytes: 2048, osVersion: '6.1.7601', is64Bit: true }
const volumes: Readonly<Record<string, Partial<VolumeDescription> & { hardware?: Hardware }>> = {
  data: {},
  bios: { isBoot: true, hardware: { ...windows7, osVersion: '10.0.14393' } },
  uefi: { isBoot: true, firmware: 'uefi', hardware: { ...windows7, osVersion: '10.0.20348' } },
  windows7: { isBoot: true, hardware: windows7 },
  windows8: { isBoot: true, hardware: { ...windows7, osVersion: '6.2.9200' } },
  windows32: { isBoot: true, hardware: { ...windows7, osVersion: '10.0.14393', is64Bit: false } },
  linux: { isBoot: true, fileSystem: 'ext4', hardware: { ...windows7, osVersion: '5.10.0-28-amd64' } },
  large: { capacityBytes: 2 * 1024 ** 4 + 1024 ** 2 },
  largeBoot: { isBoot: true, capacityBytes: 2 * 1024 ** 4 + 1024 ** 2 },
  limit: { isBoot: true, capacityBytes: 2 * 1024 ** 4 },
}

onEveryStore('a restore as a virtual machine', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  const hosts = new FakeHosts()
  const ids: Record<string, number> = {}
  const noSession = { sessionId: '', hostId: 0 }
  /** Every message that any reply of these tests has borne. */
  const produced = new Set<string>()

  before(async () => {
    service = await TestService.start(await newStore())
    for (const [label, volume] of Object.entries(volumes)) ids[label] = await enter(label, volume)
  })
  after(() => service.close())

  /** Enters a revision as a commit enters it. @returns its id */
  const enter = async (label: string, { hardware, ...volume }: (typeof volumes)[string]) => {
    const store = new Revisions(service.store)
    const capacityBytes = volume.capacityBytes ?? 1024 ** 3
    const id = await store.nextId()
    const commit = {
      volume: { ...someVolume, deviceId: label, label, ...volume, capacityBytes },
      chunkSizeBytes: 1024 ** 2,
      chunkCount: capacityBytes / 1024 ** 2,
      createdAtMs: 0,
      ...(hardware ? { hardware } : {}),
    }
    await store.enter({ accountId: 'acme', computerId: '0001' }, label, id, { commit })
    return id
  }

  const call = async (address: string, body: unknown, expected: readonly string[]) => {
    const reply = await service.computer('POST', address, body)
    if (expected.length === 0) {
      assert.deepEqual([reply.status, reply.text], [204, ''])
      return reply
    }
    assert.deepEqual([reply.status, reply.json], [400, { errors: expected }], JSON.stringify(body))
    for (const message of expected) produced.add(message)
    return reply
  }
  const vm = '/restore/diskimage/standard/vm'
  const restore = (body: unknown, errors: readonly string[]) =>
    call(vm, body, errors.length === 0 ? [] : [general, ...errors])

  test('says everything that is wrong with the request, in the order of its members', async () => {
    let ran = 0
    for (const [, body, errors] of malformed) {
      await restore(body, errors)
      ran++
    }
    assert.ok(ran > 0 && ran === malformed.length)
  })

  test('says that the agent is offline, alone, once the request is in form', async () => {
    await call(vm, good, [offline])
    await call(vm, { ...good, skipValidations: true }, [offline])
    await call(`${vm}/validate/path`, { diskLocation: { path: '/x' } }, [offline])
    await call(`${vm}/validate/host/sourcemachine`, { firmwareType: 'Bios', revisions: [1] }, [offline])
  })

  describe('with the agent there', () => {
    before(async () => {
      agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
      agent.answersHosts = hosts.answer
      const session = await service.computer('POST', '/restore/hyperv/session')
      noSession.sessionId = session.json.sessionId
      const registered = await service.computer('POST', '/restore/hyperv/host/register/local', {
        sessionId: noSession.sessionId,
      })
      noSession.hostId = registered.json.identifier.id
    })
    after(() => agent.disconnect())

    const of = (...labels: string[]) => labels.map((label) => ids[label])
    const expected = (more: object) => ({ ...good, ...noSession, revisions: of('bios'), ...more })
    const refused = async (more: object, errors: readonly string[]) => {
      await restore(expected(more), errors)
    }
    /** A restore that is accepted, as the agent is told of it. */
    const accepted = async (more: object) => {
      const reply = await restore(expected(more), [])
      const id = String(reply.headers['x-restore-id'])
      assert.equal(reply.headers.location, `/backup/v2/accounts/acme/computers/0001/restores/${id}`)
      const startMessage = await agent.heard('start-machine-restore', (message) => message.id === id)
      await agent.finish('restore', id, { state: 'CANCELED' })
      return startMessage
    }
    const validate = (what: string, body: object, errors: readonly string[]) =>
      call(`${vm}/validate/${what}`, body, errors)

    test('refuses what the rules of the specification forbid, each in its words', async () => {
      hosts.reset()
      await refused({ revisions: of('uefi'), diskFormat: 'Vhd' }, [
        'UEFI-based systems can only be restored as VHDX',
      ])
      await refused({ revisions: of('bios', 'large'), firmwareType: 'Uefi', diskFormat: 'Vhd' }, [
        'volumes greater than 2040 GB can only be restored as VHDX',
        'UEFI-based systems can only be restored as VHDX',
      ])
      hosts.offer = { ...plentifulOffer, hypervisor: { name: 'QEMU', version: '7.2' } }
      await accepted({ firmwareType: 'Uefi', diskFormat: 'Vhd' })
      hosts.offer = { ...plentifulOffer, diskFormats: ['vhd'] }
      const notSupported = 'Vhdx format is not supported by the host, choose Vhd'
      await refused({}, [notSupported])
      await accepted({ diskFormat: 'vhd' })
      await accepted({ skipValidations: true })
      hosts.offer = { ...plentifulOffer, diskFormats: ['vhd'], firmware: ['bios'] }
      await refused({ revisions: of('uefi'), diskFormat: 'Vhdx', firmwareType: 'Uefi' }, [
        notSupported,
        'Restoring to a Windows Server 2008 R2 host is not supported on VMs running Windows 10 or Windows Server 2016 with the latest updates installed.',
        'When restoring to a 2008 R2 or 2012 server you cannot select UEFI firmware.',
      ])
      hosts.reset()
      for (const skipValidations of [false, true]) {
        await refused({ revisions: of('data'), skipValidations }, [
          'Restoring as Virtual Machine is not allowed without selecting a boot volume',
        ])
        await refused({ revisions: [999], skipValidations }, [
          '[revisions] is missing or invalid: 999 is not a revision of this computer',
          'Restoring as Virtual Machine is not allowed without selecting a boot volume',
        ])
      }
    })

    test('refuses sessions and hosts that are not there', async () => {
      hosts.reset()
      const unknown = { sessionId: good.sessionId, hostId: 77 }
      for (const skipValidations of [false, true]) {
        await refused({ hostId: 77, skipValidations }, ['ErrorCode.HostNotInCatalog'])
        await refused({ ...unknown, skipValidations }, [session, 'ErrorCode.HostNotInCatalog'])
        await refused({ sessionId: good.sessionId, skipValidations }, [session])
      }
      const some = { firmwareType: 'Bios', revisions: of('bios') }
      await validate('host/capabilities', { ...noSession, hostId: 77, ...some }, [
        'ErrorCode.HostNotInCatalog',
      ])
      await validate('host/permissions', { hostId: 77, diskLocation: { path: '/x' } }, [
        'ErrorCode.HostNotInCatalog',
      ])
      await validate('host/server', { ...unknown, hostProperties }, [session, 'ErrorCode.HostNotInCatalog'])
    })

    test('says whether the machine that was backed up can start with the chosen firmware', async () => {
      hosts.reset()
      const cases: [labels: string[], firmwareType: string, errors: string[]][] = [
        [['bios'], 'Bios', []],
        [['bios'], 'uEFI', []],
        [['windows8'], 'Uefi', []],
        [['linux'], 'Uefi', []],
        [['limit'], 'Bios', []],
        [['windows7'], 'Bios', []],
        [['windows32'], 'Uefi', ['UEFI is only supported on 64-bit operating systems.']],
        [
          ['windows7'],
          'Uefi',
          [
            'Boot volumes from 64-bit versions of Windows Server 2008 R2 or Windows 7 cannot be restored using EFI.',
          ],
        ],
        [
          ['bios', 'large'],
          'Bios',
          ['BIOS firmware is not supported for volumes over 2TB in size. Please select UEFI to continue.'],
        ],
        [['largeBoot'], 'Uefi', []],
      ]
      for (const [labels, firmwareType, errors] of cases) {
        await validate('host/sourcemachine', { firmwareType, revisions: of(...labels) }, errors)
        if (errors.length > 0) await refused({ firmwareType, revisions: of(...labels) }, errors)
        await accepted({ firmwareType, revisions: of(...labels), skipValidations: true })
      }
    })

    test('says what the host cannot do for the chosen revisions', async () => {
      const on = async (
        offer: Partial<typeof plentifulOffer>,
        labels: string[],
        firmwareType: string,
        errors: string[],
      ) => {
        hosts.offer = { ...plentifulOffer, ...offer }
        await validate('host/capabilities', { ...noSession, firmwareType, revisions: of(...labels) }, errors)
      }
      const windows2008 = { firmware: ['bios' as const], diskFormats: ['vhd'] }
      const windows2012 = { firmware: ['bios' as const] }
      await on({}, ['bios'], 'Uefi', [])
      await on({}, ['data'], 'Bios', [
        'Restoring as Virtual Machine is not allowed without selecting a boot volume',
      ])
      await on(windows2008, ['bios'], 'Bios', [
        'Restoring to a Windows Server 2008 R2 host is not supported on VMs running Windows 10 or Windows Server 2016 with the latest updates installed.',
      ])
      await on(windows2008, ['windows8'], 'Bios', [])
      await on(windows2008, ['linux'], 'Bios', [])
      await on(windows2012, ['largeBoot'], 'Bios', [
        'Windows Server 2012 does not support boot volumes over 2TB in size.',
      ])
      await on(windows2012, ['limit'], 'Bios', [])
      await on(windows2012, ['bios'], 'Uefi', [
        'When restoring to a 2008 R2 or 2012 server you cannot select UEFI firmware.',
      ])
      hosts.reset()
    })

    test('refuses more processors and memory than the host has', async () => {
      hosts.reset()
      const on = (body: object, errors: string[]) =>
        validate('host/server', { ...noSession, hostProperties: body }, errors)
      await on({ cores: 8, memory: 16_384 }, [])
      const memoryExceeds =
        "The source machine's original Memory configuration exceeds the available RAM resources on the target machine. Maximum value is 16384, provided value was 16386"
      const coresExceed =
        "The source machine's original CPU Cores configuration exceeds the available CPU resources on the target machine. Maximum value is 8, provided value was 9"
      await on({ cores: 9, memory: 16_386 }, [memoryExceeds, coresExceed])
      await on({ cores: 0, memory: 33 }, [
        '[hostproperties][memory] is invalid: the host takes multiples of 2, and at least 32',
        '[hostproperties][cores] is invalid: the host takes multiples of 1, and at least 1',
      ])
      await refused({ hostProperties: { name: 'x', cores: 9, memory: 16_386 } }, [memoryExceeds, coresExceed])
    })

    test('starts a machine at once only where the host can, and shows it as started while its disks are copied', async () => {
      hosts.reset()
      await refused({ instantStart: true }, [
        'The host cannot start a machine before its disks are copied; only QEMU without libvirt can',
      ])
      hosts.offer = { ...plentifulOffer, startsInstantly: true }
      const reply = await restore(expected({ instantStart: true }), [])
      const id = String(reply.headers['x-restore-id'])
      const { machine } = await agent.heard('start-machine-restore', (message) => message.id === id)
      assert.deepEqual([machine.instantStart, machine.start], [true, true])
      const state = async () => (await service.computer('GET', `/restores/${id}`)).json.machine.state
      const says = (step: string) =>
        agent.say({ type: 'progress', task: 'restore', id, step, bytesDone: 1, bytesTotal: 2 })
      says('starting')
      assert.equal(await state(), 'NONE')
      says('copying')
      await eventually(async () => assert.equal(await state(), 'STARTED'))
      await agent.finish('restore', id, { state: 'CANCELED' })
      assert.equal(await state(), 'NONE')
      hosts.reset()
    })

    test('says what stands against the folder: path, agent, network and permissions', async () => {
      hosts.reset()
      const folder = { diskLocation: { path: '/machines' } }
      const network = { ...folder, diskFormat: 'Vhd' }
      const permissions = { ...folder, hostId: noSession.hostId }
      await validate('path', folder, [])
      await validate('agent', folder, [])
      await validate('network', network, [])
      await validate('host/permissions', permissions, [])
      for (const code of [
        'CreateFolderFailed',
        'BackupSetActions_NetworkShareInaccessible',
        'BackupSetActions_NetworkPathNotFound',
        'BackupSetActions_NetworkShareInvalidAuth',
        'BackupSetActions_NetworkShareNoWritePermissions',
      ]) {
        hosts.obstacles = { path: [{ code, message: 'why' }], agent: [{ code: 'no-access', message: '' }] }
        await validate('path', folder, [code])
        await refused({}, [code])
      }
      hosts.obstacles = { path: [{ code: 'NotEnoughSpace', message: '' }] }
      await validate('path', folder, ['CreateFolderFailed'])

      hosts.obstacles = {
        agent: [{ code: 'no-access', message: '' }],
        network: ['fat', 'sparse', 'sector-size'].map((code) => ({ code, message: '' })),
        permissions: [{ code: 'no-access', message: '' }],
      }
      const ofAgent = 'Need to have read/write permissions on path /machines'
      const ofNetwork = [
        'When restoring as VHD type, you cannot set the disk path on a 4k drive: /machines',
        'You cannot set the differencing disk path on a sparse file system: /machines',
        'You cannot set the differencing disk path on a FAT, FAT32 or exFAT drive: /machines',
      ]
      const ofHost =
        'Please provide Full Control permission for the host in the share permissions of folder /machines.'
      await validate('agent', folder, [ofAgent])
      await validate('network', network, ofNetwork)
      await validate('host/permissions', permissions, [ofHost])
      await refused({ diskFormat: 'Vhd' }, [ofAgent, ...ofNetwork, ofHost])
      await accepted({ diskFormat: 'Vhd', skipValidations: true })

      hosts.offer = { ...plentifulOffer, hypervisor: { name: 'Hyper-V', version: '6.1.7601' } }
      await validate('host/permissions', permissions, [
        'Please provide Full Control permission for the host in the share permissions of folder /machines and provide Full Control permissions for everyone in the security permissions of this folder.',
      ])
      hosts.obstacles = { permissions: [{ code: 'machines-path', message: '' }] }
      await validate('host/permissions', permissions, [
        "The 'Virtual Machines' path is set to an invalid location in Hyper-V Manager. Please change this path in Hyper-V manager to a valid location.",
      ])
      hosts.obstacles = { permissions: [{ code: 'unknown', message: '' }] }
      const unknown = `Unknown error while validating host permissions for host ${noSession.hostId} on path /machines`
      await validate('host/permissions', permissions, [unknown])
      hosts.reset()
      hosts.silentAbout = ['permissions']
      await validate('host/permissions', permissions, [unknown])
    })

    test('passes on what an agent or a host says that it cannot tell, on one line', async () => {
      hosts.reset()
      hosts.silentAbout = ['host', 'path']
      await refused({}, [
        'The host cannot be used: the host says nothing',
        'The agent cannot tell: the host says nothing',
      ])
      hosts.reset()
      hosts.unsupported = [{ code: 'host-unreachable', message: 'nobody answers' }]
      await validate('host/server', { ...noSession, hostProperties }, [
        'The host cannot be used: nobody answers',
      ])
    })

    test('refuses a name that is taken and a switch that the host lacks', async () => {
      hosts.reset()
      await accepted({ hostProperties: { ...hostProperties, name: 'n'.repeat(100) } })
      hosts.obstacles = { name: [{ code: 'taken', message: '' }] }
      const elsewhere = { ...hostProperties, virtualSwitchId: '00000000-0000-4000-8000-000000000000' }
      await refused({ ...production, hostProperties: elsewhere }, [
        '[hostproperties][virtualswitchid] is invalid: the host has no such switch',
        '[hostproperties][name] is invalid: another machine on the host has this name',
      ])
    })

    test('refuses a revision that is deleted while the agent is asked', async () => {
      hosts.reset()
      const id = await enter('short-lived', { isBoot: true })
      agent.answersHosts = undefined
      const refusal = refused({ revisions: [id] }, [
        `[revisions] is missing or invalid: ${id} is not a revision of this computer`,
      ])
      const question = await agent.heard('ask-host')
      agent.answersHosts = hosts.answer
      assert.equal((await service.computer('DELETE', `/revisions/${id}`)).status, 204)
      agent.say({ type: 'host-answer', id: question.id, answer: hosts.answer(question.question) })
      await refusal
      assert.deepEqual(agent.unheard, [])
    })

    test('every message of ours is produced by one of these tests', () => {
      const shaped = [
        ...Object.values(machineMessages).flatMap((message) =>
          typeof message === 'string' ? [message] : [],
        ),
        ...[machineMessages.agentAccess, machineMessages.largeSectors, machineMessages.sparse].map((of) =>
          of('/machines'),
        ),
        ...[machineMessages.fat, machineMessages.permissions, machineMessages.permissionsOld].map((of) =>
          of('/machines'),
        ),
        machineMessages.permissionsUnknown(noSession.hostId, '/machines'),
        machineMessages.memoryExceeds(16_384, 16_386),
        machineMessages.coresExceed(8, 9),
        machineMessages.notOffered('memory', 32, 2),
        machineMessages.hostUnusable('nobody answers'),
        machineMessages.agentSilent('the host says nothing'),
      ]
      assert.equal(shaped.length, Object.keys(machineMessages).length, 'every message is in the list')
      assert.deepEqual(
        shaped.filter((message) => !produced.has(message)),
        [],
      )
    })

    test('tells the agent everything, and keeps the secrets to itself', async () => {
      hosts.reset()
      const remote = await service.computer('POST', '/restore/hyperv/host/register/remote', {
        sessionId: noSession.sessionId,
        hostName: 'HV02',
        authenticationMode: 'credentials',
        credentials: { userName: 'CORP\\admin', password: 'pa55-of-the-host' },
      })
      const hostId = remote.json.identifier.id
      const more = {
        ...production,
        hostId,
        firmwareType: 'UEFI',
        diskFormat: 'vhdx',
        start: true,
        diskLocation: { ...share, credentials: { username: 'who', password: 'pa55-of-the-share' } },
        hostProperties: { ...hostProperties, virtualSwitchId: switchId?.toUpperCase() },
        revisions: of('uefi', 'data'),
      }
      const reply = await restore(expected(more), [])
      const id = String(reply.headers['x-restore-id'])
      const message = await agent.heard('start-machine-restore')
      assert.deepEqual(message.machine, {
        host: { hostName: 'HV02', credentials: { username: 'CORP\\admin', password: 'pa55-of-the-host' } },
        id,
        name: 'files01',
        firmware: 'uefi',
        cores: 2,
        memoryMebibytes: 2048,
        switchId,
        start: true,
      })
      assert.deepEqual(message.destination, {
        ...share,
        credentials: { username: 'who', password: 'pa55-of-the-share' },
      })
      assert.deepEqual(
        [message.diskFormat, message.revisions.map(({ revisionId }) => revisionId)],
        ['Vhdx', of('uefi', 'data')],
      )
      const restoreView = async () => (await service.computer('GET', `/restores/${id}`)).json
      const machine = { id, name: 'files01', hostId, hostName: 'HV02', recoveryType: 'ProductionRecovery' }
      assert.deepEqual((await restoreView()).machine, { ...machine, state: 'NONE' })
      const tables = service.store.tables<Record<'backup_task' | 'backup_host', Record<string, unknown>>>()
      for (const table of ['backup_task', 'backup_host'] as const) {
        assert.doesNotMatch(JSON.stringify(await tables.selectFrom(table).selectAll().execute()), /pa55/)
      }
      const definedMachine = { id, name: 'files01', isStarted: false }
      const failure = { code: 'MachineNotStarted', message: 'it is whole and does not start' }
      await agent.finish('restore', id, {
        state: 'ERROR',
        ...failure,
        files: ['x.vhdx'],
        machine: definedMachine,
      })
      const ended = await restoreView()
      assert.deepEqual(
        [ended.state, ended.error, ended.files, ended.machine],
        ['ERROR', failure, ['x.vhdx'], { ...machine, state: 'DEFINED' }],
      )
      const remove = () => service.computer('DELETE', `/restores/${id}/machine`)
      hosts.silentAbout = ['removal']
      assert.deepEqual((await remove()).json, {
        errors: ['The host cannot be used: the host says nothing'],
      })
      hosts.reset()
      assert.equal((await remove()).status, 204)
      const host = {
        hostName: 'HV02',
        credentials: { username: 'CORP\\admin', password: 'pa55-of-the-host' },
      }
      assert.deepEqual(hosts.asked, [{ about: 'removal', machineId: id, host }])
      const removed = await restoreView()
      assert.deepEqual([removed.files, removed.machine], [[], { ...machine, state: 'NONE' }])
      assert.equal((await remove()).status, 404)
    })

    test('a test recovery is told without a switch', async () => {
      hosts.reset()
      const message = await accepted({ recoveryType: 'testRECOVERY' })
      assert.equal(message.machine.switchId, undefined)
      assert.equal(message.machine.start, false)
      assert.deepEqual(message.machine.host, {})
    })
  })
})
