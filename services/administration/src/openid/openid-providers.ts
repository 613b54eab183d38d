import { readFileSync } from 'node:fs'
import { type Clock, type Log, type Problem, problemAt, RequestRefused } from '@palisade/platform'
import { readPrivateFile } from '@palisade/private-files'
import type { AdministrationConfiguration } from '../configuration.ts'
import type { OpenIdSession } from '../sessions/sessions.ts'
import type { OpenIdProviderConfiguration } from '../sign-in-configuration.ts'
import { OpenIdProvider } from './openid-provider.ts'

/** What of the configuration is about providers. */
type SignInConfiguration = Pick<AdministrationConfiguration, 'openid' | 'publicUrl'>

/** The providers at which operators sign in, as the configuration has them now. */
export class OpenIdProviders {
  readonly #basePath: string
  readonly #clock: Clock
  readonly #log: Log
  #providers: ReadonlyMap<string, OpenIdProvider> = new Map()

  /** @param deps.basePath where the administration lies, such as "/admin/v1" */
  constructor(deps: { readonly basePath: string; readonly clock: Clock; readonly log: Log }) {
    this.#basePath = deps.basePath
    this.#clock = deps.clock
    this.#log = deps.log
  }

  /** As they are called, in the order of the configuration. */
  get names(): string[] {
    return [...this.#providers.keys()]
  }

  /** @throws RequestRefused not-found */
  named(name: string): OpenIdProvider {
    const provider = this.#providers.get(name)
    if (provider === undefined) throw new RequestRefused('not-found', 'There is no such provider.')
    return provider
  }

  /**
   * The providers of a configuration, which `problemsOfAdministration` and {@link problemsOfProviderFiles} have let through. They are asked
   * for nothing yet.
   */
  read({ openid, publicUrl = '' }: SignInConfiguration): ReadonlyMap<string, OpenIdProvider> {
    const providers = openid.map((configuration) => {
      const { name } = configuration
      const provider = new OpenIdProvider({
        configuration,
        secret: secretOf(configuration),
        authorities: authoritiesOf(configuration),
        redirectUri: `${new URL(publicUrl).origin}${this.#basePath}/login/${name}/callback`,
        clock: this.#clock,
      })
      return [name, provider] as const
    })
    return new Map(providers)
  }

  /** From now on operators sign in at these. Sessions that come from others go on. */
  use(providers: ReadonlyMap<string, OpenIdProvider>): void {
    this.#providers = providers
  }

  /**
   * Where somebody who has signed in at a provider logs out there; undefined where that is not offered, or the provider cannot be reached:
   * the session here has ended all the same.
   */
  async logoutUrl({ issuer, idToken }: OpenIdSession): Promise<string | undefined> {
    const provider = [...this.#providers.values()].find(
      ({ configuration }) => configuration.issuer === issuer,
    )
    try {
      return await provider?.logoutUrl(idToken)
    } catch {
      this.#log.warn({ issuer }, 'a provider could not be reached to log somebody out there')
      return undefined
    }
  }
}

/** The files that providers name: a change of their contents is a change of the providers. */
export function filesOfProviders(openid: SignInConfiguration['openid']): string[] {
  return openid.flatMap(({ clientSecretFile, caFile = [] }) => [clientSecretFile, caFile].flat())
}

/** Which files of providers cannot be read, or are open to others. */
export function problemsOfProviderFiles(openid: SignInConfiguration['openid']): Problem[] {
  return openid.flatMap((configuration, index) =>
    (['clientSecretFile', 'caFile'] as const).flatMap((member) => {
      try {
        if (member === 'clientSecretFile') secretOf(configuration)
        else authoritiesOf(configuration)
        return []
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        const path = ['administration', 'openid', index, member]
        return [problemAt(path, `names ${configuration[member]}, which cannot be read: ${reason}`)]
      }
    }),
  )
}

function secretOf({ clientSecretFile }: OpenIdProviderConfiguration): string {
  return readPrivateFile(clientSecretFile, 'group-reads').toString().trim()
}

function authoritiesOf({ caFile }: OpenIdProviderConfiguration): string[] {
  return caFile === undefined ? [] : [readFileSync(caFile, 'utf8')]
}
