import type { Migrations } from '@palisade/platform'
import { sql } from 'kysely'

/** All tables of the service but those of its logs, for kysely. */
export interface FirewallTables {
  /** Tokens that are valid, by the SHA-256 of their reduced text. */
  firewall_token: {
    digest: string
    username: string
    /** The SHA-256 of the stored password when the token was issued: another password ends the token. */
    stamp: string
    /** The login that it comes from: it is valid as long as that row is there. */
    session: string
    issued_at: number
    expires_at: number
  }
  /** Logins that were not ended; a row for each. */
  firewall_session: {
    /** Random, and told to nobody. */
    id: string
    /** When the last of its tokens expires. */
    expires_at: number
    /** Of the operator who was given its first token, as the administration names it; null after a login with a password. */
    operator_credential: string | null
    /** Whether its tokens change nothing, by 1 or 0: the operator could only read when he asked. */
    reads_only: number
  }
  /**
   * Failed logins with one name from one network, whether there is an administrator of that name or not. Without the
   * network: with the name from anywhere; without the name: from the network with any.
   */
  firewall_failed_login: {
    /** The SHA-256 of the name, or empty. */
    name_digest: string
    /** An IPv4 address, the first 64 bits of an IPv6 address, or empty. */
    network: string
    failures: number
    first_failed_at: number
    /** 0 unless locked. */
    locked_until: number
  }
  /** Networks from which somebody has logged in with a name. */
  firewall_familiar_network: {
    /** The SHA-256 of the name. */
    name_digest: string
    network: string
    /** When he did so last, to the day. */
    last_at: number
  }
  /** One row. */
  firewall_configuration: {
    id: number
    /** The number of the newest change. */
    version: number
    /** The newest change whose deletions are in `firewall_deleted_object`; a server of an earlier release leaves it as it is. */
    traced_version: number
    /** The deletions of all later changes, up to `traced_version`, are in `firewall_deleted_object`. */
    traced_since: number
  }
  /** Objects that differ from the factory's configuration, of every kind. */
  firewall_object: {
    kind: string
    /** The names of the objects around it and its own, as a JSON array. */
    path: string
    /** The object's content as JSON, its secrets sealed. */
    document: string
    /** The version that brought this content. */
    version: number
  }
  /** What was deleted lately, for servers that know an earlier version of the configuration. It may have come again since. */
  firewall_deleted_object: {
    kind: string
    path: string
    /** The version in which it was deleted last. */
    version: number
  }
  /** Earlier states of the configuration that are kept. */
  firewall_checkpoint: {
    name: string
    comment: string
    /** 1 when the system made it before a great change. */
    is_automatic: number
    created_at: number
    created_by: string
    configuration_version: number
    /** A full configuration document; see docs/formats/firewall-configuration.md. */
    document: string
  }
  /** Long operations: the running ones, and the last that ended. */
  firewall_job: {
    id: string
    operation: string
    state: 'running' | 'succeeded' | 'failed'
    username: string
    started_at: number
    /** When the server that runs it was last known to be alive. */
    touched_at: number
    /** 0 as long as it runs. */
    finished_at: number
    /** A JSON array of sentences. */
    messages: string
  }
  /** Clients that a service does not serve for a while. */
  firewall_locked_out_client: {
    service: string
    /** An IP address or a fingerprint. */
    client: string
    reason: string
    locked_at: number
    locked_until: number
  }
  /** What proxies learnt of the applications behind services. */
  firewall_learnt_url: {
    service: string
    /** The SHA-256 of what tells it from others of the service. */
    digest: string
    /** A `LearntUrl` as JSON. */
    document: string
    last_at: number
  }
  /** Proposals of rule exceptions that administrators have rejected. */
  firewall_rejected_proposal: { service: string; id: string; rejected_at: number }
  /** Requests that services keep to be judged again. */
  firewall_stored_request: {
    service: string
    /** As logs name it. */
    id: string
    /** 1 when it was refused, or would have been in Active mode. */
    is_refused: number
    stored_at: number
    /** Of the `StoredRequest` as JSON, in characters. */
    size: number
    /** That, sealed. */
    document: string
  }
  /** Trials of stored requests, for the minute that they take. */
  firewall_trial: {
    id: string
    created_at: number
    /** When a proxy has begun with it; 0 before. */
    taken_at: number
    /** A `TrialOrder` as JSON, sealed. */
    document: string
    /** A `TrialResult` as JSON, sealed; empty before. */
    answer: string
  }
  /** By which authorities know this installation. */
  firewall_acme_account: {
    /** The address of the authority's directory. */
    directory: string
    /** PKCS #8 as PEM, sealed. */
    private_key: string
    /** Nothing is renewed there before that time: the authority has refused something for a limit of its. */
    paused_until: number
  }
  /** What authorities are answered for the minutes of an order. */
  firewall_acme_challenge: {
    id: string
    /** A part of `SnapshotChallenges` as JSON, sealed. */
    document: string
    expires_at: number
  }
  /** Certificates that an authority is asked for again and again, and those that are being obtained. */
  firewall_acme_certificate: {
    name: string
    /**
     * That of the certificate that is there, and after a space how many days before its end somebody has chosen to renew it; empty while the
     * first one is being obtained.
     */
    serial: string
    /** When it is to be renewed. */
    renew_at: number
    /** When something is to be done about it: renewed, or the authority asked when that is to be. */
    due_at: number
    /** How often it could not be renewed since it was. */
    failures: number
    /** Why it could not be renewed last: a sentence. */
    problem: string
    /** The server that is at it; empty for none. */
    lease_holder: string
    lease_until: number
    /** An `OngoingOrder` as JSON, sealed, which whoever is at it next goes on with; empty for none. */
    ongoing_order: string
  }
  /** Certificates of listeners of servers, by the hosts that they are for. */
  firewall_acme_listener: {
    /** As in `firewall_acme_certificate`. */
    name: string
    /** The certificate and those above it, PEM. */
    chain: string
    /** PKCS #8 as PEM, sealed. */
    private_key: string
    serial: string
    /** The address of the directory of the authority that has signed it. */
    directory: string
  }
  /** OpenAPI documents, and what was made of them. */
  firewall_api_description: {
    name: string
    service: string
    document: string
    /** The objects that were created from it, as a JSON array of [kind, path]; empty unless applied. */
    objects: string
    uploaded_at: number
    uploaded_by: string
  }
}

