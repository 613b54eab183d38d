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
    /** A configuration document: a full one, or of what was deleted; see docs/formats/firewall-configuration.md. */
    document: string
  }
  /** Backups that every server reads, in parts: a row for each. Only with PostgreSQL are there any. */
  firewall_backup: {
    filename: string
    /** Its place, from 0. */
    part: number
    /** Of the whole backup, in bytes. */
    size: number
    written_at: number
    /** The bytes of the part in base64. */
    content: string
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
