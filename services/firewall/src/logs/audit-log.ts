import type { Clock } from '@palisade/platform'
import type { LogStore, PreparedEntries, QueryRunner } from './log-store.ts'
import type { LogEntry } from './log-types.ts'

/** Who did something, and from where. */
export interface AuditedAdministrator {
  readonly admin: string
  readonly role: string
  /** The network address that the request came from. */
  readonly address: string
}

/** A member that a change touched. Secrets arrive masked. */
export interface AuditedVariable {
  readonly variable: string
  /** Empty where there was none. */
  readonly oldValue: string
  readonly newValue: string
}

/** A change of the configuration. */
export interface AuditedChange extends AuditedAdministrator {
  /** "Config" when left out; also "Restore", "Rollback" and what else changes a configuration. */
  readonly transactionType?: string
  /** What the entries of one change have in common, such as the configuration's new version. */
  readonly transactionId: string
  readonly changeType: 'Add' | 'Modify' | 'Delete' | 'Set' | 'Clear' | 'Copy'
  /** The kind's title: "Service". */
  readonly objectType: string
  /** The object's name, with those around it where it lies inside others. */
  readonly objectName: string
  /** One entry is written for each; a change without any, such as a deletion, has one entry all the same. */
  readonly variables: readonly AuditedVariable[]
  readonly additionalData?: string
}

/** What all entries say about the client: there is one way in. */
const clientType = 'REST API'

/**
 * How many failed logins have entries of their own in one minute. Anybody may fail to log in: without a bound they
 * could push what administrators did out of the log.
 */
const failedLoginsPerMinute = 20

const minuteMs = 60_000

/** Longer names of users are cut; nobody has one. */
const usernameLengthMax = 128

/** What administrators did. */
export class AuditLog {
  readonly #logs: LogStore
  readonly #clock: Clock
  #minute = 0
  #failedLogins = 0

  constructor(deps: { logs: LogStore; clock: Clock }) {
    this.#logs = deps.logs
    this.#clock = deps.clock
  }

  /** What is to be written down of changes of the configuration, in the transaction that makes them. */
  prepare(changes: readonly AuditedChange[]): PreparedEntries {
    return this.#logs.prepare('audit', changes.flatMap(entriesOf))
  }

  /** Writes down what was prepared, as part of the transaction that makes the changes. */
  writeWithin(transaction: QueryRunner, entries: PreparedEntries): Promise<void> {
    return this.#logs.writeWithin(transaction, entries)
  }

  loggedIn(administrator: AuditedAdministrator): Promise<void> {
    return this.#logs.append('audit', [
      { ...entryBy(administrator), 'transaction-type': 'Login', 'change-type': 'Success' },
    ])
  }

  /**
   * Writes down that something left the system.
   *
   * @param what also says what it was, such as "the private key"
   */
  exported(
    administrator: AuditedAdministrator,
    { objectType, objectName, what }: Pick<AuditedChange, 'objectType' | 'objectName'> & { what: string },
  ): Promise<void> {
    return this.#logs.append('audit', [
      {
        ...entryBy(administrator),
        'transaction-type': 'Export',
        'object-type': objectType,
        'object-name': objectName,
        'additional-data': what,
      },
    ])
  }

  /** Writes down a change of what is kept beside the configuration, once it was made. */
  changed(
    administrator: AuditedAdministrator,
    change: Pick<AuditedChange, 'changeType' | 'objectType' | 'objectName' | 'additionalData'>,
  ): Promise<void> {
    return this.#logs.append('audit', [
      {
        ...entryBy(administrator),
        'transaction-type': 'Config',
        'change-type': change.changeType,
        'object-type': change.objectType,
        'object-name': change.objectName,
        'additional-data': change.additionalData ?? '',
      },
    ])
  }

  loggedOut(administrator: AuditedAdministrator): Promise<void> {
    return this.#logs.append('audit', [
      { ...entryBy(administrator), 'transaction-type': 'Logout', 'change-type': 'Success' },
    ])
  }

  /**
   * Writes down that somebody could not log in. After the twentieth time in a minute only their number is kept; the
   * next failed login that has an entry tells it.
   *
   * @param username what was given as the name, whether there is such an administrator or not
   */
  async loginFailed({ username, address }: { username: string; address: string }): Promise<void> {
    const passedOver = this.#failedLoginsToTell()
    if (passedOver === undefined) return
    await this.#logs.append('audit', [
      {
        ...entryBy({ admin: username.slice(0, usernameLengthMax), role: '', address }),
        'transaction-type': 'Unsuccessful Login',
        'change-type': 'Failure',
        'additional-data': passedOver === 0 ? '' : `${passedOver} failed logins before have no entry`,
      },
    ])
  }

  /** @returns how many were passed over before this one, or undefined when this one is passed over, too */
  #failedLoginsToTell(): number | undefined {
    const minute = Math.floor(this.#clock.now() / minuteMs)
    const isNew = minute !== this.#minute
    const passedOver = isNew ? Math.max(0, this.#failedLogins - failedLoginsPerMinute) : 0
    this.#minute = minute
    this.#failedLogins = isNew ? 1 : this.#failedLogins + 1
    return this.#failedLogins > failedLoginsPerMinute ? undefined : passedOver
  }
}

const noVariable: AuditedVariable = { variable: '', oldValue: '', newValue: '' }

function entriesOf(change: AuditedChange): LogEntry<'audit'>[] {
  const variables = change.variables.length > 0 ? change.variables : [noVariable]
  return variables.map(({ variable, oldValue, newValue }) => ({
    ...entryBy(change),
    'transaction-type': change.transactionType ?? 'Config',
    'transaction-id': change.transactionId,
    'change-type': change.changeType,
    'object-type': change.objectType,
    'object-name': change.objectName,
    variable,
    'old-value': oldValue,
    'new-value': newValue,
    'additional-data': change.additionalData ?? '',
  }))
}

function entryBy({ admin, role, address }: AuditedAdministrator): LogEntry<'audit'> {
  return { admin, role, 'login-ip': address, 'client-type': clientType }
}
