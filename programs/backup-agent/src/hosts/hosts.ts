import { hostname } from 'node:os'
import type { HostAddress } from '@palisade/agent-protocol'
import { HostFailure } from './failure.ts'
import type { HostDriver } from './host-driver.ts'
import { HyperVHost } from './hyper-v/hyper-v-host.ts'

/** A host with the name that it is registered and shown by. */
export interface NamedHost {
  readonly name: string
  readonly driver: HostDriver
}

/** The hypervisors that this agent reaches. */
export class Hosts {
  readonly #configured: readonly NamedHost[]
  readonly #platform: NodeJS.Platform

  /** @param configured those that the operator named; the first one is the hypervisor of this machine */
  constructor(configured: readonly NamedHost[] = [], platform: NodeJS.Platform = process.platform) {
    this.#configured = configured
    this.#platform = platform
  }

  /**
   * The host with this address. Without a name: the one of this machine, which is Hyper-V on Windows unless another was
   * configured. Other names are those of configured hosts, in any case of letters, and on Windows of other machines with
   * Hyper-V. Whether the host answers is not asked.
   *
   * @throws HostFailure `host-unreachable`
   */
  find({ hostName, credentials }: HostAddress): NamedHost {
    const configured = this.#configured.find(
      ({ name }) => hostName === undefined || name.toLowerCase() === hostName.toLowerCase(),
    )
    if (configured !== undefined) return configured
    if (this.#platform !== 'win32') throw notConfigured(hostName)
    if (hostName === undefined || hostName.toLowerCase() === hostname().toLowerCase()) {
      return { name: hostname(), driver: new HyperVHost() }
    }
    const logon =
      credentials === undefined
        ? {}
        : { credentials: { userName: credentials.username, password: credentials.password } }
    return { name: hostName, driver: new HyperVHost({ remote: { computerName: hostName, ...logon } }) }
  }
}

function notConfigured(hostName: string | undefined): HostFailure {
  const which = hostName === undefined ? 'no hypervisor' : `no hypervisor called ${hostName}`
  const message = `the agent of this computer was told of ${which}; start it with --host`
  return new HostFailure({ code: 'host-unreachable' }, message)
}
