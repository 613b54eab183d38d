import { LazyValidator } from '@palisade/platform'
import { Type } from 'typebox'
import type { Installation } from '../installation.ts'

/** The server that has the backups of an installation, as the others reach it. */
export interface ActiveServer {
  /** Another one with each start of a server. */
  readonly id: string
  /** Where its services listener is: `https://10.0.0.2:8444`. */
  readonly address: string
  /** The certificate that it presents there, in PEM; null where the address is one of HTTP. */
  readonly certificate: string | null
  /** Whether it takes packs that other servers have stored; not said by releases that do not. */
  readonly takesPacks?: boolean
}

const form = new LazyValidator(
  Type.Object({
    id: Type.String(),
    address: Type.String(),
    certificate: Type.Union([Type.String(), Type.Null()]),
    takesPacks: Type.Optional(Type.Boolean()),
  }),
)

const activeServer = 'backup-server'
const vault = 'backup-vault'

/** What the servers of an installation tell each other in its database about who has the backups. */
export class ActiveServerRecord {
  readonly #installation: Installation

  constructor(installation: Installation) {
    this.#installation = installation
  }

  /** Who was active last; undefined before anybody was, or when what is there cannot be read. */
  async read(): Promise<ActiveServer | undefined> {
    const text = await this.#installation.value(activeServer)
    const value: unknown = text === undefined ? undefined : JSON.parse(text)
    return form.Check(value) ? value : undefined
  }

  write(server: ActiveServer): Promise<void> {
    return this.#installation.remember(activeServer, JSON.stringify(server))
  }

  /** The id of the vault that the backups lie in; undefined before there was one. */
  vaultId(): Promise<string | undefined> {
    return this.#installation.value(vault)
  }

  rememberVault(id: string): Promise<void> {
    return this.#installation.remember(vault, id)
  }
}
