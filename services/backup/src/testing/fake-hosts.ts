import type { HostAnswer, HostDescription, HostQuestion, Obstacle } from '@palisade/agent-protocol'

type Offer = NonNullable<HostDescription['offer']>

/** What a host offers that has everything. */
export const plentifulOffer: Offer = {
  hypervisor: { name: 'Hyper-V', version: '10.0.20348' },
  firmware: ['bios', 'uefi'],
  diskFormats: ['vhd', 'vhdx'],
  cores: { default: 1, minimum: 1, maximum: 8, increment: 1 },
  memoryMebibytes: { default: 1024, minimum: 32, maximum: 16_384, increment: 2 },
  virtualDisksPath: 'D:\\disks',
  virtualSwitches: [{ id: '3d1f9f7c-5a5b-4f0e-9b0e-0d9b8f1c2a34', name: 'External' }],
}

/** What an agent knows of its hosts and folders; a test sets it as it needs it. */
export class FakeHosts {
  offer: Offer = plentifulOffer
  /** What the host of the agent's own machine is called. */
  ownName = 'HV01'
  /** Why no host can be used. */
  unsupported: HostDescription['unsupported'] = []
  /** What stands against what is asked about, by that. */
  obstacles: Partial<Record<HostQuestion['about'], readonly Obstacle[]>> = {}
  /** What cannot be told. */
  silentAbout: readonly HostQuestion['about'][] = []
  readonly asked: HostQuestion[] = []

  /** Everything is well again. */
  reset(): void {
    Object.assign(this, { offer: plentifulOffer, unsupported: [], obstacles: {}, silentAbout: [] })
    this.asked.length = 0
  }

  readonly answer = (question: HostQuestion): HostAnswer => {
    this.asked.push(question)
    const { about } = question
    if (this.silentAbout.includes(about)) {
      return { kind: 'failed', obstacle: { code: 'host-error', message: 'the host\nsays nothing' } }
    }
    if (about !== 'host') return { kind: 'checked', obstacles: [...(this.obstacles[about] ?? [])] }
    const { unsupported, offer } = this
    const host = { hostName: question.host.hostName ?? this.ownName, unsupported }
    return { kind: 'described', host: unsupported.length > 0 ? host : { ...host, offer } }
  }
}
