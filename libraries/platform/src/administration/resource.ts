import type { TObject } from 'typebox'
import type { TransactionTables } from '../database/store.ts'
import type { PagePlace, PageRequest } from './select-page.ts'

/** Parameters of a path, by name. */
export type PathParameters = Readonly<Record<string, string>>

/** One thing that operators administer, as they see it: without secrets. */
export interface AdministeredItem {
  /** The configuration file that it stands in, which alone changes it; null where it is changed at run time. */
  readonly managedBy: string | null
}

/** A thing in a listing, and where it stands there. */
export interface ListedItem {
  readonly item: AdministeredItem
  readonly place: PagePlace
}

/** What is done to the tables in one transaction, with its entry in the audit log. */
export type Write<Result> = (tables: TransactionTables) => Promise<Result>

/** Where a thing was put, and what its maker is shown this once. */
export interface Creation {
  /** The parameter that names it. */
  readonly id: string
  /** Secrets that nobody is shown again, such as a key. */
  readonly secrets?: Readonly<Record<string, string>>
}

/** Who does something to a thing. */
export interface ActionCaller {
  /** Whether it is the operator whom the path names as `:operator`. */
  readonly isHimself: boolean
  /** The session that he calls with; undefined of a token. */
  readonly sessionId: string | undefined
  /** Whether his grants let him change the thing, and not only read it. */
  readonly mayChange: boolean
  /** Names the session or API token that he calls with, for `OperatorAuthority.mayStill`; it opens nothing. */
  readonly credential: string
  /** The address that the request came from. */
  readonly address: string
}

/** Something that is done to a thing besides changing its members, such as making it another key. */
export interface ResourceAction {
  /** The last segment of its address, such as "enrolment-key". */
  readonly name: string
  /** Imperative, for the OpenAPI document: "Make a new enrolment key". */
  readonly summary: string
  readonly body?: TObject
  /** What it answers beside the thing; members that nobody is shown again. */
  readonly secrets?: TObject
  /** Whether the operator whom the path names as `:operator` may do it himself with a session, besides those who may change the thing. */
  readonly isOwn?: boolean
  /** Whether it may be done to what a configuration file manages, since it changes nothing that the file says. */
  readonly isForManaged?: boolean
  /** Whether those may do it who may only read the thing; `ActionCaller.mayChange` tells them apart. */
  readonly isForReaders?: boolean
  /**
   * Whether the audit log has it once an hour of the same caller from the same address, since programs do it again and again and it
   * changes nothing; each time when left out.
   */
  readonly isNotedHourly?: boolean
  perform(
    path: PathParameters,
    body: unknown,
    caller: ActionCaller,
  ): Promise<Write<Readonly<Record<string, unknown>> | undefined>>
}

/**
 * A collection that operators administer below `/admin/v1`. The administration authenticates callers, checks their rights, `If-Match`
 * and who manages a thing, and writes the audit log; the service that owns the tables says what there is.
 *
 * What takes long, such as hashing a password, is done before the transaction begins: methods that change something return the write.
 */
export interface AdministeredResource<NewItem = unknown, Change = unknown> {
  /** Below `/admin/v1`, such as "/backup/accounts/:account/computers". */
  readonly path: string
  /** Whose rights count: `backup`, `email`, … */
  readonly service: string
  /**
   * Whether each item's member `service` names a service too: whoever may read all of that service sees the item, besides those who may read
   * what belongs to {@link service}.
   */
  readonly isOfServices?: boolean
  /** Whether the operator whom the path names as `:operator` may do all of it himself, or read it, besides owners. */
  readonly isOwn?: boolean | 'read'
  /** The parameter of the path that names the account, where things belong to accounts. */
  readonly accountParameter?: string
  /** How the parameter of a thing is called, such as "computer". */
  readonly idParameter: string
  /** "computer" and "computers", as sentences call them; operation ids and schemas are named by them: `listComputers`. */
  readonly noun: { readonly one: string; readonly many: string }
  readonly item: TObject
  /** Members of {@link Creation.secrets}. */
  readonly secrets?: TObject
  readonly creation?: TObject
  readonly change?: TObject
  /** Members by which a listing may be ordered; the first is the order by default. */
  readonly orders: readonly [string, ...string[]]
  /** Query parameters that a listing understands, each with a sentence. */
  readonly filters?: Readonly<Record<string, string>>
  /** Members that change by themselves, which `ETag` leaves out. */
  readonly volatile?: readonly string[]
  /** Whether a listing may be long, and is read from a replica of the database where there is one. */
  readonly isLong?: boolean
  list(tables: TransactionTables, path: PathParameters, page: PageRequest): Promise<readonly ListedItem[]>
  /** The thing, or undefined where there is none; also where what the path leads over is not there. */
  read(tables: TransactionTables, path: PathParameters): Promise<AdministeredItem | undefined>
  /** @throws RequestRefused conflict, where there is such a thing already */
  create?(path: PathParameters, body: NewItem): Promise<Write<Creation>>
  /** @param body the members to change (RFC 7396); it holds those of `change` only */
  update?(path: PathParameters, body: Change): Promise<Write<void>>
  remove?(path: PathParameters): Promise<Write<void>>
  /** What is lost with the thing, in sentences; nothing when left out. */
  losses?(tables: TransactionTables, path: PathParameters): Promise<readonly string[]>
  readonly actions?: readonly ResourceAction[]
  /**
   * Called after something was written and before the caller is answered, so that nothing older is believed.
   *
   * @param change what was done: `create`, `update`, `delete`, or the name of an action
   */
  afterWrite?(path: PathParameters, change: string): void | Promise<void>
}
