import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { onEveryStore } from '@palisade/platform/testing'
import { Revisions } from '../revisions/revisions.ts'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent, someVolume, vaultChunkSizeBytes } from '../testing/fake-agent.ts'

/** The texts as the specification prints them. */
const general = 'Could not create item.'
const destination = '[destination] is missing or invalid'
const path = '[destination][path] must be a string'
const credentials =
  '[destination][credentials][username] and [destination][credentials][password] must be set to a string'
const forLocal = '[destination][credentials] must not be specified for local paths'
const pathKind = '[destination][path] is invalid'
const diskFormat = '[diskformat] is missing or invalid; allowed values are vhd, vhdx'
const revisions = '[revisions] is missing or invalid; [revisions] must be a valid list of id integers'
const offline = 'Agent cannot be reached or is offline'

const local = { path: '/restored' }
const share = { path: '\\\\server\\share\\folder' }
const user = { username: 'u', password: 'p' }
const good = { destination: local, diskFormat: 'Vhdx', revisions: [1] }

const cases: [what: string, body: unknown, errors: string[]][] = [
  ['nothing', {}, [destination, diskFormat, revisions]],
  ['a list', [], [destination, diskFormat, revisions]],
  ['no destination', { ...good, destination: undefined }, [destination]],
  ['a destination that is null', { ...good, destination: null }, [destination]],
  ['a destination that is a text', { ...good, destination: '/x' }, [destination]],
  ['a destination that is a list', { ...good, destination: ['/x'] }, [destination]],
  ['a destination without a path', { ...good, destination: {} }, [path]],
  ['a path that is a number', { ...good, destination: { path: 7 } }, [path]],
  ['a path that is null', { ...good, destination: { path: null } }, [path]],
  ['an empty path', { ...good, destination: { path: '' } }, [pathKind]],
  ['a relative path', { ...good, destination: { path: 'folder\\x' } }, [pathKind]],
  ['a path relative to a drive', { ...good, destination: { path: 'C:folder' } }, [pathKind]],
  ['a path that no system takes', { ...good, destination: { path: `/${'b'.repeat(4096)}` } }, [pathKind]],
  ['a server without a share', { ...good, destination: { path: '\\\\server' } }, [pathKind]],
  ['credentials for a local path', { ...good, destination: { ...local, credentials: user } }, [forLocal]],
  [
    'credentials for a local Windows path',
    { ...good, destination: { path: 'd:/x', credentials: user } },
    [forLocal],
  ],
  [
    'a user that is a number',
    { ...good, destination: { ...share, credentials: { username: 7, password: 'p' } } },
    [credentials],
  ],
  [
    'a password that is missing',
    { ...good, destination: { ...share, credentials: { username: 'u' } } },
    [credentials],
  ],
  [
    'a password that is null',
    { ...good, destination: { ...share, credentials: { username: 'u', password: null } } },
    [credentials],
  ],
  ['credentials that are a text', { ...good, destination: { ...share, credentials: 'u:p' } }, [credentials]],
  ['empty credentials', { ...good, destination: { ...share, credentials: {} } }, [credentials]],
  [
    'wrong credentials for a local path',
    { ...good, destination: { ...local, credentials: {} } },
    [credentials, forLocal],
  ],
  [
    'wrong credentials for a path that is neither',
    { ...good, destination: { path: 'x', credentials: {} } },
    [credentials, pathKind],
  ],
  ['wrong credentials without a path', { ...good, destination: { credentials: [] } }, [path, credentials]],
  ['no format', { ...good, diskFormat: undefined }, [diskFormat]],
  ['another format', { ...good, diskFormat: 'vmdk' }, [diskFormat]],
  ['a format that is a number', { ...good, diskFormat: 1 }, [diskFormat]],
  ['a format from the prototype', { ...good, diskFormat: 'toString' }, [diskFormat]],
  [
    'the format under the name of its message',
    { ...good, diskFormat: undefined, diskformat: 'vhd' },
    [diskFormat],
  ],
  ['no revisions', { ...good, revisions: undefined }, [revisions]],
  ['no revision at all', { ...good, revisions: [] }, [revisions]],
  ['a single number', { ...good, revisions: 1 }, [revisions]],
  ['texts', { ...good, revisions: ['1'] }, [revisions]],
  ['a fraction', { ...good, revisions: [1, 1.5] }, [revisions]],
  ['a number beyond integers', { ...good, revisions: [1e300] }, [revisions]],
  ['null among them', { ...good, revisions: [1, null] }, [revisions]],
  ['far too many', { ...good, revisions: Array.from({ length: 300 }, (_, id) => id) }, [revisions]],
  [
    'everything wrong at once',
    { destination: { path: 'nowhere', credentials: { username: 1 } }, diskFormat: 'raw', revisions: {} },
    [credentials, pathKind, diskFormat, revisions],
  ],
]

