import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { agentPaths, type ProofResult, screenshotSizeMaxBytes } from '@palisade/agent-protocol'
import { onEveryStore } from '@palisade/platform/testing'
import { TestService } from '../testing/backup-service.ts'
import { FakeAgent, someContent } from '../testing/fake-agent.ts'
import { FakeHosts } from '../testing/fake-hosts.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const png = Buffer.concat([signature, Buffer.from('a picture')])
const runs: ProofResult = { verdict: 'runs', reason: 'The machine asks\nwho logs in.', tookMs: 4321 }
const fails: ProofResult = { verdict: 'fails', reason: 'The machine finds nothing.', tookMs: 5 }

onEveryStore('proofs of recovery', (newStore) => {
  let service: TestService
  let agent: FakeAgent
  let seed = 0
  const session = { sessionId: '', hostId: 0 }
  before(async () => {
    service = await TestService.start(await newStore())
    agent = await (await FakeAgent.enrol(service.served.baseUrl)).connect()
    agent.answersHosts = new FakeHosts().answer
    session.sessionId = (await service.computer('POST', '/restore/hyperv/session')).json.sessionId
    const host = await service.computer('POST', '/restore/hyperv/host/register/local', {
      sessionId: session.sessionId,
    })
    session.hostId = host.json.identifier.id
  })
  after(() => service.close())

  const backUp = async (): Promise<number> => {
    const { json } = await service.computer('POST', '/backups', { source: { path: '/x' } })
    await agent.heard('start-backup')
    return agent.backUp(json.data.id, someContent(++seed), { deviceId: `disk ${seed}`, isBoot: true })
  }
  const begin = async (revisions: readonly number[], more: object = { prove: true }) => {
    const reply = await service.computer('POST', '/restore/diskimage/standard/vm', {
      ...session,
      recoveryType: 'TestRecovery',
      diskLocation: { path: '/machines' },
      diskFormat: 'Vhdx',
      firmwareType: 'Bios',
      revisions,
      hostProperties: { name: 'proof', cores: 2, memory: 2048 },
      ...more,
    })
    assert.equal(reply.status, 204, reply.text)
    return (await agent.heard('start-machine-restore')).machine
  }
  const handIn = async (id: string, picture = png) =>
    (await agent.request('POST', agentPaths.screenshot(id), picture)).status
  const showRevision = async (revision: number) =>
    (await service.computer('GET', `/revisions/${revision}`)).json
  const screenshot = (revision: number) =>
    fetch(
      `${service.served.baseUrl}/v2/accounts/acme/computers/0001/revisions/${revision}/proof/screenshot`,
      { headers: { authorization: token } },
    )
  let token = ''
  before(async () => {
    token = (await service.authorise('reader')).authorization
  })
  const pictures = async () => {
    const rows = await service.store
      .tables<{ backup_screenshot: { restore_id: string } }>()
      .selectFrom('backup_screenshot')
      .select('restore_id')
      .execute()
    return rows.map(({ restore_id }) => restore_id)
  }

  test('a picture is taken for an unfinished proof only, of the computer whose agent sends it', async () => {
    const revision = await backUp()
    const { id: other } = await begin([revision], {})
    assert.equal(await handIn(other), 404, 'a restore that is none')
    await agent.finish('restore', other, { state: 'CANCELED' })
    const { id } = await begin([revision])
    assert.equal(await handIn('none'), 404)
    assert.equal(await handIn(id, Buffer.from('GIF89a')), 400)
    assert.equal(await handIn(id, Buffer.concat([signature, Buffer.alloc(screenshotSizeMaxBytes)])), 413)
    const foreign = await FakeAgent.enrol(service.served.baseUrl, {
      computer: '0002',
      enrolmentKey: 'enrol-two',
    })
    const path = agentPaths.screenshot(id)
    assert.equal((await foreign.request('POST', path, png)).status, 404)
    assert.equal((await fetch(service.served.baseUrl + path, { method: 'POST' })).status, 401)
    assert.equal(await handIn(id), 204)
    assert.equal((await screenshot(revision)).status, 404, 'there is no verdict yet')
    await agent.finish('restore', id, { state: 'CANCELED' })
    assert.deepEqual(await pictures(), [])
    assert.equal(await handIn(id), 404)
    assert.equal((await showRevision(revision)).Proof, null)
  })

  test('what came of it is shown with each revision, and the picture can be had', async () => {
    const revisions = [await backUp(), await backUp()] as const
    const machine = await begin(revisions, {
      prove: true,
      start: true,
      proveTimeoutSeconds: 77,
      proveSign: 'up',
    })
    assert.deepEqual([machine.proof, machine.start], [{ timeoutSeconds: 77, sign: 'up' }, false])
    assert.equal(await handIn(machine.id), 204)
    assert.equal(await handIn(machine.id), 204, 'an agent may say it twice')
    await agent.finish('restore', machine.id, { state: 'SUCCESS', files: [], proof: runs })
    const { state, machine: made, proof } = (await service.computer('GET', `/restores/${machine.id}`)).json
    const reason = 'The machine asks who logs in.'
    assert.deepEqual(
      [state, made.state, proof],
      ['SUCCESS', 'NONE', { state: 'RUNS', reason, tookMilliseconds: 4321 }],
    )
    for (const revision of revisions) {
      const { LastProvedBootable, Proof } = await showRevision(revision)
      assert.equal(LastProvedBootable, Proof.DateTime)
      const { DateTime: _when, ...rest } = Proof
      assert.deepEqual(rest, {
        State: 'RUNS',
        Reason: reason,
        TookMilliseconds: 4321,
        HasScreenshot: true,
        RestoreId: machine.id,
      })
      const reply = await screenshot(revision)
      assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, 'image/png'])
      assert.deepEqual(Buffer.from(await reply.arrayBuffer()), png)
    }
    assert.deepEqual(await pictures(), [machine.id])

    await service.computer('DELETE', `/revisions/${revisions[0]}`)
    assert.equal((await screenshot(revisions[0])).status, 404)
    assert.equal((await screenshot(revisions[1])).status, 200, 'the other revision still has it')
    await service.computer('DELETE', `/revisions/${revisions[1]}`)
    assert.deepEqual(await pictures(), [])
  })

  test('a later proof takes the place of the one before, whose picture goes', async () => {
    const revision = await backUp()
    const first = await begin([revision])
    await handIn(first.id)
    await agent.finish('restore', first.id, { state: 'SUCCESS', proof: runs })
    const { LastProvedBootable } = await showRevision(revision)
    service.clock.advance(1000)
    const second = await begin([revision])
    await agent.finish('restore', second.id, { state: 'SUCCESS', proof: fails })
    const now = await showRevision(revision)
    assert.deepEqual([now.Proof.State, now.Proof.HasScreenshot], ['FAILS', false])
    assert.equal(now.LastProvedBootable, LastProvedBootable, 'it ran once')
    assert.equal((await screenshot(revision)).status, 404)
    assert.deepEqual(await pictures(), [])
    const third = await begin([revision])
    const why = { code: 'HostFailed', message: 'the host is gone' }
    await agent.finish('restore', third.id, { state: 'ERROR', ...why })
    assert.deepEqual((await showRevision(revision)).Proof, now.Proof, 'an error is no verdict')
    const { body } = await service.metrics.text()
    assert.match(body, /^palisade_backup_proofs_ended_total{verdict="runs"} [1-9]/m)
    assert.match(body, /^palisade_backup_proofs_ended_total{verdict="fails"} 1$/m)
  })

  test('an agent that knows nothing of proofs has failed, and its machine can be removed', async () => {
    const revision = await backUp()
    const { id } = await begin([revision])
    const machine = { id, name: 'proof', isStarted: false }
    await agent.finish('restore', id, { state: 'SUCCESS', files: ['/machines/a.vhdx'], machine })
    const { state, error } = (await service.computer('GET', `/restores/${id}`)).json
    assert.deepEqual([state, error.code], ['ERROR', 'InternalError'])
    assert.match(error.message, /too old to prove/)
    assert.equal((await service.computer('DELETE', `/restores/${id}/machine`)).status, 204)
  })

  test('pictures are for those who may read the computer', async () => {
    const revision = await backUp()
    const { id } = await begin([revision])
    await handIn(id)
    await agent.finish('restore', id, { state: 'SUCCESS', proof: runs })
    const path = `/computers/0001/revisions/${revision}/proof/screenshot`
    const statusFor = async (account: string, headers: Record<string, string>) =>
      (await service.call('GET', `/v2/accounts/${account}${path}`, undefined, headers)).status
    assert.equal(await statusFor('acme', { authorization: 'Bearer none' }), 401)
    assert.equal(await statusFor('acme', await service.authorise('writer')), 403)
    assert.equal(await statusFor('other', await service.authorise('reader')), 404)
    assert.equal((await screenshot(999_999)).status, 404)
  })
})
