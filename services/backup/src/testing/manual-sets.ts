import assert from 'node:assert/strict'
import type { Store } from '@palisade/platform'
import { TestService } from './backup-service.ts'
import { FakeAgent, someContent } from './fake-agent.ts'

const quick = { lookEveryMs: 20 }

/** The service with one agent, and backup sets of one volume each, which run when a test says so. */
export class ManualSets {
  readonly service: TestService
  agent: FakeAgent
  #sets = 0
  #contents = 0

  private constructor(service: TestService, agent: FakeAgent) {
    this.service = service
    this.agent = agent
  }

  static async start(store: Store): Promise<ManualSets> {
    const service = await TestService.start(store, quick)
    const agent = await FakeAgent.enrol(service.served.baseUrl)
    return new ManualSets(service, await agent.connect())
  }

  /** Stops the service, starts it again and connects the agent with it. */
  async restart(): Promise<void> {
    await this.service.restart(quick)
    this.agent = await this.agent.at(this.service.served.baseUrl).connect()
  }

  /** @returns the id of a new set, which is also the device id of its volume */
  async create(settings: object): Promise<string> {
    const { status, text, json } = await this.service.computer('POST', '/backupsets', {
      name: `set ${++this.#sets}`,
      type: 'Disk_Image',
      selection: [{ path: '/dev/sdb1' }],
      schedule: [{ type: 'manual' }],
      settings,
    })
    assert.equal(status, 201, text)
    return json.data.id
  }

  /** Runs a set to its end. @returns the new revision */
  async run(backupSetId: string, content = this.newContent()): Promise<number> {
    const { json } = await this.service.computer('POST', '/backupsets/run', { backupSetId })
    const { id } = await this.agent.heard('start-backup')
    const revision = await this.agent.backUp(id, content, { deviceId: backupSetId })
    await this.service.ended(json.data.id)
    return revision
  }

  /** The content of a volume that no backup had before. */
  newContent(): Buffer {
    return someContent(++this.#contents)
  }
}