/** In the order in which they are applied; released ones never change. */
export const firewallMigrations: Migrations = {
  '0001-configuration-and-access': {
    async up(db) {
      await db.schema
        .createTable('firewall_administrator')
        .addColumn('username', 'text', (column) => column.primaryKey())
        .addColumn('password_hash', 'text', (column) => column.notNull())
        .addColumn('role', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_token')
        .addColumn('digest', 'text', (column) => column.primaryKey())
        .addColumn('username', 'text', (column) =>
          column.notNull().references('firewall_administrator.username').onDelete('cascade'),
        )
        .addColumn('issued_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema.createIndex('firewall_token_expiry').on('firewall_token').column('expires_at').execute()
      await db.schema
        .createTable('firewall_configuration')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('version', 'bigint', (column) => column.notNull())
        .execute()
      await db.insertInto('firewall_configuration').values({ id: 1, version: 0 }).execute()
      await db.schema
        .createTable('firewall_object')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_object_key', ['kind', 'path'])
        .execute()
      await db.schema
        .createTable('firewall_change')
        .addColumn('version', 'bigint', (column) => column.primaryKey())
        .addColumn('changed_at', 'bigint', (column) => column.notNull())
        .addColumn('username', 'text', (column) => column.notNull())
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('details', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0002-administrators-are-objects': {
    async up(db) {
      await db.schema
        .alterTable('firewall_object')
        .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
      const administrators = await db.selectFrom('firewall_administrator').selectAll().execute()
      for (const { username, password_hash, role } of administrators) {
        const values = { name: username, password: password_hash, role }
        const document = JSON.stringify({ values, sections: {} })
        await db
          .insertInto('firewall_object')
          .values({ kind: 'user', path: JSON.stringify([username]), document })
          .execute()
      }
      // The audit log tells who changed what.
      await db.schema.dropTable('firewall_change').execute()
      await db.schema.dropTable('firewall_token').execute()
      await db.schema.dropTable('firewall_administrator').execute()
      await db.schema
        .createTable('firewall_token')
        .addColumn('digest', 'text', (column) => column.primaryKey())
        .addColumn('username', 'text', (column) => column.notNull())
        .addColumn('stamp', 'text', (column) => column.notNull())
        .addColumn('issued_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('firewall_token_expires')
        .on('firewall_token')
        .column('expires_at')
        .execute()
      await db.schema
        .createTable('firewall_failed_login')
        .addColumn('name_digest', 'text', (column) => column.primaryKey())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('first_failed_at', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull())
        .execute()
    },
  },
  '0003-checkpoints': {
    async up(db) {
      await db.schema
        .createTable('firewall_checkpoint')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('comment', 'text', (column) => column.notNull())
        .addColumn('is_automatic', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('configuration_version', 'bigint', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_job')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('operation', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('username', 'text', (column) => column.notNull())
        .addColumn('started_at', 'bigint', (column) => column.notNull())
        .addColumn('touched_at', 'bigint', (column) => column.notNull())
        .addColumn('finished_at', 'bigint', (column) => column.notNull())
        .addColumn('messages', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_locked_out_client')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('client', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('locked_at', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_locked_out_client_key', ['service', 'client'])
        .execute()
      await db.schema
        .createTable('firewall_api_description')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('objects', 'text', (column) => column.notNull())
        .addColumn('uploaded_at', 'bigint', (column) => column.notNull())
        .addColumn('uploaded_by', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0004-learnt-urls': {
    async up(db) {
      await db.schema
        .createTable('firewall_learnt_url')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('digest', 'text', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('last_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_learnt_url_key', ['service', 'digest'])
        .execute()
    },
  },
  '0005-sessions': {
    async up(db) {
      await db.schema
        .createTable('firewall_session')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('firewall_session_expires')
        .on('firewall_session')
        .column('expires_at')
        .execute()
      await db.schema
        .alterTable('firewall_token')
        .addColumn('session', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
      // Which of the tokens that are there came from one login is not known: each becomes a session of its own.
      await db.updateTable('firewall_token').set({ session: sql`digest` }).execute()
      await db
        .insertInto('firewall_session')
        .columns(['id', 'expires_at'])
        .expression(db.selectFrom('firewall_token').select(['digest', 'expires_at']))
        .execute()
      await db.schema.createIndex('firewall_token_session').on('firewall_token').column('session').execute()
    },
  },
  '0006-failed-logins-by-network': {
    async up(db) {
      // What is lost are the locks of minutes.
      await db.schema.dropTable('firewall_failed_login').execute()
      await db.schema
        .createTable('firewall_failed_login')
        .addColumn('name_digest', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('first_failed_at', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_failed_login_key', ['name_digest', 'network'])
        .execute()
      await db.schema
        .createIndex('firewall_failed_login_first')
        .on('firewall_failed_login')
        .column('first_failed_at')
        .execute()
      await db.schema
        .createTable('firewall_familiar_network')
        .addColumn('name_digest', 'text', (column) => column.notNull())
        .addColumn('network', 'text', (column) => column.notNull())
        .addColumn('last_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_familiar_network_key', ['name_digest', 'network'])
        .execute()
    },
  },
  '0007-acme': {
    async up(db) {
      await db.schema
        .createTable('firewall_acme_account')
        .addColumn('directory', 'text', (column) => column.primaryKey())
        .addColumn('private_key', 'text', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_acme_challenge')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('firewall_acme_certificate')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('serial', 'text', (column) => column.notNull())
        .addColumn('renew_at', 'bigint', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .addColumn('problem', 'text', (column) => column.notNull())
        .addColumn('lease_holder', 'text', (column) => column.notNull())
        .addColumn('lease_until', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createIndex('firewall_acme_certificate_due')
        .on('firewall_acme_certificate')
        .column('due_at')
        .execute()
    },
  },
  '0008-acme-listeners-and-orders': {
    async up(db) {
      await db.schema
        .alterTable('firewall_acme_certificate')
        .addColumn('ongoing_order', 'text', (column) => column.notNull().defaultTo(''))
        .execute()
      await db.schema
        .alterTable('firewall_acme_account')
        .addColumn('paused_until', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
      await db.schema
        .createTable('firewall_acme_listener')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('chain', 'text', (column) => column.notNull())
        .addColumn('private_key', 'text', (column) => column.notNull())
        .addColumn('serial', 'text', (column) => column.notNull())
        .addColumn('directory', 'text', (column) => column.notNull())
        .execute()
    },
  },
  '0009-rejected-proposals': {
    async up(db) {
      await db.schema
        .createTable('firewall_rejected_proposal')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('rejected_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_rejected_proposal_key', ['service', 'id'])
        .execute()
    },
  },
  '0010-deleted-objects': {
    async up(db) {
      await db.schema
        .createTable('firewall_deleted_object')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('path', 'text', (column) => column.notNull())
        .addColumn('version', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_deleted_object_key', ['kind', 'path'])
        .execute()
      for (const table of ['firewall_deleted_object', 'firewall_object']) {
        await db.schema.createIndex(`${table}_version`).on(table).column('version').execute()
      }
      for (const column of ['traced_version', 'traced_since']) {
        await db.schema
          .alterTable('firewall_configuration')
          .addColumn(column, 'bigint', (definition) => definition.notNull().defaultTo(0))
          .execute()
        await db
          .updateTable('firewall_configuration')
          .set({ [column]: sql.ref('version') })
          .execute()
      }
    },
  },
  '0011-sessions-of-operators': {
    async up(db) {
      await db.schema.alterTable('firewall_session').addColumn('operator_credential', 'text').execute()
    },
  },
  '0012-sessions-that-only-read': {
    async up(db) {
      await db.schema
        .alterTable('firewall_session')
        .addColumn('reads_only', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  },
  '0013-stored-requests': {
    async up(db) {
      await db.schema
        .createTable('firewall_stored_request')
        .addColumn('service', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('is_refused', 'integer', (column) => column.notNull())
        .addColumn('stored_at', 'bigint', (column) => column.notNull())
        .addColumn('size', 'integer', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('firewall_stored_request_key', ['service', 'id'])
        .execute()
      await db.schema
        .createIndex('firewall_stored_request_order')
        .on('firewall_stored_request')
        .columns(['service', 'is_refused', 'stored_at'])
        .execute()
      await db.schema
        .createTable('firewall_trial')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('taken_at', 'bigint', (column) => column.notNull())
        .addColumn('document', 'text', (column) => column.notNull())
        .addColumn('answer', 'text', (column) => column.notNull())
        .execute()
    },
  },
}