onEveryStore('a restore as virtual disks', (newStore) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(await newStore())
  })
  after(() => service.close())

  describe('by the words of the specification', () => {
    test('says everything that is wrong with the request, in order, behind the general message', async () => {
      let ran = 0
      for (const [what, body, errors] of cases) {
        const reply = await service.restoreDisks(body)
        assert.deepEqual([reply.status, reply.json], [400, { errors: [general, ...errors] }], what)
        ran++
      }
      assert.ok(ran > 0 && ran === cases.length)
    })

    test('says that the agent is offline, alone, once the request is in form and before anything else', async () => {
      for (const body of [good, { ...good, diskFormat: 'VHD' }, { ...good, revisions: [999] }]) {
        const reply = await service.restoreDisks(body)
        assert.deepEqual([reply.status, reply.json], [400, { errors: [offline] }])
      }
    })
  })

  describe('with the agent there', () => {
    let agent: FakeAgent
    let other: FakeAgent
    const ids: Record<string, number> = {}
    before(async () => {
      agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
      other = await FakeAgent.enrol(service.served.baseUrl, { computer: '0002', enrolmentKey: 'enrol-two' })
      await other.connect()
      const volumes = {
        data: { deviceId: 'data' },
        bootBios: { deviceId: 'bios', isBoot: true, label: '', driveLetter: 'C:' },
        bootUefi: { deviceId: 'uefi', isBoot: true, firmware: 'uefi' as const },
        dataUefi: { deviceId: 'data-uefi', firmware: 'uefi' as const },
      }
      for (const [name, volume] of Object.entries(volumes)) {
        const { json } = await service.computer('POST', '/backups', { source: { path: name } })
        ids[name] = await agent.backUp(json.data.id, someContent(), volume)
      }
      const { json } = await service.computer('POST', '/backups', { source: { path: 'again' } })
      ids.dataAgain = await agent.backUp(json.data.id, someContent(2), volumes.data)
      const theirs = await service.call('POST', '/v2/accounts/acme/computers/0002/backups', {
        source: { path: 'theirs' },
      })
      ids.theirs = await other.backUp(theirs.json.data.id, someContent())
      // As large as no test can upload: entered as a commit enters them.
      const revisions = new Revisions(service.store)
      for (const [index, name] of ['limit', 'huge'].entries()) {
        const chunkCount = (2040 * 1024 ** 3) / vaultChunkSizeBytes + index
        const volume = { ...someVolume, deviceId: name, capacityBytes: chunkCount * vaultChunkSizeBytes }
        const id = await revisions.nextId()
        const commit = { volume, chunkSizeBytes: vaultChunkSizeBytes, chunkCount, createdAtMs: 0 }
        await revisions.enter({ accountId: 'acme', computerId: '0001' }, name, id, { commit })
        ids[name] = id
      }
    })
    after(async () => {
      await agent.disconnect()
      await other.disconnect()
    })

    const refused = async (names: string[], format: string, errors: string[]) => {
      const reply = await service.restoreDisks({
        destination: local,
        diskFormat: format,
        revisions: names.map((name) => ids[name]),
      })
      assert.deepEqual([reply.status, reply.json], [400, { errors: [general, ...errors] }])
    }
    const accepted = async (names: string[], body: object) => {
      const reply = await service.restoreDisks({ revisions: names.map((name) => ids[name]), ...body })
      assert.deepEqual([reply.status, reply.text], [204, ''])
      assert.equal(reply.headers['content-type'], undefined)
      const id = String(reply.headers['x-restore-id'])
      assert.equal(reply.headers.location, `/backup/v2/accounts/acme/computers/0001/restores/${id}`)
      const startMessage = await agent.heard('start-restore', (message) => message.id === id)
      await agent.finish('restore', id, { state: 'CANCELED' })
      return startMessage
    }

    test('refuses revisions that are not of the computer, naming them', async () => {
      const reply = await service.restoreDisks({ ...good, revisions: [-1, 999, ids.theirs] })
      const isNone = (id: unknown) =>
        `[revisions] is missing or invalid: ${id} is not a revision of this computer`
      assert.deepEqual(
        [reply.status, reply.json],
        [400, { errors: [general, isNone(-1), isNone(999), isNone(ids.theirs)] }],
      )
    })

    test('refuses two revisions of one volume, and one given twice', async () => {
      const same = (a: unknown, b: unknown) =>
        `[revisions] is missing or invalid: ${a} and ${b} are of the same volume, and only one of them can be restored`
      await refused(['data', 'dataAgain'], 'Vhdx', [same(ids.data, ids.dataAgain)])
      await refused(['data', 'data'], 'Vhdx', [same(ids.data, ids.data)])
    })

    test('refuses a boot volume of a UEFI system as VHD', async () => {
      await refused(['bootUefi'], 'Vhd', ['UEFI-based systems can only be restored as VHDX'])
      await accepted(['bootUefi'], { destination: local, diskFormat: 'VHDX' })
      await accepted(['bootBios', 'dataUefi'], { destination: local, diskFormat: 'vhd' })
    })

    test('refuses a volume of more than 2040 GB as VHD, and takes one of exactly that', async () => {
      await refused(['huge'], 'vhd', ['volumes greater than 2040 GB can only be restored as VHDX'])
      await accepted(['huge'], { destination: local, diskFormat: 'vhdx' })
      await accepted(['limit'], { destination: local, diskFormat: 'vhd' })
    })

    test('says all of it at once', async () => {
      await refused(['huge', 'bootUefi'], 'Vhd', [
        'UEFI-based systems can only be restored as VHDX',
        'volumes greater than 2040 GB can only be restored as VHDX',
      ])
    })

    test('takes every kind of path, and both spellings of the user', async () => {
      for (const where of ['/', '/a/b', 'C:\\', 'c:/x y', '\\\\s\\share', '//s/share/x', 'smb://s/share/x']) {
        const message = await accepted(['data'], { destination: { path: where }, diskFormat: 'Vhd' })
        assert.deepEqual(message.destination, { path: where })
      }
      for (const logon of [user, { userName: 'u', password: 'p' }]) {
        const message = await accepted(['data'], {
          destination: { ...share, credentials: logon },
          diskFormat: 'Vhd',
        })
        assert.deepEqual(message.destination, { ...share, credentials: user })
      }
      const none = await accepted(['data'], {
        destination: { ...local, credentials: null },
        diskFormat: 'Vhd',
      })
      assert.deepEqual(none.destination, local)
    })

    test('tells the agent the format as the specification writes it, and names for the files', async () => {
      const message = await accepted(['bootBios', 'data'], { destination: local, diskFormat: 'vHdX' })
      assert.equal(message.diskFormat, 'Vhdx')
      assert.deepEqual(
        message.revisions.map(({ fileName }) => fileName),
        [`files01-C-${ids.bootBios}`, `files01-Archive-${ids.data}`],
      )
    })

    test('lists the newest revision of each volume, and all of one, newest first', async () => {
      const volumes = await service.computer('GET', '/restore/diskimage/standard/browse/volumes')
      const volumeIds = volumes.json.map(({ Id }: { Id: number }) => Id)
      const names = ['bootBios', 'bootUefi', 'dataUefi', 'dataAgain', 'limit', 'huge']
      assert.deepEqual(
        volumeIds,
        names.map((name) => ids[name]).sort((a = 0, b = 0) => a - b),
      )
      const all = await service.computer('GET', '/restore/diskimage/standard/browse/revisions?deviceId=data')
      assert.deepEqual(
        all.json.map(({ Id }: { Id: number }) => Id),
        [ids.dataAgain, ids.data],
      )
    })

    test('keeps the credentials of a share sealed while it runs, and not at all afterwards', async () => {
      const secret = 'pa55-of-the-share'
      const reply = await service.restoreDisks({
        destination: { ...share, credentials: { username: 'who-writes', password: secret } },
        diskFormat: 'Vhdx',
        revisions: [ids.data],
      })
      const id = String(reply.headers['x-restore-id'])
      const rows = async () =>
        service.store
          .tables<{ backup_task: Record<string, unknown> }>()
          .selectFrom('backup_task')
          .selectAll()
          .execute()
      const running = (await rows()).find((row) => row.id === id)
      assert.equal(typeof running?.sealed_credentials, 'string')
      assert.doesNotMatch(JSON.stringify(await rows()), /pa55-of-the-share|who-writes/)
      const shown = await service.computer('GET', `/restores/${id}`)
      assert.doesNotMatch(shown.text, /pa55-of-the-share|who-writes|credentials/)
      await agent.finish('restore', id, { state: 'CANCELED' })
      const ended = (await rows()).find((row) => row.id === id)
      assert.equal(ended?.sealed_credentials, null)
    })
  })
})
