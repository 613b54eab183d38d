/** A secret that all proxies of an installation share. */
export interface SnapshotKey {
  /** Tells keys apart: 0 to 255. */
  readonly id: number
  /** 32 bytes in base64url. */
  readonly secret: string
}

/** How links are encrypted, so that nobody reaches what no page has offered. */
export interface SnapshotUrlEncryption {
  /** The first encrypts, all decrypt. Never empty. */
  readonly keys: readonly SnapshotKey[]
  /** The first that fits a request is the one that counts. */
  readonly rules: readonly SnapshotUrlEncryptionRule[]
}

export interface SnapshotUrlEncryptionRule {
  readonly name: string
  /** The pages whose links are encrypted: a host and a path, in which `*` stands for any characters. */
  readonly host: string
  readonly url: string
  /** Whether these pages may be asked for by their plain addresses as well. */
  readonly allowsPlainRequests: boolean
  /** Addresses that stay plain; `*` stands for any characters. */
  readonly excludedUrls: readonly string[]
}

/** What is changed on the way between clients and servers. Rules are in the order in which they are applied. */
export interface SnapshotRewriting {
  readonly requests: readonly SnapshotRequestRewrite[]
  readonly responses: readonly SnapshotResponseRewrite[]
  readonly bodies: readonly SnapshotBodyRewrite[]
  readonly translations: readonly SnapshotTranslation[]
  /** Hosts whose links lead to HTTPS, with or without a port; `*` stands for any characters. */
  readonly secureHosts: readonly string[]
  /** What answers say about being shown inside other pages. */
  readonly frames?: SnapshotFrames
}

/** A change to the head of a request, `oldValue` and `newValue` as `SnapshotHeaderChange` has them. */
export type SnapshotRequestRewrite = SnapshotHeaderChange | SnapshotUrlChange

export type SnapshotResponseRewrite = SnapshotHeaderChange

export interface SnapshotHeaderChange {
  readonly does: 'insert-header' | 'remove-header' | 'rewrite-header'
  /** An extended match. */
  readonly condition: string
  readonly header: string
  /** What a value has to fit: `*` stands for any characters, or all of it is a regular expression. Empty for any value. */
  readonly oldValue: string
  readonly newValue: string
  /** Whether the rules that follow are applied once this one was. */
  readonly continues: boolean
}

/** `rewrite-url` asks the server for another address, `redirect-url` sends the client there. */
export interface SnapshotUrlChange {
  readonly does: 'rewrite-url' | 'redirect-url'
  readonly condition: string
  readonly oldValue: string
  readonly newValue: string
  readonly continues: boolean
}

/** Texts in the bodies of answers that are replaced by others. */
export interface SnapshotBodyRewrite {
  readonly host: string
  readonly url: string
  readonly search: string
  readonly replacement: string
}

/** A part of the application as clients and as servers know it. */
export interface SnapshotTranslation {
  /** A host, with or without a port, and the beginning of a path. */
  readonly inside: { readonly host: string; readonly prefix: string }
  readonly outside: { readonly host: string; readonly prefix: string }
}

/** `never` by any page, `same-origin` by those of the same, `origin` by those of the one that is named. */
export interface SnapshotFrames {
  readonly by: 'never' | 'same-origin' | 'origin'
  readonly origin?: string
}
